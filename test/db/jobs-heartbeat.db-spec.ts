import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { HeartbeatWorker } from '../../src/jobs/heartbeat.worker.js';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { LeasesRepository } from '../../src/jobs/leases.repository.js';
import { RunningJobs, type RunningJob } from '../../src/jobs/running-jobs.js';
import type { Config } from '../../src/platform/config/config.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { aborted } from '../harness/flag.js';
import { insertJobs } from '../harness/job-rows.js';
import { TestClock } from '../harness/test-clock.js';

// Nothing listens there, so a connection is refused at once.
const NOWHERE = 'postgresql://127.0.0.1:1/nowhere';

describe('the heartbeat', () => {
  let db: TestDatabase;
  let jobs: IngestJobsRepository;
  let leases: LeasesRepository;
  let running: RunningJobs;
  let clock: TestClock;
  let config: Config;
  let worker: HeartbeatWorker;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    db = await createTestDatabase({ DB_POOL_SIZE: '2' });
    jobs = new IngestJobsRepository(db.dataSource);
    leases = new LeasesRepository(db.dataSource);
  });
  beforeEach(() => {
    running = new RunningJobs();
    clock = new TestClock();
    config = { ...db.config, database: { ...db.config.database } };
    worker = new HeartbeatWorker(leases, running, clock, config);
  });
  afterEach(async () => {
    running.abortAll('stopping');
    worker.onApplicationShutdown();
    await running.ended();
    await db.query('TRUNCATE ingest_jobs CASCADE');
  });
  afterAll(() => db.drop());

  /** Claims jobs and works on them until they are aborted. */
  const hold = async (count: number): Promise<RunningJob[]> => {
    await insertJobs(db, count);
    for (const job of await jobs.claimDue('test', count, 'w')) {
      void running.track(job, async ({ signal }) => void (await aborted(signal)));
    }
    return running.list();
  };
  const age = (seconds: number): Promise<unknown> =>
    db.query('UPDATE ingest_jobs SET locked_at = locked_at - $1', [seconds]);
  const ages = async (): Promise<number[]> => {
    const rows = await db.query<{ age: string }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - locked_at AS age FROM ingest_jobs ORDER BY id',
    );
    return rows.map((row) => Number(row.age));
  };
  const reasons = (held: readonly RunningJob[]): unknown[] =>
    held.map(({ signal }) => (signal.aborted ? signal.reason : 'working'));
  const one = async (): Promise<RunningJob> => {
    const [held] = await hold(1);
    if (held === undefined) throw new Error('one job was due');
    return held;
  };
  const fresh = (seconds: number): boolean => seconds < 30;
  const lockRow = async (id: string): Promise<pg.Client> => {
    const other = await db.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM ingest_jobs WHERE id = $1 FOR UPDATE', [id]);
    return other;
  };
  /** Takes the worker's next connections away, and no others. */
  const breakItsConnection = async (): Promise<void> => {
    config.database.url = NOWHERE;
    await db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%unnest($1::bigint[], $2::bigint[], $3::varchar[])%' AND pid <> pg_backend_pid()`,
    );
  };
  const miss = (): Promise<boolean> =>
    worker.runOnce().then(
      () => false,
      () => true,
    );

  it('renews the leases of all jobs of the process', async () => {
    await hold(3);
    await age(200);
    expect(await worker.runOnce()).toEqual({ renewed: 3, lost: 0 });
    expect((await ages()).every(fresh)).toBe(true);
  });

  it('shows how far each job is, and keeps showing it when a later heartbeat has nothing new', async () => {
    const [first, second] = await hold(2);
    if (!first || !second) throw new Error('two jobs were due');
    running.progressed(first, 3, 40);
    await worker.runOnce();
    await worker.runOnce();
    const rows = await db.query('SELECT progress FROM ingest_jobs ORDER BY id');
    expect(rows).toEqual([{ progress: '3/40' }, { progress: null }]);
  });

  it('keeps every lease although one handler reports a progress that no column holds', async () => {
    const [odd] = await hold(2);
    if (!odd) throw new Error('jobs were due');
    running.progressed(odd, 0.1 + 0.2, Math.PI * 1e21);
    expect(await worker.runOnce()).toEqual({ renewed: 2, lost: 0 });
  });

  it('passes over a row that somebody holds just now, and does not call it lost', async () => {
    const held = await hold(2);
    await age(100);
    const other = await lockRow(held[0]?.job.id ?? '');
    expect(await worker.runOnce()).toEqual({ renewed: 1, lost: 0 });
    expect(reasons(held)).toEqual(['working', 'working']);
    await other.query('ROLLBACK');
    expect(await worker.runOnce()).toEqual({ renewed: 2, lost: 0 });
  });

  it('aborts the work on a job that bears another token by now, and on no other', async () => {
    const held = await hold(2);
    await db.query('UPDATE ingest_jobs SET claim_token = claim_token + 1000 WHERE id = $1', [held[0]?.job.id]);
    expect(await worker.runOnce()).toEqual({ renewed: 1, lost: 1 });
    expect(reasons(held)).toEqual(['lost', 'working']);
  });

  it('aborts the work on a job whose row is gone', async () => {
    const job = await one();
    await db.query('DELETE FROM ingest_jobs');
    expect(await worker.runOnce()).toEqual({ renewed: 0, lost: 1 });
    expect(reasons([job])).toEqual(['lost']);
  });

  it('works while every connection of the pool is busy', async () => {
    await hold(1);
    await age(100);
    const busy = [db.dataSource.createQueryRunner(), db.dataSource.createQueryRunner()];
    await Promise.all(busy.map((runner) => runner.startTransaction()));
    try {
      expect(await worker.runOnce()).toEqual({ renewed: 1, lost: 0 });
    } finally {
      await Promise.all(busy.map((runner) => runner.rollbackTransaction().then(() => runner.release())));
    }
  });

  it('makes itself a new connection when the old one broke', async () => {
    const job = await one();
    await worker.runOnce();
    const { url } = config.database;
    await breakItsConnection();
    config.database.url = url;
    for (let missed = 0; (await miss()) && missed < 2; missed++);
    expect(await worker.runOnce()).toEqual({ renewed: 1, lost: 0 });
    expect(reasons([job])).toEqual(['working']);
  });

  it('calls off all work after three misses in a row, long before anybody takes the jobs over', async () => {
    const held = await hold(2);
    await worker.runOnce();
    await breakItsConnection();
    expect([await miss(), await miss()]).toEqual([true, true]);
    expect(reasons(held)).toEqual(['working', 'working']);
    expect(await miss()).toBe(true);
    expect(reasons(held)).toEqual(['lost', 'lost']);
    expect(3 * config.jobs.heartbeatSeconds).toBeLessThan(config.jobs.stuckSeconds);
  });

  it('counts misses in a row only', async () => {
    const held = await hold(1);
    for (let round = 0; round < 3; round++) {
      const { url } = config.database;
      await breakItsConnection();
      expect([await miss(), await miss()]).toEqual([true, true]);
      config.database.url = url;
      expect(await worker.runOnce()).toEqual({ renewed: 1, lost: 0 });
    }
    expect(reasons(held)).toEqual(['working']);
  });

  it('lets misses span real time, however much progress there is to tell', async () => {
    const job = await one();
    await breakItsConnection();
    for (let tick = 0; tick < 5; tick++) {
      running.progressed(job, tick, 5);
      await worker.tick();
    }
    expect(reasons([job])).toEqual(['working']);
  });

  it('is due every heartbeat period, and at once when there is progress to tell', async () => {
    const job = await one();
    await age(100);
    await worker.tick();
    expect((await ages()).every(fresh)).toBe(true);
    await age(100);
    await worker.tick();
    expect((await ages()).every(fresh)).toBe(false);
    running.progressed(job, 1, 2);
    await worker.tick();
    expect((await ages()).every(fresh)).toBe(true);
    await age(100);
    clock.forward(config.jobs.heartbeatSeconds);
    await worker.tick();
    expect((await ages()).every(fresh)).toBe(true);
  });

  it('is due although the machine’s clock was set back meanwhile', async () => {
    await hold(1);
    await worker.tick();
    await age(100);
    clock.set(1_000_000);
    clock.forward(config.jobs.heartbeatSeconds);
    await worker.tick();
    expect((await ages()).every(fresh)).toBe(true);
  });
});
