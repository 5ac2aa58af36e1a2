import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

describe('the queue’s table', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it.each([
    ['a status that nobody knows', { status: 'paused' }, 'ingest_jobs_status_check'],
    ['a running job without a lease', { status: 'processing', locked_at: 0 }, 'ingest_jobs_processing_locked_check'],
    [
      'an outcome of a job that is not done',
      { status: 'failed', outcome: 'created' },
      'ingest_jobs_outcome_done_check',
    ],
    ['a job that somebody holds and nobody works on', { claim_token: 5 }, 'ingest_jobs_claim_token_check'],
    ['fewer than no attempts', { attempts: -1 }, 'ingest_jobs_attempts_check'],
  ])('refuses %s', async (_what, row, constraint) => {
    await expect(insertJobs(db, 1, row)).rejects.toMatchObject({ code: '23514', constraint });
  });

  it.each([
    ['status', `status = 'paused', claim_token = 0`, 'ingest_jobs_status_check'],
    ['lease', 'locked_at = 0', 'ingest_jobs_processing_locked_check'],
    ['outcome', `outcome = 'created'`, 'ingest_jobs_outcome_done_check'],
    ['token', `status = 'pending'`, 'ingest_jobs_claim_token_check'],
  ])('refuses to bring a running job into a state that cannot be: %s', async (_what, change, constraint) => {
    const [id] = await insertJobs(db, 1, { status: 'processing', locked_at: 5, claim_token: 9 });
    await expect(db.query(`UPDATE ingest_jobs SET ${change} WHERE id = $1`, [id])).rejects.toMatchObject({
      constraint,
    });
  });

  it('takes kinds that nobody here knows, since modules add them', async () => {
    expect(await insertJobs(db, 1, { kind: 'later-module' })).toHaveLength(1);
  });

  it('refuses two ends of one claim, and an end that nobody knows', async () => {
    const [id] = await insertJobs(db, 1);
    const end = `INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result) VALUES ($1, 1, 1, 1, 1, 'w', $2)`;
    await db.query(end, [id, 'done']);
    await expect(db.query(end, [id, 'lost'])).rejects.toMatchObject({ constraint: 'ingest_job_attempts_pkey' });
    await expect(db.query(end.replace('$1, 1', '$1, 2'), [id, 'vanished'])).rejects.toMatchObject({
      constraint: 'ingest_job_attempts_result_check',
    });
    await expect(db.query(end, ['999999999', 'done'])).rejects.toMatchObject({
      constraint: 'ingest_job_attempts_job_id_fkey',
    });
  });
});
