import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JobError } from '../../src/jobs/job-error.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { type JobsApp, startJobsApp } from '../harness/jobs-app.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { testConfig } from '../harness/test-config.js';

describe('a connection that breaks during a commit', () => {
  let db: TestDatabase;
  let proxy: TcpProxy;
  let app: JobsApp;
  let handler: ScriptedHandler;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query('CREATE TABLE archive (job_id bigint)');
    const address = new URL(db.url);
    proxy = await startTcpProxy(address.hostname, Number(address.port));
    address.port = String(proxy.port);
    app = await startJobsApp(testConfig(address.toString()), [ScriptedHandler]);
    handler = app.context.get(ScriptedHandler);
  });
  afterEach(async () => {
    handler.reset();
    await db.query('TRUNCATE ingest_jobs, archive CASCADE');
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
    await db.drop();
  });

  /** Runs one job whose commit writes a row and whose COMMIT breaks. @returns how often commit was called */
  const breakCommit = async (when: 'before' | 'after'): Promise<number> => {
    let commits = 0;
    await app.enqueue({});
    handler.commit = async (_plan, tx, job) => {
      commits++;
      await tx.query('INSERT INTO archive VALUES ($1)', [job.id]);
      if (commits === 1) proxy.breakAt('COMMIT', when);
      return { outcome: 'created', note: '' };
    };
    await app.drain();
    return commits;
  };
  const state = async (): Promise<unknown> =>
    db.query(
      `SELECT j.status, j.attempts, (SELECT count(*)::int FROM archive) AS written,
         (SELECT array_agg(result) FROM ingest_job_attempts) AS results FROM ingest_jobs j`,
    );

  it('finds a job done whose commit went through without an answer, and does it no second time', async () => {
    expect(await breakCommit('after')).toBe(1);
    expect(await state()).toEqual([{ status: 'done', attempts: 1, written: 1, results: ['done'] }]);
  });

  it('does a job again whose commit never reached the database', async () => {
    expect(await breakCommit('before')).toBe(2);
    expect(await state()).toEqual([{ status: 'done', attempts: 1, written: 1, results: ['done'] }]);
  });

  it.each(['before', 'after'] as const)('counts a failure once when its commit broke %s it was done', async (when) => {
    await app.enqueue({});
    handler.gather = () => {
      proxy.breakAt('COMMIT', when);
      return Promise.reject(JobError.transient('host_down', 'down'));
    };
    await app.drain();
    expect(await state()).toEqual([{ status: 'pending', attempts: 1, written: 0, results: ['retry'] }]);
  });
});
