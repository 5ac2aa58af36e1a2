import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { HeartbeatWorker } from '../../src/jobs/heartbeat.worker.js';
import { JobsService } from '../../src/jobs/jobs.service.js';
import { ClaimWorker } from '../../src/jobs/claim.worker.js';
import { ReclaimWorker } from '../../src/jobs/reclaim.worker.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import { CONFIG, type Config } from '../../src/platform/config/config.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { aborted, Flag } from '../harness/flag.js';
import { type JobsApp, startJobsApp } from '../harness/jobs-app.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';
import { testConfig } from '../harness/test-config.js';

describe('a job that leaves its worker in the middle', () => {
  let db: TestDatabase;
  const apps: JobsApp[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query('CREATE TABLE archive (job_id bigint, written_by text)');
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await db.query('TRUNCATE ingest_jobs, archive CASCADE');
  });
  afterAll(() => db.drop());

  /** A worker process of its own, whose commits sign what they write with its name. */
  const startWorker = async (name: string, env: Record<string, string> = {}): Promise<JobsApp & Worker> => {
    const app = await startJobsApp(testConfig(db.url, { WORKER_NAME: name, ...env }), [ScriptedHandler]);
    apps.push(app);
    const handler = app.context.get(ScriptedHandler);
    handler.commit = async (_plan, tx, job) => {
      await tx.query('INSERT INTO archive VALUES ($1, $2)', [job.id, name]);
      return { outcome: 'created', note: `by ${name}` };
    };
    const get: Worker['get'] = (type) => app.context.get(type, { strict: false });
    return { ...app, handler, get };
  };
  interface Worker {
    handler: ScriptedHandler;
    get: <T>(type: new (...args: never[]) => T) => T;
  }

  /** Claims the one job there is and lets it stand in the middle of its gather. */
  const hold = async ({ handler, get }: Worker): Promise<{ signal: AbortSignal; finish: () => void }> => {
    const begun = new Flag<AbortSignal>();
    const end = new Flag();
    handler.gather = async (_job, { signal }) => {
      begun.raise(signal);
      await Promise.race([end.raised, aborted(signal)]);
    };
    await get(ClaimWorker).runOnce();
    return { signal: await begun.raised, finish: () => end.raise() };
  };
  const rows = (): Promise<Record<string, unknown>[]> =>
    db.query(`SELECT status, attempts, note, error_code, claim_token, locked_at,
      next_attempt_at <= floor(extract(epoch FROM clock_timestamp())) AS due FROM ingest_jobs`);
  const results = async (): Promise<unknown[]> =>
    (await db.query('SELECT result FROM ingest_job_attempts ORDER BY claim_token')).map((row) => row['result']);
  const archive = (): Promise<unknown[]> => db.query('SELECT written_by FROM archive');
  /** What the process's own metric says. */
  const settledAs = async (result: string, { get }: Worker): Promise<number> => {
    const metric = await get(Metrics).registry.getSingleMetric('jobs_settled_total')?.get();
    return metric?.values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
  };

  it('aborts a cancelled job at the next heartbeat, and writes nothing for it', async () => {
    const a = await startWorker('a');
    const [id = ''] = await a.enqueue({});
    const { signal } = await hold(a);
    await a.get(JobsService).cancel(id, { ...COMMAND_LINE, name: 'ana' });
    expect(signal.aborted).toBe(false);
    expect(await a.get(HeartbeatWorker).runOnce()).toEqual({ renewed: 0, lost: 1 });
    expect(signal.reason).toBe('cancelled');
    await a.get(RunningJobs).ended();
    expect(await rows()).toMatchObject([{ status: 'failed', error_code: 'cancelled', attempts: 1 }]);
    expect(await results()).toEqual(['cancelled']);
    expect(await archive()).toEqual([]);
  });

  it('writes nothing for a cancelled job that reaches its commit before the next heartbeat', async () => {
    const a = await startWorker('a');
    const [id = ''] = await a.enqueue({});
    const { finish } = await hold(a);
    await a.get(JobsService).cancel(id, { ...COMMAND_LINE, name: 'ana' });
    finish();
    await a.get(RunningJobs).ended();
    expect(await rows()).toMatchObject([{ status: 'failed', error_code: 'cancelled' }]);
    expect(await archive()).toEqual([]);
  });

  it('rolls back what a worker wrote for a job that another has taken over and finished meanwhile', async () => {
    const [a, b] = [await startWorker('a'), await startWorker('b')];
    await a.enqueue({});
    const { finish } = await hold(a);
    await db.query('UPDATE ingest_jobs SET locked_at = locked_at - 301');
    expect(await b.get(ReclaimWorker).runOnce()).toMatchObject({ reclaimed: 1 });
    await b.drain();
    const settled = await rows();
    finish();
    await a.get(RunningJobs).ended();
    expect(await archive()).toEqual([{ written_by: 'b' }]);
    expect(await rows()).toEqual(settled);
    expect(settled).toMatchObject([{ status: 'done', note: 'by b', attempts: 2 }]);
    expect(await results()).toEqual(['lost', 'done']);
    expect([await settledAs('lost', a), await settledAs('lost', b)]).toEqual([1, 0]);
  });

  it('does not fail a job that another worker is working on by now', async () => {
    const [a, b] = [await startWorker('a'), await startWorker('b')];
    await a.enqueue({});
    const { signal } = await hold(a);
    await db.query('UPDATE ingest_jobs SET locked_at = locked_at - 301');
    await b.get(ReclaimWorker).runOnce();
    const { finish } = await hold(b);
    const before = await rows();
    a.get(RunningJobs).abortAll('stopping');
    await a.get(RunningJobs).ended();
    expect(signal.aborted).toBe(true);
    expect(await rows()).toEqual(before);
    finish();
    await b.get(RunningJobs).ended();
    expect(await archive()).toEqual([{ written_by: 'b' }]);
  });

  it('hands its jobs back when the process stops: not counted, and due at once for the next worker', async () => {
    const a = await startWorker('a');
    await a.enqueue({});
    const { signal } = await hold(a);
    await a.close();
    apps.length = 0;
    expect(signal.reason).toBe('stopping');
    expect(await rows()).toMatchObject([
      { status: 'pending', attempts: 0, due: true, claim_token: '0', locked_at: '0' },
    ]);
    expect(await results()).toEqual(['released']);
    const b = await startWorker('b');
    await b.drain();
    expect(await archive()).toEqual([{ written_by: 'b' }]);
  });

  it('lets a job that is at its commit when the process stops end well', async () => {
    const a = await startWorker('a');
    await a.enqueue({});
    const inCommit = new Flag();
    const goOn = new Flag();
    const write = a.handler.commit;
    a.handler.commit = async (...args) => {
      inCommit.raise();
      await goOn.raised;
      return write(...args);
    };
    await a.get(ClaimWorker).runOnce();
    await inCommit.raised;
    const closed = a.close();
    apps.length = 0;
    goOn.raise();
    await closed;
    expect(await rows()).toMatchObject([{ status: 'done', note: 'by a' }]);
    expect(await archive()).toEqual([{ written_by: 'a' }]);
  });

  it('takes the jobs of a handler that ignores the stop back after the grace time', async () => {
    const a = await startWorker('a', { SHUTDOWN_GRACE_SECONDS: '1' });
    await a.enqueue({});
    const begun = new Flag();
    const end = new Flag();
    a.handler.gather = async () => {
      begun.raise();
      await end.raised;
    };
    await a.get(ClaimWorker).runOnce();
    await begun.raised;
    await a.close();
    apps.length = 0;
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0, due: true }]);
    end.raise();
    await a.get(RunningJobs).ended();
    expect(await archive()).toEqual([]);
    expect(await results()).toEqual(['released']);
  });

  it('claims nothing more once it was told to stop', async () => {
    const a = await startWorker('a');
    await a.close();
    apps.length = 0;
    const b = await startWorker('b');
    await b.enqueue({});
    expect(await a.get(ClaimWorker).runOnce()).toEqual({ claimed: 0 });
    await b.drain();
    expect(await archive()).toEqual([{ written_by: 'b' }]);
  });

  it('claims nothing while its heartbeat does not get through, and goes on when it does', async () => {
    const a = await startWorker('a');
    const config = a.context.get<Config>(CONFIG, { strict: false });
    const { url } = config.database;
    await a.enqueue({});
    const { signal } = await hold(a);
    config.database.url = 'postgresql://127.0.0.1:1/nowhere';
    const heartbeat = a.get(HeartbeatWorker);
    for (let miss = 0; miss < 3; miss++) await expect(heartbeat.runOnce()).rejects.toThrow();
    expect(signal.reason).toBe('lost');
    await a.enqueue({});
    expect(await a.get(ClaimWorker).runOnce()).toEqual({ claimed: 0 });
    config.database.url = url;
    expect(await heartbeat.runOnce()).toEqual({ renewed: 0, lost: 0 });
    expect(await a.get(ClaimWorker).runOnce()).toEqual({ claimed: 1 });
  });

  it('takes up at its start what an earlier life of the same worker held when it was killed', async () => {
    const a = await startWorker('stable');
    await a.enqueue({});
    const { finish } = await hold(a);
    const again = await startWorker('stable');
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0, due: true }]);
    await again.drain();
    finish();
    await a.get(RunningJobs).ended();
    expect(await archive()).toEqual([{ written_by: 'stable' }]);
    expect(await results()).toEqual(['released', 'done']);
  });
});
