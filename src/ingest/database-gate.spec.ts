import { describe, expect, it } from '@jest/globals';
import { Flag } from '../../test/harness/flag.js';
import { AppError } from '../lib/app-error.js';
import { DatabaseGate } from './database-gate.js';

const LOCKED = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const codeOf = (error: unknown): string => (error as { code: string }).code;

/** A gate in doubt, with so many waiting behind it for the flag. */
async function doubted(waiting: number): Promise<{ gate: DatabaseGate; flag: Flag; others: Promise<void>[] }> {
  const gate = new DatabaseGate(60_000);
  const flag = new Flag();
  const others = Array.from({ length: waiting }, () => gate.pass(() => flag.raised));
  await gate.pass(() => Promise.reject(LOCKED)).catch(() => undefined);
  return { gate, flag, others };
}

describe('the gate', () => {
  it('lets everybody through while the database answers', async () => {
    const gate = new DatabaseGate(60_000);
    const flag = new Flag();
    const crowd = Array.from({ length: 500 }, (_, n) => gate.pass(() => flag.raised.then(() => n)));
    flag.raise();
    expect(await Promise.all(crowd)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  it('lets nobody wait longer than the time', async () => {
    const gate = new DatabaseGate(20);
    const given = gate.pass(() => new Promise(() => undefined));
    await expect(given).rejects.toMatchObject({ code: 'intake-unavailable', status: 503 });
  });

  it('once in doubt lets a few wait and tells the others at once', async () => {
    const { gate, flag, others } = await doubted(7);
    const eighth = gate.pass(() => flag.raised);
    let asked = 0;
    const ninth = gate.pass(() => Promise.resolve(asked++));
    await expect(ninth).rejects.toMatchObject({ code: 'intake-unavailable', headers: { 'Retry-After': '5' } });
    expect(asked).toBe(0);
    flag.raise();
    await Promise.all([...others, eighth]);
  });

  it('opens wide when one of the few comes through', async () => {
    const { gate, flag, others } = await doubted(20);
    await expect(gate.pass(() => Promise.resolve())).rejects.toMatchObject({ code: 'intake-unavailable' });
    flag.raise();
    await Promise.all(others);
    const crowd = Array.from({ length: 50 }, () => gate.pass(() => Promise.resolve('through')));
    expect(new Set(await Promise.all(crowd))).toEqual(new Set(['through']));
  });

  it('takes a refusal or a bug for neither: they say nothing about the database', async () => {
    const gate = new DatabaseGate(60_000);
    const flag = new Flag();
    const others = Array.from({ length: 20 }, () => gate.pass(() => flag.raised));
    const refusal = new AppError('brand-unknown', 'No such brand.', { status: 422 });
    expect(await gate.pass(() => Promise.reject(refusal)).catch(codeOf)).toBe('brand-unknown');
    await expect(gate.pass(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
    await expect(gate.pass(() => Promise.resolve('through'))).resolves.toBe('through');
    flag.raise();
    await Promise.all(others);
  });
});
