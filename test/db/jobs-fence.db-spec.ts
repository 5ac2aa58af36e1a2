import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { DEPART_SQL, DeparturesRepository } from '../../src/jobs/departures.repository.js';
import { departDone, departFailing, departReleased } from '../../src/jobs/ingest-job.state.js';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { JobError } from '../../src/jobs/job-error.js';
import type { ClaimedJob } from '../../src/jobs/job-handler.js';
import { LeasesRepository } from '../../src/jobs/leases.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

const STUCK = 300;

describe('the fence', () => {
  let db: TestDatabase;
  let jobs: IngestJobsRepository;
  let departures: DeparturesRepository;
  let leases: LeasesRepository;

  beforeAll(async () => {
    db = await createTestDatabase();
    jobs = new IngestJobsRepository(db.dataSource);
    departures = new DeparturesRepository(db.dataSource);
    leases = new LeasesRepository(db.dataSource);
  });
  afterEach(() => db.query('TRUNCATE ingest_jobs CASCADE'));
  afterAll(() => db.drop());

  const claimOne = async (worker: string): Promise<ClaimedJob> => {
    const [job] = await jobs.claimDue('test', 1, worker);
    if (job === undefined) throw new Error('nothing was due');
    return job;
  };
  const expireLease = (id: string): Promise<unknown> =>
    db.query('UPDATE ingest_jobs SET locked_at = locked_at - 301 WHERE id = $1', [id]);
  const rowOf = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await db.query(
      `SELECT status, attempts, outcome, note, claim_token, locked_at, error_code, last_error,
         next_attempt_at - updated_at AS wait FROM ingest_jobs WHERE id = $1`,
      [id],
    );
    return row ?? {};
  };
  const attemptsOf = (id: string): Promise<{ result: string; number: number }[]> =>
    db.query('SELECT result, number FROM ingest_job_attempts WHERE job_id = $1 ORDER BY claim_token', [id]);

  /** Worker A stalls after its claim, the sweep takes the job away, worker B finishes it. */
  const lostByA = async (): Promise<{ held: ClaimedJob; id: string }> => {
    const [id = ''] = await insertJobs(db, 1);
    const held = await claimOne('a');
    await expireLease(id);
    expect(await leases.reclaim([id], STUCK)).toEqual({ reclaimed: 1, failed: 0 });
    const taken = await claimOne('b');
    await departures.depart([departDone(taken, { outcome: 'created', note: 'by b' })]);
    return { held, id };
  };

  it('lets a late success of a worker that lost its job touch nothing', async () => {
    const { held, id } = await lostByA();
    const before = await rowOf(id);
    expect(await departures.depart([departDone(held, { outcome: 'noop', note: 'by a' })])).toEqual(new Set());
    expect(await rowOf(id)).toEqual(before);
    expect(before).toMatchObject({ status: 'done', note: 'by b', attempts: 2, claim_token: '0' });
  });

  it('lets a late failure, hand-back or heartbeat of a worker that lost its job touch nothing', async () => {
    const { held, id } = await lostByA();
    const before = await rowOf(id);
    for (const late of [departFailing(held, new Error('late'), 30), departReleased(held)]) {
      expect(await departures.depart([late])).toEqual(new Set());
    }
    const sender = await db.connect();
    expect(await leases.renew(sender, [{ id, claimToken: held.claimToken, progress: '1/2' }])).toEqual(new Set());
    expect(await rowOf(id)).toEqual(before);
    expect((await attemptsOf(id)).map((attempt) => attempt.result)).toEqual(['lost', 'done']);
  });

  it('does not reopen a job that finished between the sweep’s look and its move', async () => {
    const [id = ''] = await insertJobs(db, 1);
    const held = await claimOne('a');
    await expireLease(id);
    expect(await leases.findStuck(['test'], STUCK, 10, { lockedAt: '-1', id: '0' })).toHaveLength(1);
    await departures.depart([departDone(held, { outcome: 'created', note: 'just in time' })]);
    expect(await leases.reclaim([id], STUCK)).toEqual({ reclaimed: 0, failed: 0 });
    expect(await rowOf(id)).toMatchObject({ status: 'done', note: 'just in time' });
  });

  it('does not reopen a job whose settling transaction is still open when the sweep comes', async () => {
    const [id = ''] = await insertJobs(db, 1);
    const held = await claimOne('a');
    await expireLease(id);
    const settling = await db.connect();
    await settling.query('BEGIN');
    await settling.query(DEPART_SQL, paramsOf(held));
    expect(await leases.reclaim([id], STUCK)).toEqual({ reclaimed: 0, failed: 0 });
    await settling.query('COMMIT');
    expect(await leases.reclaim([id], STUCK)).toEqual({ reclaimed: 0, failed: 0 });
    expect(await rowOf(id)).toMatchObject({ status: 'done' });
  });

  it('does not take a job whose lease was renewed between the look and the move', async () => {
    const [id = ''] = await insertJobs(db, 1);
    const held = await claimOne('a');
    await expireLease(id);
    const sender = await db.connect();
    expect(await leases.renew(sender, [{ id, claimToken: held.claimToken, progress: null }])).toEqual(new Set([id]));
    expect(await leases.reclaim([id], STUCK)).toEqual({ reclaimed: 0, failed: 0 });
  });

  it('retries after 30, 60 and then fails, by the database’s clock', async () => {
    const [id = ''] = await insertJobs(db, 1);
    const waits: unknown[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await db.query('UPDATE ingest_jobs SET next_attempt_at = 0');
      const held = await claimOne('a');
      await departures.depart([departFailing(held, JobError.transient('boom', `try ${attempt}`), 30)]);
      const row = await rowOf(id);
      waits.push(row['status'] === 'pending' ? Number(row['wait']) : row['status']);
    }
    expect(waits).toEqual([30, 60, 'failed']);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, error_code: 'boom', last_error: 'try 3' });
    expect(await attemptsOf(id)).toEqual([
      { result: 'retry', number: 1 },
      { result: 'retry', number: 2 },
      { result: 'failed', number: 3 },
    ]);
  });

  it('does not count a snooze or a hand-back, and keeps what the last real attempt said', async () => {
    const [id = ''] = await insertJobs(db, 1, { error_code: 'earlier', last_error: 'what went wrong before' });
    await departures.depart([departReleased(await claimOne('a'))]);
    expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 0, wait: '0', error_code: 'earlier' });
    await departures.depart([departFailing(await claimOne('a'), JobError.snooze('host_busy', 'wait', 7_200), 30)]);
    expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 0, wait: '3600', error_code: 'host_busy' });
    expect((await attemptsOf(id)).map((attempt) => attempt.result)).toEqual(['released', 'snoozed']);
  });

  it('fails a stuck job that has no attempt left, with a reason, and frees the others', async () => {
    const [last = ''] = await insertJobs(db, 1, { attempts: 2, next_attempt_at: 1 });
    const [fresh = ''] = await insertJobs(db, 1);
    await jobs.claimDue('test', 2, 'gone');
    await db.query('UPDATE ingest_jobs SET locked_at = locked_at - 301');
    expect(await leases.reclaim([last, fresh], STUCK)).toEqual({ reclaimed: 1, failed: 1 });
    expect(await rowOf(last)).toMatchObject({ status: 'failed', error_code: 'worker_lost', claim_token: '0' });
    expect(await rowOf(fresh)).toMatchObject({ status: 'pending', attempts: 1, locked_at: '0' });
  });

  it('settles a batch in one statement and says which jobs were still held', async () => {
    await insertJobs(db, 3);
    const held = await jobs.claimDue('test', 3, 'a');
    const [first, second, third] = held;
    if (!first || !second || !third) throw new Error('three were due');
    await db.query('UPDATE ingest_jobs SET claim_token = claim_token + 1000 WHERE id = $1', [second.id]);
    const left = await departures.depart([
      departReleased(third),
      departReleased(second),
      departDone(first, { outcome: 'noop', note: '' }),
    ]);
    expect(left).toEqual(new Set([first.id, third.id]));
    expect(await rowOf(second.id)).toMatchObject({ status: 'processing' });
  });

  it('finds a cancelled job cancelled, whoever held it', async () => {
    const [id = ''] = await insertJobs(db, 1);
    const held = await claimOne('a');
    expect(await departures.cancel(id, 'Cancelled by an editor')).toBe(true);
    expect(await departures.depart([departDone(held, { outcome: 'noop', note: '' })])).toEqual(new Set());
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'cancelled' });
    expect((await attemptsOf(id)).map((attempt) => attempt.result)).toEqual(['cancelled']);
    const tokens = await leases.heldTokens(await db.connect(), [id]);
    expect(tokens.get(id)).toEqual({ token: '0', cancelled: true });
    expect(await departures.cancel(id, 'again')).toBe(false);
  });

  it('gives back, uncounted, what an earlier life of the same worker held, and nothing of this life or of others', async () => {
    const [mine = '', others = '', now = ''] = await insertJobs(db, 3);
    await claimOne('w');
    await claimOne('someone else');
    const held = await claimOne('w');
    expect(await leases.releaseEarlierLife('w', [held.claimToken])).toBe(1);
    expect(await rowOf(mine)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await rowOf(others)).toMatchObject({ status: 'processing', attempts: 1 });
    expect(await rowOf(now)).toMatchObject({ status: 'processing', attempts: 1 });
  });

  it('never deadlocks heartbeats, settling and sweeping of the same rows', async () => {
    const ids = await insertJobs(db, 40);
    const held = await jobs.claimDue('test', 40, 'a');
    const shuffled = <T>(list: readonly T[]): T[] => [...list].sort(() => Math.random() - 0.5);
    const clients: pg.Client[] = await Promise.all([1, 2, 3, 4].map(() => db.connect()));
    const rounds = 60;
    await Promise.all([
      ...clients.map(async (client) => {
        for (let round = 0; round < rounds; round++) {
          await leases.renew(
            client,
            shuffled(held).map((job) => ({ id: job.id, claimToken: job.claimToken, progress: null })),
          );
        }
      }),
      (async () => {
        for (let round = 0; round < rounds; round++) {
          await db.query('UPDATE ingest_jobs SET locked_at = 1 WHERE id = $1', [ids[round % ids.length]]);
          await leases.reclaim(shuffled(ids), STUCK);
        }
      })(),
      ...[0, 1].map(async (half) => {
        for (let round = 0; round < rounds; round++) {
          await departures.depart(shuffled(held.filter((_, index) => index % 2 === half)).map(departReleased));
        }
      }),
    ]);
    const open = await db.query(`SELECT 1 FROM ingest_jobs WHERE status NOT IN ('pending', 'processing')`);
    expect(open).toEqual([]);
  }, 60_000);

  function paramsOf(job: ClaimedJob): unknown[] {
    return [
      [job.id],
      [job.claimToken],
      ['done'],
      ['done'],
      [0],
      [0],
      [null],
      [null],
      ['created'],
      ['late'],
      [null],
      [null],
      [null],
      [null],
      [null],
      [false],
    ];
  }
});
