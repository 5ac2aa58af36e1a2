import { expect } from '@jest/globals';
import { createTestDatabase } from './database.js';
import { quietMemoryOf, sendHostile } from './hostile-load.js';
import { COLLECTS_WHEN_ASKED, insertBrand, startIntakeProcess } from './intake-process.js';

const WARM_UP = 300;
const MOST_MEGABYTES_OVER_IDLE = 50;

/**
 * A process as `npm start` has it, under so many hostile requests: good ones between them are taken, no hostile one is,
 * memory never rises by much, uncollected garbage counted, and comes back, and in the end the process stops as it should
 * and has a job for each good message.
 */
export async function expectFlatMemory(hostile: number): Promise<void> {
  const db = await createTestDatabase();
  await insertBrand(db);
  const intake = await startIntakeProcess(db, COLLECTS_WHEN_ASKED);
  try {
    const warmUp = await sendHostile(intake, WARM_UP);
    const idle = await quietMemoryOf(intake);
    const run = await sendHostile(intake, hostile);
    const after = await quietMemoryOf(intake);

    expect(run.hostile).toBeGreaterThanOrEqual(hostile);
    expect(run.wrong).toEqual([]);
    expect(run.good.filter((answer) => answer !== '202')).toEqual([]);
    expect(run.peak - idle).toBeLessThanOrEqual(MOST_MEGABYTES_OVER_IDLE);
    expect(after - idle).toBeLessThanOrEqual(MOST_MEGABYTES_OVER_IDLE / 2);
    const [count] = await db.query<{ jobs: string; messages: string }>(
      `SELECT (SELECT count(*) FROM ingest_jobs) AS jobs, (SELECT count(*) FROM ingest_messages) AS messages`,
    );
    const good = String(warmUp.good.length + run.good.length);
    expect(count).toEqual({ jobs: good, messages: good });
    intake.process.kill('SIGTERM');
    expect(await intake.process.ended()).toEqual({ code: 0, signal: null });
    expect(intake.process.output).not.toMatch(/ERROR|out of memory/);
  } finally {
    intake.process.kill('SIGKILL');
    await intake.process.ended();
    await db.drop();
  }
}
