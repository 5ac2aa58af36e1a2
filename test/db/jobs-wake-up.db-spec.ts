import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import { WakeUp } from '../../src/jobs/wake-up.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { Flag } from '../harness/flag.js';
import { drainJobs, type JobsApp, startJobsApp } from '../harness/jobs-app.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';
import { testConfig } from '../harness/test-config.js';

describe('waking an idle worker', () => {
  let db: TestDatabase;
  let app: JobsApp;
  let handler: ScriptedHandler;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  beforeEach(async () => {
    app = await startWorker({});
    handler = app.context.get(ScriptedHandler);
  });
  afterEach(async () => {
    await app.close();
    await db.query('TRUNCATE ingest_jobs CASCADE');
  });
  afterAll(() => db.drop());

  /** A process that works by itself, as in production, but whose timers never come: only a wake-up moves it. */
  const startWorker = async (env: Record<string, string>): Promise<JobsApp> => {
    const started = await startJobsApp(testConfig(db.url, { TIMERS: 'true', ...env }), [ScriptedHandler]);
    const timers = started.context.get(SchedulerRegistry, { strict: false });
    expect(timers.getIntervals().length).toBeGreaterThanOrEqual(4);
    timers.getIntervals().forEach((name) => timers.deleteInterval(name));
    return started;
  };
  /** Resolves when so many jobs have reached the handler. */
  const worked = (count: number): Promise<void> => {
    const all = new Flag();
    let seen = 0;
    handler.commit = () => {
      if (++seen === count) all.raise();
      return Promise.resolve({ outcome: 'created', note: '' });
    };
    return all.raised;
  };
  const announce = (): void => app.context.get(JobQueue, { strict: false }).announce();
  const listeners = async (): Promise<number> =>
    (
      await db.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN ingest_jobs'`,
      )
    ).length;

  it('sets it to work as soon as jobs are announced, by whichever process', async () => {
    const done = worked(2);
    await app.enqueue({});
    announce();
    const other = await db.connect();
    await app.enqueue({});
    await other.query(`SELECT pg_notify('ingest_jobs', '')`);
    await done;
  });

  it('announces many jobs of one moment once', async () => {
    const listener = await db.connect();
    const heard: string[] = [];
    const first = new Flag();
    const mark = new Flag();
    listener.on('notification', ({ payload = '' }) => {
      heard.push(payload);
      if (payload === '') first.raise();
      else mark.raise();
    });
    await listener.query('LISTEN ingest_jobs');
    for (let job = 0; job < 50; job++) announce();
    await first.raised;
    await db.query(`SELECT pg_notify('ingest_jobs', 'mark')`);
    await mark.raised;
    expect(heard).toEqual(['', 'mark']);
    await listener.end();
  });

  it('takes the next jobs whenever a slot is free, without waiting for a poll', async () => {
    await app.close();
    app = await startWorker({ WORKER_CONCURRENCY: '1' });
    handler = app.context.get(ScriptedHandler);
    const done = worked(5);
    await app.enqueue({}, {}, {}, {}, {});
    announce();
    await done;
  });

  it('listens again after its connection was taken away', async () => {
    const lost = await db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN ingest_jobs'`,
    );
    expect(lost).toHaveLength(1);
    const wakeUp = app.context.get(WakeUp, { strict: false });
    // The first check may still find the connection that is just breaking.
    for (let check = 0; check < 3 && (await listeners()) === 0; check++) await wakeUp.tick();
    const done = worked(1);
    await app.enqueue({});
    announce();
    await done;
  });

  it('works without it: polling finds everything', async () => {
    await app.close();
    app = await startWorker({ DATABASE_DIRECT_URL: 'postgresql://127.0.0.1:1/nowhere' });
    handler = app.context.get(ScriptedHandler);
    const done = worked(1);
    await app.enqueue({});
    announce();
    await drainJobs(app.context);
    await done;
    expect(app.context.get(RunningJobs, { strict: false }).size).toBe(0);
  });
});
