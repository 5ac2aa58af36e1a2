import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

describe('claiming', () => {
  let db: TestDatabase;
  let jobs: IngestJobsRepository;

  beforeAll(async () => {
    db = await createTestDatabase();
    jobs = new IngestJobsRepository(db.dataSource);
  });
  afterEach(() => db.query('TRUNCATE ingest_jobs CASCADE'));
  afterAll(() => db.drop());

  it('never gives one row to two claimers, and every due row to one of them', async () => {
    await insertJobs(db, 300);
    const claims = await Promise.all(
      Array.from({ length: 8 }, async (_, claimer) => {
        const mine: string[] = [];
        for (;;) {
          const claimed = await jobs.claimDue('test', 7, `claimer-${claimer}`);
          if (claimed.length === 0) return mine;
          mine.push(...claimed.map((job) => job.id));
        }
      }),
    );
    const all = claims.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(300);
  });

  it('takes no more than the limit even when the planner is forced into a nested loop', async () => {
    await insertJobs(db, 50);
    const client = await db.connect();
    await client.query('SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off');
    const { CLAIM_SQL } = await import('../../src/jobs/ingest-jobs.repository.js');
    const { rowCount } = await client.query(CLAIM_SQL, ['test', 5, 'limited']);
    expect(rowCount).toBe(5);
    expect(await db.query(`SELECT 1 FROM ingest_jobs WHERE status = 'processing'`)).toHaveLength(5);
  });

  it('gives the oldest due first, nothing that is not due, and nothing of another kind', async () => {
    const [early, late] = await insertJobs(db, 2, { kind: 'test' });
    await db.query('UPDATE ingest_jobs SET next_attempt_at = 10 WHERE id = $1', [late]);
    await db.query('UPDATE ingest_jobs SET next_attempt_at = 20 WHERE id = $1', [early]);
    const [future] = await insertJobs(db, 1, { next_attempt_at: 4_000_000_000 });
    const [other] = await insertJobs(db, 1, { kind: 'other' });
    const claimed = await jobs.claimDue('test', 10, 'w');
    expect(claimed.map((job) => job.id)).toEqual([late, early]);
    const left = await db.query<{ id: string }>(`SELECT id FROM ingest_jobs WHERE status = 'pending' ORDER BY id`);
    expect(left.map((row) => row.id)).toEqual([future, other]);
  });

  it('counts the attempt, leases the row and gives a token that never came before', async () => {
    await insertJobs(db, 1);
    const [first] = await jobs.claimDue('test', 1, 'w');
    await db.query(`UPDATE ingest_jobs SET status = 'pending', claim_token = 0, locked_at = 0`);
    const [second] = await jobs.claimDue('test', 1, 'w');
    expect(first?.attempt).toBe(1);
    expect(second?.attempt).toBe(2);
    expect(BigInt(second?.claimToken ?? 0)).toBeGreaterThan(BigInt(first?.claimToken ?? 0));
    const [row] = await db.query(`SELECT locked_at > 0 AS leased, locked_by, status FROM ingest_jobs`);
    expect(row).toEqual({ leased: true, locked_by: 'w', status: 'processing' });
  });

  it('leaves a pending row alone whose attempts are spent', async () => {
    await insertJobs(db, 1, { attempts: 3 });
    expect(await jobs.claimDue('test', 10, 'w')).toEqual([]);
  });

  it('works with ids beyond 2^31 and 2^53', async () => {
    for (const start of ['2147483647', '9007199254740991']) {
      await db.query(`SELECT setval(pg_get_serial_sequence('ingest_jobs', 'id'), $1)`, [start]);
      const ids = await jobs.insert(db.dataSource.manager, [
        { kind: 'test', payload: '{}', brandId: '0', subject: '', subjectKey: '', submittedBy: 't' },
      ]);
      expect(ids).toEqual([String(BigInt(start) + 1n)]);
      expect((await jobs.claimDue('test', 1, 'w')).map((job) => job.id)).toEqual(ids);
    }
  });
});
