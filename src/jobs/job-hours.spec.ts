import { describe, expect, it } from '@jest/globals';
import { appErrorOf } from '../../test/harness/errors.js';
import { hoursOf, wholeHours } from './job-hours.js';

const at = (text: string): Date => new Date(`2026-11-${text}Z`);
const seconds = (text: string): number => at(text).getTime() / 1000;

describe('the hours of a time', () => {
  it('are whole', () => {
    expect(wholeHours(at('30T08:10:00'), at('30T09:00:01'))).toEqual({
      from: seconds('30T08:00:00'),
      to: seconds('30T10:00:00'),
    });
    expect(wholeHours(at('30T08:00:00'), at('30T09:00:00'))).toEqual({
      from: seconds('30T08:00:00'),
      to: seconds('30T09:00:00'),
    });
  });

  it('are those of 31 days at most, and of some time at least', () => {
    const from = new Date('2026-10-01T00:00:00Z');
    expect(wholeHours(from, new Date('2026-11-01T00:00:00Z'))).toBeDefined();
    expect(appErrorOf(() => wholeHours(from, new Date('2026-11-01T00:00:01Z'))).code).toBe('range-too-long');
    expect(appErrorOf(() => wholeHours(from, from)).code).toBe('range-invalid');
    expect(appErrorOf(() => wholeHours(at('30T08:10:00'), at('30T08:00:00'))).code).toBe('range-invalid');
    expect(appErrorOf(() => wholeHours(new Date(-1), at('30T08:00:00'))).code).toBe('range-invalid');
  });

  it('come all, with what happened in each', () => {
    const range = { from: 7_200, to: 14_400 };
    const counts = [
      { hour: 7_200, status: null, outcome: null, count: 5 },
      { hour: 7_200, status: 'done', outcome: 'created', count: 2 },
      { hour: 7_200, status: 'done', outcome: null, count: 1 },
      { hour: 7_200, status: 'failed', outcome: null, count: 1 },
    ] as const;
    expect(hoursOf(range, counts)).toEqual([
      { hour: 7_200, arrived: 5, done: 3, failed: 1, outcomes: [{ outcome: 'created', count: 2 }] },
      { hour: 10_800, arrived: 0, done: 0, failed: 0, outcomes: [] },
    ]);
  });
});
