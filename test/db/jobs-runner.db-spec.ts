import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JobError } from '../../src/jobs/job-error.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { type JobsApp, startJobsApp } from '../harness/jobs-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';

describe('running a job', () => {
  let db: TestDatabase;
  let app: JobsApp;
  let handler: ScriptedHandler;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query('CREATE TABLE archive (job_id bigint, written_by text)');
    app = await startJobsApp(db.config, [ScriptedHandler]);
    handler = app.context.get(ScriptedHandler);
  });
  afterEach(async () => {
    handler.reset();
    await db.query('DROP TRIGGER IF EXISTS refuse ON ingest_jobs');
    await db.query('TRUNCATE ingest_jobs, archive CASCADE');
  });
  afterAll(async () => {
    await app.close();
    await db.drop();
  });

  const enqueueOne = async (): Promise<string> => (await app.enqueue({}))[0] ?? '';
  const rowOf = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await db.query(
      `SELECT status, attempts, outcome, note, error_code, last_error, brand_id, brandless, gallery_id, subject, subject_key,
         suspect, claim_token, locked_at, progress, snoozed_since > 0 AS snoozed,
         next_attempt_at - updated_at AS wait FROM ingest_jobs WHERE id = $1`,
      [id],
    );
    return row ?? {};
  };
  const resultsOf = async (id: string): Promise<string[]> => {
    const rows = await db.query<{ result: string }>(
      'SELECT result FROM ingest_job_attempts WHERE job_id = $1 ORDER BY claim_token',
      [id],
    );
    return rows.map((row) => row.result);
  };
  const writeArchive: ScriptedHandler['commit'] = async (_plan, tx, job) => {
    await tx.query('INSERT INTO archive VALUES ($1, $2)', [job.id, 'us']);
    return { outcome: 'created', note: 'written' };
  };
  const archive = (): Promise<Record<string, unknown>[]> => db.query('SELECT job_id, written_by FROM archive');
  const makeDue = (): Promise<unknown> =>
    db.query(`UPDATE ingest_jobs SET next_attempt_at = 0 WHERE status = 'pending'`);
  /** The database refuses the first so many moves of a job to a status, as it would after a deadlock or a restart. */
  const refuseMovesTo = (status: string, state: string, times: number): Promise<unknown> =>
    db.query(`
      DROP SEQUENCE IF EXISTS refusals; CREATE SEQUENCE refusals;
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.status = '${status}' AND nextval('refusals') <= ${times} THEN
          RAISE EXCEPTION 'refused' USING ERRCODE = '${state}';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON ingest_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`);

  describe('that works out', () => {
    it('keeps outcome, note and what the handler found out about the row', async () => {
      const id = await enqueueOne();
      handler.gather = (job) => Promise.resolve(`plan of ${job.id}`);
      handler.commit = (plan) =>
        Promise.resolve({
          outcome: 'noop',
          note: String(plan),
          brandId: '7',
          brandless: false,
          galleryId: '9',
          subject: 'A show',
          subjectKey: '7/2026',
          suspect: true,
        });
      await app.drain();
      expect(await rowOf(id)).toMatchObject({
        status: 'done',
        attempts: 1,
        outcome: 'noop',
        note: `plan of ${id}`,
        brand_id: '7',
        gallery_id: '9',
        subject: 'A show',
        subject_key: '7/2026',
        suspect: true,
        claim_token: '0',
        locked_at: '0',
        error_code: null,
      });
      expect(await resultsOf(id)).toEqual(['done']);
    });

    it('keeps what the row knew when the handler says nothing about it', async () => {
      const [id = ''] = await app.enqueue({ brandId: '5', subject: 'Known', subjectKey: 'k', galleryId: '3' });
      await app.drain();
      expect(await rowOf(id)).toMatchObject({ brand_id: '5', subject: 'Known', subject_key: 'k', gallery_id: '3' });
    });

    it('stores a note with characters that no column can hold', async () => {
      const id = await enqueueOne();
      handler.commit = () => Promise.resolve({ outcome: 'created', note: 'a\0b\uD800' });
      await app.drain();
      expect(await rowOf(id)).toMatchObject({ status: 'done', note: 'a\uFFFDb\uFFFD' });
    });

    it('forgets the error of an earlier attempt', async () => {
      const [id = ''] = await insertJobs(db, 1, { attempts: 1, error_code: 'earlier', last_error: 'earlier words' });
      await app.drain();
      expect(await rowOf(id)).toMatchObject({ status: 'done', attempts: 2, error_code: null, last_error: null });
    });
  });

  describe('that does not', () => {
    it('takes an outcome that the handler did not declare for a bug of it, and writes nothing', async () => {
      const id = await enqueueOne();
      handler.commit = async (...args) => ({ ...(await writeArchive(...args)), outcome: 'surprise' });
      await app.drain();
      const row = await rowOf(id);
      expect(row).toMatchObject({ status: 'pending', outcome: null, error_code: 'internal_error' });
      expect(row['last_error']).toContain('ScriptedHandler ended a job as "surprise"');
      expect(await archive()).toEqual([]);
    });

    it('tries a healing error again after 30 and 60 seconds, and fails it after the third attempt', async () => {
      const id = await enqueueOne();
      handler.gather = () => Promise.reject(JobError.transient('host_down', 'the host is down'));
      const waits: unknown[] = [];
      for (let attempt = 1; attempt <= 3; attempt++) {
        await makeDue();
        await app.drain();
        const row = await rowOf(id);
        waits.push(row['status'] === 'pending' ? Number(row['wait']) : row['status']);
      }
      expect(waits).toEqual([30, 60, 'failed']);
      expect(await rowOf(id)).toMatchObject({ attempts: 3, error_code: 'host_down', last_error: 'the host is down' });
      expect(await resultsOf(id)).toEqual(['retry', 'retry', 'failed']);
    });

    it('fails an error that cannot heal at once', async () => {
      const id = await enqueueOne();
      handler.gather = () => Promise.reject(JobError.permanent('payload_unreadable', 'not JSON\0'));
      await app.drain();
      expect(await rowOf(id)).toMatchObject({
        status: 'failed',
        attempts: 1,
        error_code: 'payload_unreadable',
        last_error: 'not JSON\uFFFD',
      });
      expect(await resultsOf(id)).toEqual(['failed']);
    });

    it('takes whatever else is thrown for an error that may heal, and keeps its words', async () => {
      const [first = '', second = ''] = await app.enqueue({ payload: 'text' }, { payload: 'error' });
      handler.gather = (job) => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what libraries really do
        return Promise.reject(job.payload === 'text' ? 'just words' : new TypeError('x is not a function'));
      };
      await app.drain();
      expect(await rowOf(first)).toMatchObject({ status: 'pending', last_error: 'just words', wait: '30' });
      expect(await rowOf(second)).toMatchObject({ last_error: 'x is not a function', error_code: 'internal_error' });
    });

    it('treats an error out of commit like one out of gather, and keeps nothing that commit wrote', async () => {
      const id = await enqueueOne();
      handler.commit = async (...args) => {
        await writeArchive(...args);
        throw JobError.permanent('refused', 'the gallery is locked');
      };
      await app.drain();
      expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'refused' });
      expect(await archive()).toEqual([]);
    });
  });

  describe('that a host asks to wait with', () => {
    it('comes back when it was told to, no later than in an hour, and the attempt is not counted', async () => {
      const [short = '', long = ''] = await app.enqueue({ payload: '90' }, { payload: '7200' });
      handler.gather = (job) => Promise.reject(JobError.snooze('host_busy', 'Retry-After', Number(job.payload)));
      await app.drain();
      expect(await rowOf(short)).toMatchObject({ status: 'pending', attempts: 0, wait: '90', snoozed: true });
      expect(await rowOf(long)).toMatchObject({ status: 'pending', attempts: 0, wait: '3600', snoozed: true });
      expect(await resultsOf(long)).toEqual(['snoozed']);
    });

    it('counts as failing once it has waited for a day together', async () => {
      const id = await enqueueOne();
      handler.gather = () => Promise.reject(JobError.snooze('host_busy', 'Retry-After', 60));
      await app.drain();
      await makeDue();
      await db.query('UPDATE ingest_jobs SET snoozed_since = snoozed_since - 86399');
      await app.drain();
      const hours = await rowOf(id);
      await makeDue();
      await db.query('UPDATE ingest_jobs SET snoozed_since = snoozed_since - 1');
      await app.drain();
      expect(hours).toMatchObject({ status: 'pending', attempts: 0, wait: '60' });
      expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 1, wait: '30', error_code: 'host_busy' });
      expect(await resultsOf(id)).toEqual(['snoozed', 'snoozed', 'retry']);
    });
  });

  describe('while the database has its troubles', () => {
    it.each(['40P01', '40001'])(
      'does the whole transaction again after %s, and gathers no second time',
      async (state) => {
        const id = await enqueueOne();
        const calls = { gather: 0, commit: 0 };
        handler.gather = () => Promise.resolve(calls.gather++);
        handler.commit = async (...args) => {
          const settlement = await writeArchive(...args);
          if (calls.commit++ === 0) {
            await args[1].query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${state}'; END $$`);
          }
          return settlement;
        };
        await app.drain();
        expect(calls).toEqual({ gather: 1, commit: 2 });
        expect(await rowOf(id)).toMatchObject({ status: 'done', attempts: 1 });
        expect(await archive()).toEqual([{ job_id: id, written_by: 'us' }]);
        expect(await resultsOf(id)).toEqual(['done']);
      },
    );

    it.each(['40P01', '40001', '57P01'])('settles a done job whose completion met %s, and goes on', async (state) => {
      await refuseMovesTo('done', state, 3);
      handler.commit = writeArchive;
      const ids = await app.enqueue({}, {}, {}, {});
      await app.drain();
      const after = await enqueueOne();
      await app.drain();
      const done = await db.query<{ id: string }>(`SELECT id FROM ingest_jobs WHERE status = 'done' ORDER BY id`);
      expect(done.map((row) => row.id)).toEqual([...ids, after]);
      expect(await archive()).toHaveLength(5);
    });

    it.each(['40P01', '40001', '57P01'])('settles a failed job whose completion met %s, and goes on', async (state) => {
      await refuseMovesTo('failed', state, 2);
      handler.gather = () => Promise.reject(JobError.permanent('broken', 'broken'));
      const ids = await app.enqueue({}, {}, {});
      await app.drain();
      const failed = await db.query(`SELECT 1 FROM ingest_jobs WHERE status = 'failed' AND error_code = 'broken'`);
      expect(failed).toHaveLength(ids.length);
      expect(await db.query(`SELECT 1 FROM ingest_job_attempts WHERE result = 'failed'`)).toHaveLength(ids.length);
    });

    it('leaves a job that no try can settle to its lease, and works on the next', async () => {
      await refuseMovesTo('failed', '40P01', 1_000);
      handler.gather = (job) =>
        job.payload === 'bad' ? Promise.reject(JobError.permanent('broken', 'broken')) : Promise.resolve();
      const [bad = '', good = ''] = await app.enqueue({ payload: 'bad' }, {});
      await app.drain();
      expect(await rowOf(bad)).toMatchObject({ status: 'processing', attempts: 1 });
      expect(await rowOf(good)).toMatchObject({ status: 'done' });
      expect(app.context.get(RunningJobs, { strict: false }).size).toBe(0);
    });
  });

  it('leaves jobs of a kind that nobody here handles as they are', async () => {
    const [foreign = ''] = await insertJobs(db, 1, { kind: 'unheard-of' });
    const before = await rowOf(foreign);
    await app.drain();
    expect(await rowOf(foreign)).toEqual(before);
  });
});
