import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { ClaimWorker } from '../../src/jobs/claim.worker.js';
import { HeartbeatWorker } from '../../src/jobs/heartbeat.worker.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { aborted, Flag } from '../harness/flag.js';
import { askGraphql } from '../harness/graphql.js';
import { insertJobs } from '../harness/job-rows.js';
import { drainJobs } from '../harness/jobs-app.js';
import { ScriptedHandler } from '../harness/scripted-handler.js';
import { statementsOf } from '../harness/statements.js';

type Data = Record<string, unknown>;
interface Retry {
  done: boolean;
  count: number;
  token: string | null;
  sample: { id: string; status: string }[];
  retried: number;
  skipped: number;
}

let app: TestApp;
let handler: ScriptedHandler;

beforeAll(async () => {
  app = await startTestApp({ providers: [ScriptedHandler] });
  handler = app.app.get(ScriptedHandler);
});
afterEach(async () => {
  handler.reset();
  await app.db.query('TRUNCATE brands, ingest_jobs, ingest_job_attempts, job_kind_pauses, admin_events CASCADE');
});
afterAll(() => app.close());

async function ask<D = Data>(query: string, variables: Data = {}): Promise<D> {
  const { data, errors } = await askGraphql<D>(app, query, variables);
  expect(errors).toEqual([]);
  if (data === null) throw new Error('no data');
  return data;
}

async function refused(query: string, variables: Data = {}): Promise<{ code: unknown; message: string }> {
  const { errors } = await askGraphql(app, query, variables);
  return { code: errors[0]?.extensions['code'], message: errors[0]?.message ?? '' };
}

const actions = async (): Promise<unknown[]> =>
  (await app.db.query('SELECT action FROM admin_events ORDER BY id')).map((row) => row['action']);
const statusOf = async (id: string | undefined): Promise<unknown> =>
  (await app.db.query('SELECT status FROM ingest_jobs WHERE id = $1', [id]))[0]?.['status'];

describe('the list of jobs', () => {
  const found = async (args: string): Promise<string[]> =>
    (await ask<{ jobs: { nodes: { id: string }[] } }>(`{ jobs(${args}) { nodes { id } } }`)).jobs.nodes.map(
      ({ id }) => id,
    );

  it('is filtered by whatever is combined', async () => {
    const [one = ''] = await insertJobs(app.db, 1, {
      kind: 'crawl',
      status: 'failed',
      brand_id: 5,
      submitted_by: 'vogue',
      error_code: 'payload_unreadable',
      last_error: 'The Title is missing',
      created_at: 1_764_489_600,
    });
    const [other = ''] = await insertJobs(app.db, 1, { status: 'done', outcome: 'created', note: 'missing' });
    expect(await found('first: 5')).toEqual([other, one]);
    expect(await found('text: "MISSING"')).toEqual([other, one]);
    for (const args of [
      'status: [failed]',
      'kind: ["crawl"]',
      'brandId: 5',
      'crawler: "vogue"',
      'errorCode: "payload_unreadable"',
      'createdFrom: "2025-11-30T08:00:00Z"',
      'createdFrom: "2025-11-30T08:00:00Z", createdTo: "2025-11-30T08:00:01Z"',
      'text: "title is", crawler: "vogue", status: [failed, done], brandId: 5',
    ]) {
      expect([args, await found(args)]).toEqual([args, [one]]);
    }
    expect(await found('createdFrom: "2025-11-30T08:00:00.001Z"')).toEqual([]);
    expect(await found('outcome: ["created"]')).toEqual([other]);
    expect((await refused('{ jobs(brandId: "x") { nodes { id } } }')).code).toBe('id-invalid');
  });

  it('says where to go on when it looked at enough without finding any', async () => {
    await app.db.query(
      `INSERT INTO ingest_jobs (kind, payload, status, created_at, updated_at)
       SELECT CASE WHEN n = 5 THEN 'needle' ELSE 'hay' END, '{}', 'done', 1, 1 FROM generate_series(1, 20100) AS n`,
    );
    const page = async (after: string | null) =>
      (
        await ask<{ jobs: { nodes: unknown[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } }>(
          `query ($after: String) { jobs(kind: ["needle"], after: $after) { nodes { kind } pageInfo { hasNextPage endCursor } } }`,
          { after },
        )
      ).jobs;
    const first = await page(null);
    expect(first).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } });
    const second = await page(first.pageInfo.endCursor);
    expect(second).toMatchObject({ nodes: [{ kind: 'needle' }], pageInfo: { hasNextPage: false } });
  });

  it('shows and finds a note of a megabyte, and takes a search of 10,000 characters', async () => {
    const note = `${'新建 '.repeat(150_000)}Zuletzt`;
    const [id] = await insertJobs(app.db, 1, { status: 'done', note, subject: '秀'.repeat(10_000) });
    expect(await found('text: "zULETZT"')).toEqual([id]);
    const { job } = await ask<{ job: { note: string; subject: string } }>(`{ job(id: ${id}) { note subject } }`);
    expect([job.note === note, job.subject.length]).toEqual([true, 10_000]);
    expect(await found(`text: "${'新建 '.repeat(3_300)}"`)).toEqual([id]);
    expect(await found(`text: "${'x'.repeat(10_000)}"`)).toEqual([]);
    expect(
      await found(
        String.raw`text: "a\u0000b", crawler: "\u0000", errorCode: "\u0000", kind: ["\u0000"], outcome: ["\u0000"]`,
      ),
    ).toEqual([]);
  });

  it('shows whose each is and what was sent, by one statement a field', async () => {
    const put = (value: Data) => app.app.get(BrandCatalogue, { strict: false }).put(brandEntryOf(value));
    await put({ id: 5, name: 'Burberry' });
    await put({ id: 6, name: 'Prada' });
    for (const brand_id of [5, 6, 0, 99]) await insertJobs(app.db, 3, { brand_id, payload: `{"of":${brand_id}}` });
    const query = '{ jobs(first: 50) { nodes { payload brand { name } attemptHistory { number } } } }';
    let nodes: { payload: string; brand: unknown }[] = [];
    const statements = await statementsOf(app.app, async () => {
      nodes = (await ask<{ jobs: { nodes: typeof nodes } }>(query)).jobs.nodes;
    });
    expect(nodes.map(({ payload, brand }) => [payload, brand])).toEqual(
      [
        [99, null],
        [0, null],
        [6, { name: 'Prada' }],
        [5, { name: 'Burberry' }],
      ].flatMap(([id, brand]) => Array.from({ length: 3 }, () => [JSON.stringify({ of: id }), brand])),
    );
    const without = await statementsOf(app.app, () => ask('{ jobs(first: 50) { nodes { id } } }'));
    expect(statements - without).toBe(3);
  });
});

describe('a running job', () => {
  it('shows its worker, its progress and the attempt that is under way, and all of them once it has ended', async () => {
    const begun = new Flag();
    const finish = new Flag();
    handler.gather = async (_job, { progress }) => {
      progress(12, 45);
      begun.raise();
      await finish.raised;
    };
    const [id] = await insertJobs(app.db, 1);
    const shown = async () =>
      (
        await ask<{ job: Data }>(
          `{ job(id: ${id}) { status progress worker startedAt attemptHistory { number startedAt endedAt worker result error } } }`,
        )
      ).job;
    await app.app.get(ClaimWorker, { strict: false }).runOnce();
    await begun.raised;
    await app.app.get(HeartbeatWorker, { strict: false }).tick();
    const attempt = { number: 1, startedAt: expect.any(String), worker: 'test-worker', error: null };
    expect(await shown()).toEqual({
      status: 'processing',
      progress: '12/45',
      worker: 'test-worker',
      startedAt: expect.any(String),
      attemptHistory: [{ ...attempt, endedAt: null, result: null }],
    });
    finish.raise();
    await app.app.get(RunningJobs, { strict: false }).ended();
    expect(await shown()).toEqual({
      status: 'done',
      progress: null,
      worker: null,
      startedAt: null,
      attemptHistory: [{ ...attempt, endedAt: expect.any(String), result: 'done' }],
    });
  });

  it('is aborted when it is cancelled', async () => {
    const begun = new Flag();
    handler.gather = async (_job, { signal }) => {
      begun.raise();
      await aborted(signal);
    };
    const [id] = await insertJobs(app.db, 1);
    await app.app.get(ClaimWorker, { strict: false }).runOnce();
    await begun.raised;
    expect(await ask(`mutation { cancelJobs(ids: [${id}]) { job { status } problem { code } } }`)).toEqual({
      cancelJobs: [{ job: { status: 'failed' }, problem: null }],
    });
    await app.app.get(HeartbeatWorker, { strict: false }).runOnce();
    await app.app.get(RunningJobs, { strict: false }).ended();
    expect(await statusOf(id)).toBe('failed');
    expect(await actions()).toEqual(['job.cancelled']);
  });
});

describe('retrying', () => {
  it('a job while a newer one of its show is under way is refused in words and changes nothing', async () => {
    const [old] = await insertJobs(app.db, 1, { status: 'failed', subject_key: 'show', attempts: 3, last_error: 'x' });
    const [newer] = await insertJobs(app.db, 1, { subject_key: 'show', next_attempt_at: 4_000_000_000 });
    const before = await app.db.query('SELECT * FROM ingest_jobs ORDER BY id');
    const { code, message } = await refused(`mutation { retryJob(id: ${old}) { id } }`);
    expect(code).toBe('job-superseded');
    expect(message).toContain(`the newer job ${newer} for the same show is still under way`);
    expect(await app.db.query('SELECT * FROM ingest_jobs ORDER BY id')).toEqual(before);
    expect(await actions()).toEqual([]);
  });

  it('several jobs answers for each, once and in their order', async () => {
    const [failed, superseded] = await insertJobs(app.db, 2, { status: 'failed', subject_key: 'show' });
    await app.db.query(`UPDATE ingest_jobs SET subject_key = '' WHERE id = $1`, [failed]);
    const [open] = await insertJobs(app.db, 1, { subject_key: 'show' });
    const ids = [superseded, failed, open, '999999', failed];
    const { retryJobs } = await ask<{ retryJobs: unknown }>(
      'mutation ($ids: [ID!]!) { retryJobs(ids: $ids) { id job { status attempts } problem { code } } }',
      { ids },
    );
    expect(retryJobs).toEqual([
      { id: superseded, job: null, problem: { code: 'job-superseded' } },
      { id: failed, job: { status: 'pending', attempts: 0 }, problem: null },
      { id: open, job: null, problem: { code: 'job-not-failed' } },
      { id: '999999', job: null, problem: { code: 'job-not-found' } },
    ]);
    expect(await actions()).toEqual(['job.retried']);
    const many = Array.from({ length: 101 }, (_, n) => String(n + 1));
    const query = 'mutation ($ids: [ID!]!) { retryJobs(ids: $ids) { id } }';
    expect((await refused(query, { ids: many })).code).toBe('too-many-ids');
  });

  const RETRY = `mutation ($filter: JobFilterInput!, $dryRun: Boolean!, $token: String) {
    retryFailedJobs(filter: $filter, dryRun: $dryRun, token: $token) { done count token retried skipped sample { id status } } }`;
  const look = async (filter: Data): Promise<Retry> =>
    (await ask<{ retryFailedJobs: Retry }>(RETRY, { filter, dryRun: true })).retryFailedJobs;

  it('by filter does just what the dry run saw, the newest of each show', async () => {
    const row = { status: 'failed', error_code: 'host_down', attempts: 3 };
    const ids = await insertJobs(app.db, 600, row);
    const shows = await insertJobs(app.db, 3, { ...row, subject_key: 'show' });
    const [superseded = ''] = await insertJobs(app.db, 1, { ...row, subject_key: 'open' });
    await insertJobs(app.db, 1, { subject_key: 'open', next_attempt_at: 4_000_000_000 });
    const [other = ''] = await insertJobs(app.db, 1, { ...row, error_code: 'x' });

    const filter = { errorCode: 'host_down' };
    const dry = await look(filter);
    expect(dry).toMatchObject({ done: false, count: 604, token: expect.any(String), retried: 0, skipped: 0 });
    expect(dry.sample.map(({ id }) => id)).toEqual([superseded, ...shows.toReversed(), ...ids.slice(-6).toReversed()]);
    expect(await statusOf(ids[0])).toBe('failed');
    expect(await actions()).toEqual([]);

    // One that ended otherwise meanwhile makes the set smaller, which harms nobody.
    await ask(`mutation { retryJob(id: ${ids[0]}) { id } }`);
    const { retryFailedJobs: done } = await ask<{ retryFailedJobs: Retry }>(RETRY, {
      filter,
      dryRun: false,
      token: dry.token,
    });
    expect(done).toMatchObject({ done: true, count: 603, token: null, retried: 600, skipped: 3 });
    expect(done.sample[1]).toEqual({ id: shows[2], status: 'pending' });
    expect([await statusOf(shows[0]), await statusOf(shows[1]), await statusOf(shows[2])]).toEqual([
      'failed',
      'failed',
      'pending',
    ]);
    expect([await statusOf(superseded), await statusOf(other)]).toEqual(['failed', 'failed']);
    expect(await actions()).toEqual(['job.retried', 'job.bulk_retried', 'job.bulk_retried']);
  });

  it('by filter is refused once more have failed: newer ones, and old ones in the place of others', async () => {
    const [old, first] = await insertJobs(app.db, 3, { status: 'failed' });
    await app.db.query(`UPDATE ingest_jobs SET status = 'pending' WHERE id = $1`, [old]);
    const { token } = await look({ kind: ['test'] });
    const retry = { filter: { kind: ['test'] }, dryRun: false, token };

    const now = Math.floor(Date.now() / 1000);
    await app.db.query(`UPDATE ingest_jobs SET status = 'failed', updated_at = $2 WHERE id = $1`, [old, now + 5]);
    expect((await refused(RETRY, retry)).code).toBe('set-has-grown');
    await app.db.query(`UPDATE ingest_jobs SET status = 'pending' WHERE id = $1`, [first]);
    expect((await refused(RETRY, retry)).code).toBe('set-has-grown');
    await app.db.query('DELETE FROM ingest_jobs WHERE id = $1', [old]);
    await insertJobs(app.db, 1, { status: 'failed' });
    expect((await refused(RETRY, retry)).code).toBe('set-has-grown');
    expect(await actions()).toEqual([]);
  });

  it('by filter asks for the token of that filter, and for no more than 10,000', async () => {
    await insertJobs(app.db, 1, { status: 'failed' });
    const { token } = await look({});
    for (const retry of [
      { filter: {}, dryRun: false },
      { filter: {}, dryRun: false, token: 'x' },
      { filter: { kind: ['test'] }, dryRun: false, token },
    ]) {
      expect((await refused(RETRY, retry)).code).toBe('retry-token-invalid');
    }
    expect(await look({ kind: ['none'] })).toMatchObject({ count: 0, token: null });
    await app.db.query(
      `INSERT INTO ingest_jobs (kind, payload, status, created_at, updated_at)
       SELECT 'test', '{}', 'failed', 1, 1 FROM generate_series(1, 10000)`,
    );
    expect((await refused(RETRY, { filter: {}, dryRun: true })).code).toBe('too-many-jobs');
  });
});

describe('a kind of jobs', () => {
  const counts = async (kind: string): Promise<Data | undefined> => {
    const { jobCounts } = await ask<{ jobCounts: Data[] }>(
      `{ jobCounts { kind handled due { count capped } waiting { count } running failed { count capped }
         oldestDueSeconds pause { pausedBy reason pausedAt } } }`,
    );
    return jobCounts.find((one) => one['kind'] === kind);
  };

  it('is counted by state, known here or not', async () => {
    const now = Math.floor(Date.now() / 1000);
    await insertJobs(app.db, 2, { next_attempt_at: now - 100, created_at: now - 500 });
    await insertJobs(app.db, 3, { next_attempt_at: now + 600 });
    await insertJobs(app.db, 1, { status: 'processing', locked_at: 5 });
    await insertJobs(app.db, 4, { status: 'failed' });
    await insertJobs(app.db, 1, { kind: 'nobodys', next_attempt_at: now + 600 });
    expect(await counts('test')).toEqual({
      kind: 'test',
      handled: true,
      due: { count: 2, capped: false },
      waiting: { count: 3 },
      running: 1,
      failed: { count: 4, capped: false },
      oldestDueSeconds: expect.any(Number),
      pause: null,
    });
    const late = Number((await counts('test'))?.['oldestDueSeconds']);
    expect(late).toBeGreaterThanOrEqual(100);
    expect(late).toBeLessThan(130);
    expect(await counts('nobodys')).toMatchObject({ handled: false, due: { count: 0 }, oldestDueSeconds: null });
    expect(await counts('crawl')).toMatchObject({ handled: true, due: { count: 0 }, running: 0 });
  });

  it('is begun no more while it is paused, and goes on when it is resumed', async () => {
    const [id] = await insertJobs(app.db, 1);
    const pause =
      'mutation ($reason: String!) { pauseKind(kind: "test", reason: $reason) { pause { reason pausedBy } } }';
    const first = await ask<{ pauseKind: { pause: Data } }>(pause, { reason: ' the host moves ' });
    expect(first.pauseKind.pause).toEqual({ reason: 'the host moves', pausedBy: expect.any(String) });
    expect(await ask(pause, { reason: 'another' })).toEqual(first);
    expect(await counts('test')).toMatchObject({ due: { count: 1 }, pause: { reason: 'the host moves' } });
    await drainJobs(app.app);
    expect(await statusOf(id)).toBe('pending');

    const resume = 'mutation { resumeKind(kind: "test") { kind pause { reason } } }';
    expect(await ask(resume)).toEqual({ resumeKind: { kind: 'test', pause: null } });
    expect(await ask(resume)).toEqual({ resumeKind: { kind: 'test', pause: null } });
    await drainJobs(app.app);
    expect(await statusOf(id)).toBe('done');
    expect(await actions()).toEqual(['job_kind.paused', 'job_kind.resumed']);
  });

  it('that nobody has heard of, or no reason, is refused', async () => {
    const pause = (kind: string, reason: string) =>
      refused(`mutation { pauseKind(kind: "${kind}", reason: "${reason}") { kind } }`);
    expect(await pause('tset', 'why')).toMatchObject({
      code: 'job-kind-unknown',
      message: expect.stringContaining('crawl, '),
    });
    expect((await pause('test', '  ')).code).toBe('reason-needed');
    expect((await refused('mutation { resumeKind(kind: "tset") { kind } }')).code).toBe('job-kind-unknown');
    expect(await actions()).toEqual([]);
  });
});

describe('jobs by the hour', () => {
  const AT = Date.UTC(2026, 10, 30, 8) / 1000;
  const HOURS = `query ($from: DateTime!, $to: DateTime!, $kind: [String!]) { jobsPerHour(from: $from, to: $to, kind: $kind) {
    hour arrived done failed outcomes { outcome count } } }`;
  const range = { from: '2026-11-30T08:30:00Z', to: '2026-11-30T10:00:00Z' };

  it('are what came in and what ended in each, those given up while they waited too', async () => {
    const row = { created_at: AT + 3_599, updated_at: AT + 3_600 };
    await insertJobs(app.db, 2, { ...row, status: 'done', outcome: 'created' });
    await insertJobs(app.db, 1, { ...row, status: 'done', outcome: 'noop' });
    await insertJobs(app.db, 1, { ...row, status: 'done', kind: 'other' });
    await insertJobs(app.db, 1, { ...row, updated_at: AT + 7_200, status: 'done', outcome: 'created' });
    const [waiting] = await insertJobs(app.db, 1, row);
    await ask(`mutation { cancelJob(id: ${waiting}) { id } }`);
    await app.db.query('UPDATE ingest_jobs SET updated_at = $2 WHERE id = $1', [waiting, AT + 7_199]);
    const hour = { arrived: 0, done: 0, failed: 0, outcomes: [] };
    const ended = [
      { outcome: 'created', count: 2 },
      { outcome: 'noop', count: 1 },
    ];
    expect(await ask(HOURS, range)).toEqual({
      jobsPerHour: [
        { ...hour, hour: '2026-11-30T08:00:00.000Z', arrived: 6 },
        { ...hour, hour: '2026-11-30T09:00:00.000Z', done: 4, failed: 1, outcomes: ended },
      ],
    });
    expect(await ask(HOURS, { ...range, kind: ['other'] })).toMatchObject({
      jobsPerHour: [{ arrived: 1 }, { done: 1, failed: 0, outcomes: [] }],
    });
  });

  it('are those of 31 days at most', async () => {
    expect((await refused(HOURS, { ...range, to: '2027-01-01T00:00:00Z' })).code).toBe('range-too-long');
    expect((await refused(HOURS, { ...range, to: '2026-11-01T00:00:00Z' })).code).toBe('range-invalid');
  });
});
