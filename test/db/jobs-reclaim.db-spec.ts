import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { departFailing } from '../../src/jobs/ingest-job.state.js';
import { DeparturesRepository } from '../../src/jobs/departures.repository.js';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { JobError } from '../../src/jobs/job-error.js';
import { LeasesRepository } from '../../src/jobs/leases.repository.js';
import { ReclaimWorker } from '../../src/jobs/reclaim.worker.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';
import { type JobsApp, startJobsApp } from '../harness/jobs-app.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';
import { testConfig } from '../harness/test-config.js';

const STUCK = { status: 'processing', locked_at: 1_700_000_000, attempts: 1, locked_by: 'gone' };

describe('sweeping', () => {
  let db: TestDatabase;
  let app: JobsApp;
  let sweeper: ReclaimWorker;

  beforeAll(async () => {
    db = await createTestDatabase();
    app = await startJobsApp(db.config, [ScriptedHandler]);
    sweeper = app.context.get(ReclaimWorker, { strict: false });
  });
  afterEach(async () => {
    await db.query('DROP TRIGGER IF EXISTS refuse ON ingest_jobs');
    await db.query('TRUNCATE ingest_jobs CASCADE');
  });
  afterAll(async () => {
    await app.close();
    await db.drop();
  });

  const NOTHING = { reclaimed: 0, failed: 0, spent: 0, stubborn: 0 };
  const rowOf = async (id: string | undefined): Promise<Record<string, unknown>> => {
    const [row] = await db.query(
      `SELECT status, attempts, error_code, last_error, claim_token, locked_at, next_attempt_at > 0 AS due FROM ingest_jobs WHERE id = $1`,
      [id],
    );
    return row ?? {};
  };
  const countOf = async (status: string): Promise<number> =>
    (await db.query('SELECT 1 FROM ingest_jobs WHERE status = $1', [status])).length;
  const secondWorker = (): Promise<JobsApp> =>
    startJobsApp(testConfig(db.url, { WORKER_NAME: 'second' }), [ScriptedHandler]);

  it('frees jobs whose worker went silent and says so in their history', async () => {
    const [id] = await insertJobs(db, 1, { ...STUCK, claim_token: 12, claimed_at: 1_700_000_000 });
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 1 });
    expect(await rowOf(id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      due: true,
      claim_token: '0',
      locked_at: '0',
      error_code: 'worker_lost',
    });
    const history = await db.query('SELECT result, worker, number, error_code FROM ingest_job_attempts');
    expect(history).toEqual([{ result: 'lost', worker: 'gone', number: 1, error_code: 'worker_lost' }]);
  });

  it('frees jobs that an earlier service left behind, which bear no token', async () => {
    const [first, second] = await insertJobs(db, 2, { ...STUCK, locked_by: '' });
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 2 });
    expect([await rowOf(first), await rowOf(second)]).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  });

  it('leaves a job alone whose lease has not run out yet', async () => {
    const ids = await insertJobs(db, 2, STUCK);
    await db.query(
      `UPDATE ingest_jobs SET locked_at = floor(extract(epoch FROM clock_timestamp()))::bigint - CASE id WHEN $1 THEN 298 ELSE 302 END`,
      [ids[0]],
    );
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 1 });
    expect(await rowOf(ids[0])).toMatchObject({ status: 'processing' });
  });

  it('leaves jobs of kinds that nobody here handles as they are, stuck or spent', async () => {
    const [stuck] = await insertJobs(db, 1, { ...STUCK, kind: 'unheard-of' });
    const [spent] = await insertJobs(db, 1, { kind: 'unheard-of', attempts: 3 });
    const before = [await rowOf(stuck), await rowOf(spent)];
    const [ours] = await insertJobs(db, 1, STUCK);
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 1 });
    expect([await rowOf(stuck), await rowOf(spent)]).toEqual(before);
    expect(await rowOf(ours)).toMatchObject({ status: 'pending' });
  });

  it('fails pending jobs whose attempts are spent, with a reason, and keeps what the last attempt said', async () => {
    const ids = await insertJobs(db, 250, { attempts: 3, last_error: 'the host was down' });
    const [beyond] = await insertJobs(db, 1, { attempts: 4 });
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, spent: 251 });
    expect(await rowOf(ids[0])).toMatchObject({
      status: 'failed',
      error_code: 'attempts_spent',
      last_error: 'All 3 attempts are spent. Retry it to give it new ones.\nthe host was down',
    });
    expect(await rowOf(beyond)).toMatchObject({ status: 'failed', attempts: 4 });
    expect(await countOf('pending')).toBe(0);
  });

  it('fails a job that was lost on its last attempt', async () => {
    const [id] = await insertJobs(db, 1, { ...STUCK, attempts: 3 });
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, failed: 1 });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'worker_lost', due: false });
  });

  it('rescues all others of 1,000 stuck jobs when the first 200 cannot be moved', async () => {
    // One that can be moved comes before them, so that it shares their page.
    await insertJobs(db, 1, { ...STUCK, locked_at: 5 });
    const ids = await insertJobs(db, 1_000, STUCK);
    await db.query(`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.id BETWEEN ${ids[0]} AND ${ids[199]} THEN RAISE EXCEPTION 'this row is not to be moved'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON ingest_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`);
    Logger.overrideLogger(false);
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 801, stubborn: 200 });
    expect([await countOf('pending'), await countOf('processing')]).toEqual([801, 200]);
    await db.query('DROP TRIGGER refuse ON ingest_jobs');
    expect(await sweeper.runOnce()).toEqual({ ...NOTHING, reclaimed: 200 });
  });

  it('goes on in another process when the one that swept was killed in the middle', async () => {
    const ids = await insertJobs(db, 150, STUCK);
    // A sweeper that has moved its first rows and will never commit.
    const killed = await db.connect();
    const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await killed.query('BEGIN');
    await killed.query(`UPDATE ingest_jobs SET status = 'pending', locked_at = 0 WHERE id = ANY($1)`, [
      ids.slice(0, 50),
    ]);
    const second = await secondWorker();
    const other = second.context.get(ReclaimWorker, { strict: false });
    expect(await other.runOnce()).toEqual({ ...NOTHING, reclaimed: 100 });
    await db.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    expect(await other.runOnce()).toEqual({ ...NOTHING, reclaimed: 50 });
    await second.close();
  });

  it('moves every stuck job once when several processes sweep at the same time', async () => {
    await insertJobs(db, 450, STUCK);
    const second = await secondWorker();
    const counts = await Promise.all([
      sweeper.runOnce(),
      second.context.get(ReclaimWorker, { strict: false }).runOnce(),
    ]);
    // Each passes over rows that the other is moving just now; the next sweep finds what both passed over.
    const rest = await sweeper.runOnce();
    expect([...counts, rest].reduce((sum, { reclaimed }) => sum + reclaimed, 0)).toBe(450);
    expect(await countOf('pending')).toBe(450);
    expect(await db.query('SELECT 1 FROM ingest_jobs WHERE attempts <> 1')).toEqual([]);
    await second.close();
  });
});

describe('times of the queue', () => {
  let db: TestDatabase;
  let tokyo: DataSource;

  beforeAll(async () => {
    db = await createTestDatabase();
    const options = dataSourceOptions(db.config.database, { entities: [], migrations: [] });
    tokyo = new DataSource({ ...options, extra: { options: '-c TimeZone=Asia/Tokyo' } });
    await tokyo.initialize();
  });
  afterEach(() => db.query('TRUNCATE ingest_jobs CASCADE'));
  afterAll(async () => {
    await tokyo.destroy();
    await db.drop();
  });

  it('follow the database’s clock, whatever the session’s time zone and the machine’s clock say', async () => {
    expect(await tokyo.query('SHOW TimeZone')).toEqual([{ TimeZone: 'Asia/Tokyo' }]);
    const jobs = new IngestJobsRepository(tokyo);
    const departures = new DeparturesRepository(tokyo);
    const leases = new LeasesRepository(tokyo);
    const realNow = Date.now;
    Date.now = () => realNow() + 600_000;
    try {
      const [id = ''] = await jobs.insert(tokyo.manager, [
        { kind: 'test', payload: '{}', brandId: '0', subject: '', subjectKey: '', submittedBy: 't' },
      ]);
      const [held] = await jobs.claimDue('test', 1, 'w');
      if (held === undefined) throw new Error('a new job is due at once');
      expect(await leases.reclaim([id], 300)).toEqual({ reclaimed: 0, failed: 0 });
      const ages = `SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - unnest(ARRAY[created_at, updated_at, locked_at, claimed_at]) AS age FROM ingest_jobs`;
      const seen = await db.query<{ age: string }>(ages);
      expect(seen.map(({ age }) => Number(age)).filter((age) => age < 0 || age > 5)).toEqual([]);
      await departures.depart([departFailing(held, JobError.transient('again', 'again'), 30)]);
      const [row] = await db.query<{ wait: string }>(
        'SELECT next_attempt_at - floor(extract(epoch FROM clock_timestamp()))::bigint AS wait FROM ingest_jobs',
      );
      expect(Number(row?.wait)).toBeGreaterThan(24);
      expect(Number(row?.wait)).toBeLessThanOrEqual(30);
      expect(await jobs.claimDue('test', 1, 'w')).toEqual([]);
    } finally {
      Date.now = realNow;
    }
  });

  it('are rounded down to the second: nothing is due or stuck a moment too early', async () => {
    const jobs = new IngestJobsRepository(db.dataSource);
    // In the second's later half a rounding cast would see the future.
    await db.query('SELECT pg_sleep(greatest(0, 0.6 - mod(extract(epoch FROM clock_timestamp()), 1)))');
    await insertJobs(db, 1);
    await jobs.claimDue('test', 1, 'w');
    const early = await db.query('SELECT 1 FROM ingest_jobs WHERE locked_at > extract(epoch FROM clock_timestamp())');
    expect(early).toEqual([]);
  });
});
