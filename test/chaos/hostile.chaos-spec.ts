import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { expectFlatMemory } from '../harness/flat-memory.js';
import { showWith } from '../harness/hostile-bodies.js';
import { insertBrand, type IntakeProcess, startIntakeProcess } from '../harness/intake-process.js';
import { headerLines, postHead, RawConnection } from '../harness/raw-http.js';
import { signedHeaders, signedPost } from '../harness/signed-post.js';

const SLOW_SENDERS = 50;
/** A body has a minute, and Node looks for those that had it twice a minute. */
const LONGEST_MS = 100_000;

describe('memory', () => {
  it(
    'stays flat under 10,000 hostile requests, and good ones between them are taken',
    () => expectFlatMemory(10_000),
    400_000,
  );
});

describe('bodies that come one byte a second', () => {
  let db: TestDatabase;
  let intake: IntakeProcess;

  beforeAll(async () => {
    db = await createTestDatabase();
    await insertBrand(db);
    intake = await startIntakeProcess(db);
  });

  afterAll(async () => {
    intake.process.kill('SIGKILL');
    await intake.process.ended();
    await db.drop();
  });

  it('are cut off after a minute with 408 and leave nothing, and good ones beside them are taken all the time', async () => {
    const body = showWith('"slow"');
    const head = postHead('/ingest', [
      ['host', 'x'],
      ...headerLines(signedHeaders(body)),
      ['content-length', String(Buffer.byteLength(body))],
    ]);
    const slow = await Promise.all(Array.from({ length: SLOW_SENDERS }, () => RawConnection.to(intake.port)));
    for (const connection of slow) connection.send(head);
    const answers = Promise.all(slow.map((connection) => connection.rest()));
    const cutOff = answers.then(() => true);

    let good = 0;
    const begun = performance.now();
    for (let at = 0; performance.now() - begun < LONGEST_MS; at++) {
      for (const { socket } of slow) if (socket.writable) socket.write(body.slice(at, at + 1));
      expect((await signedPost(`${intake.url}/ingest`, showWith(`"beside ${at}"`))).status).toBe(202);
      good++;
      // The pace of the senders, and no wait for anything.
      if (await Promise.race([cutOff, delay(1_000, false)])) break;
    }
    const heard = (await answers).map(
      ([first]) => `${first?.status} ${/problem:([a-z-]+)/.exec(first?.body ?? '')?.[1]}`,
    );
    expect(new Set(heard)).toEqual(new Set(['408 request-timeout']));
    expect(good).toBeGreaterThan(30);
    const jobs = await db.query<{ payload: string }>('SELECT payload FROM ingest_jobs');
    expect(jobs).toHaveLength(good);
    expect(jobs.filter(({ payload }) => payload.includes('"slow"'))).toEqual([]);
  }, 200_000);
});
