import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { type Answer, codeOf, read, signedHeaders, signedPost } from '../harness/signed-post.js';
import { TestClock } from '../harness/test-clock.js';

const DEPTH = 20;
const LATE_SECONDS = 3_600;
const LOCK_MS = 300;
const WAIT_MS = 1_500;
/** Longest that an answer may take while a table is held: what the door allows, and what a busy machine adds. */
const BOUND_MS = WAIT_MS + 1_500;

const clock = new TestClock();
let intake: TestApp;

beforeAll(async () => {
  intake = await startIntakeApp({
    clock,
    env: {
      INTAKE_MAX_QUEUE_DEPTH: String(DEPTH),
      INTAKE_MAX_QUEUE_AGE_SECONDS: String(LATE_SECONDS),
      INTAKE_LOCK_TIMEOUT_MS: String(LOCK_MS),
      INTAKE_DATABASE_WAIT_MS: String(WAIT_MS),
      INTAKE_RATE_BURST: '1000000',
      INTAKE_MAX_401_PER_MINUTE: '5',
      INTAKE_MAX_IN_FLIGHT: '500',
      TRUST_PROXY: '127.0.0.1',
    },
  });
});

afterAll(() => intake.close());

afterEach(() => intake.db.query('TRUNCATE ingest_jobs, job_kind_pauses CASCADE'));

const ask = (path: string, type: string, data: unknown): Promise<Answer> =>
  post({ type, timestamp: '2026-11-30T08:00:00Z', data }, { path: `/ingest/${path}` });

const post = (body: unknown = show(), { path = '/ingest', id = '' } = {}): Promise<Answer> =>
  signedPost(intake.url + path, body, { timestamp: clock.timestamp(), ...(id === '' ? {} : { id }) });

/** Past what a process remembers of the queue. */
const lookAgain = (): void => clock.forward(1);

const now = (): number => Math.floor(Date.now() / 1000);

describe('a queue', () => {
  it('that is deeper than configured is answered 503 with Retry-After, and leaves nothing behind', async () => {
    await insertJobs(intake.db, DEPTH, { kind: 'test-show', next_attempt_at: now() + 600 });
    lookAgain();
    const answer = await post(show(), { id: 'msg_too_deep' });
    expect(codeOf(answer)).toBe('503 intake-saturated');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answer.body['detail']).toMatch(/20 jobs/);
    expect(await intake.db.query('SELECT 1 FROM ingest_messages WHERE message_id = $1', ['msg_too_deep'])).toEqual([]);
    expect(await intake.db.query('SELECT 1 FROM ingest_jobs')).toHaveLength(DEPTH);

    await intake.db.query(`UPDATE ingest_jobs SET status = 'done' WHERE id = (SELECT min(id) FROM ingest_jobs)`);
    lookAgain();
    expect(await post(show(), { id: 'msg_too_deep' })).toMatchObject({ status: 202, body: { duplicate: false } });
  });

  it('whose first job is later than configured is answered 503', async () => {
    const [first] = await insertJobs(intake.db, 1, { kind: 'test-show', next_attempt_at: now() - LATE_SECONDS - 10 });
    lookAgain();
    expect(codeOf(await post())).toBe('503 intake-saturated');
    await intake.db.query('UPDATE ingest_jobs SET next_attempt_at = $2 WHERE id = $1', [first, now() - 10]);
    lookAgain();
    expect((await post()).status).toBe(202);
  });

  it('without due times, as rows from before have them, is as late as its jobs are old', async () => {
    await insertJobs(intake.db, 1, { kind: 'test-show', next_attempt_at: 0, created_at: now() - 10 });
    lookAgain();
    expect((await post()).status).toBe(202);
    await insertJobs(intake.db, 1, { kind: 'test-show', next_attempt_at: 0, created_at: now() - LATE_SECONDS - 10 });
    await intake.db.query('DELETE FROM ingest_jobs WHERE created_at > $1', [now() - 60]);
    lookAgain();
    expect(codeOf(await post())).toBe('503 intake-saturated');
  });

  it('that is paused grows as old as it will, but no deeper than configured', async () => {
    await intake.db.query(
      `INSERT INTO job_kind_pauses (kind, paused_at, paused_by, reason) VALUES ('test-show', 1, 'ana', 'x')`,
    );
    const [first] = await insertJobs(intake.db, DEPTH, {
      kind: 'test-show',
      next_attempt_at: now() - LATE_SECONDS - 10,
    });
    lookAgain();
    expect(codeOf(await post())).toBe('503 intake-saturated');
    await intake.db.query('DELETE FROM ingest_jobs WHERE id <> $1', [first]);
    lookAgain();
    expect((await post()).status).toBe(202);
  });

  it('of another kind, or of one that nobody sends, closes no door', async () => {
    await insertJobs(intake.db, DEPTH, { kind: 'test-street', next_attempt_at: 1 });
    await insertJobs(intake.db, 2 * DEPTH, { kind: 'nobody', next_attempt_at: 1 });
    lookAgain();
    expect((await post()).status).toBe(202);
    expect(codeOf(await post(show({ brand: undefined }, 'test.street')))).toBe('503 intake-saturated');
  });

  it('that is full still answers what it took before, what is wrong, and what is asked', async () => {
    const first = await post(show(), { id: 'msg_taken_before' });
    await insertJobs(intake.db, DEPTH, { kind: 'test-show' });
    lookAgain();
    const again = await post(show(), { id: 'msg_taken_before' });
    expect(again).toMatchObject({ status: 202, body: { duplicate: true, job_id: first.body['job_id'] } });
    expect(codeOf(await post(show({ title: 1 })))).toBe('422 schema-invalid');
    expect(codeOf(await post(show({ brand: 'Nobody' })))).toBe('422 brand-unknown');
    expect(codeOf(await ask('status', 'job.status', { job_ids: [first.body['job_id']] }))).toBe('200');
  });
});

describe('a table that another holds', () => {
  let holder: pg.Client;

  beforeAll(async () => {
    holder = await intake.db.connect();
  });

  afterEach(() => holder.query('ROLLBACK'));

  const hold = (table: string): Promise<unknown> => holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);

  /** Posts all the time, for so long; how each was answered and how long that took. */
  async function postFor(milliseconds: number, send: (n: number) => Promise<Answer>): Promise<[string, number][]> {
    const until = performance.now() + milliseconds;
    const answers: [string, number][] = [];
    const one = async (lane: number): Promise<void> => {
      for (let n = 0; performance.now() < until; n++) {
        const began = performance.now();
        const code = codeOf(await send(lane * 100_000 + n));
        answers.push([code, performance.now() - began]);
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, lane) => one(lane)));
    return answers;
  }

  it('for seconds is answered 503 within a bound, by few who wait and many who are told at once', async () => {
    expect((await post(show(), { id: 'msg_before_the_lock' })).status).toBe(202);
    await hold('ingest_jobs');
    lookAgain();
    const answers = await postFor(4_000, (n) =>
      n % 3 === 0
        ? post(show(), { id: 'msg_before_the_lock' })
        : n % 3 === 1
          ? post(show({ title: `held ${n}` }))
          : ask('status', 'job.status', { job_ids: ['1'] }),
    );
    const duringTheLock = await ask('brands', 'brand.list', {});
    await holder.query('ROLLBACK');

    expect(new Set(answers.map(([code]) => code))).toEqual(new Set(['503 intake-unavailable']));
    expect(Math.max(...answers.map(([, took]) => took))).toBeLessThan(BOUND_MS);
    const atOnce = answers.filter(([, took]) => took < LOCK_MS / 2);
    expect(atOnce.length).toBeGreaterThan(answers.length / 2);
    expect(['200', '503 intake-unavailable']).toContain(codeOf(duringTheLock));
    expect(await intake.db.query(`SELECT 1 FROM ingest_jobs WHERE subject LIKE '%held%'`)).toEqual([]);
    expect(await intake.db.query(`SELECT 1 FROM ingest_messages WHERE subject LIKE '%held%'`)).toEqual([]);
    expect((await post()).status).toBe(202);
    expect((await ask('status', 'job.status', { job_ids: ['1'] })).status).toBe(200);
  });

  it.each(['crawler_secrets', 'ingest_messages', 'ingest_refusals'])(
    '%s is bounded too, and its end is noticed at once',
    async (table) => {
      await hold(table);
      clock.forward(5);
      const answers = await postFor(1_000, (n) => post(show({ title: n, brand: `Nobody ${n}` })));
      expect(Math.max(...answers.map(([, took]) => took))).toBeLessThan(BOUND_MS);
      await holder.query('ROLLBACK');
      expect((await post()).status).toBe(202);
    },
  );

  it('leaves the pool its connections', async () => {
    await hold('ingest_jobs');
    lookAgain();
    const { master } = intake.app.get(DataSource).driver as unknown as { master: pg.Pool };
    const most = { busy: 0, waiting: 0 };
    const watch = setInterval(() => {
      most.busy = Math.max(most.busy, master.totalCount - master.idleCount);
      most.waiting = Math.max(most.waiting, master.waitingCount);
    }, 5);
    await postFor(1_500, (n) =>
      n % 2 ? post(show({ title: `pool ${n}` })) : ask('status', 'job.status', { job_ids: ['1'] }),
    );
    clearInterval(watch);
    expect(most.busy).toBeGreaterThan(0);
    expect(most.busy).toBeLessThan(10);
    expect(most.waiting).toBe(0);
  });
});

describe('behind a proxy', () => {
  let proxy: Server;
  let front: string;

  /** What a proxy does: reads the whole request and sends it on, with the address that it came from. */
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'x-test-address': from = '203.0.113.1', ...headers } = request.headers;
        const forwarded = {
          ...headers,
          'x-forwarded-for': [headers['x-forwarded-for'], from].filter(Boolean).join(', '),
        };
        const onward = httpRequest(
          intake.url + (request.url ?? ''),
          { method: 'POST', headers: forwarded },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          },
        );
        onward.end(Buffer.concat(chunks));
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    front = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/ingest`;
  });

  afterAll(() => new Promise((resolve) => proxy.close(resolve)));

  const through = (body: string, from: string, headers: Record<string, string> = {}): Promise<Answer> =>
    fetch(front, {
      method: 'POST',
      body,
      headers: { ...signedHeaders(body, { timestamp: clock.timestamp() }), 'x-test-address': from, ...headers },
    }).then(read);

  it('a body is kept byte for byte, emoji and all', async () => {
    const text = JSON.stringify(show({ title: '秀 👩‍🎤 \u00e9 e\u0301 𠮷', filler: [1.0, '\u2028'] }), undefined, 1);
    const { status, body } = await through(text, '203.0.113.9');
    expect(status).toBe(202);
    const [job] = await intake.db.query<{ payload: string }>('SELECT payload FROM ingest_jobs WHERE id = $1', [
      body['job_id'],
    ]);
    expect(job?.payload).toBe(text);
  });

  it('who guesses is counted by the address that the proxy saw, and cannot choose another', async () => {
    const wrong = { 'webhook-signature': `v1,${'A'.repeat(43)}=` };
    for (let n = 0; n < 5; n++) {
      const spoofed = { ...wrong, 'x-forwarded-for': `198.51.100.${n}` };
      expect(codeOf(await through('{}', '203.0.113.5', spoofed))).toBe('401 signature-mismatch');
    }
    expect(codeOf(await through('{}', '203.0.113.5', { 'x-forwarded-for': '198.51.100.77' }))).toBe('429 rate-limited');
    expect((await through(JSON.stringify(show()), '203.0.113.6')).status).toBe(202);
    expect((await post()).status).toBe(202);
  });

  it('that is not trusted, its word is not taken', async () => {
    const strict = await startIntakeApp({ env: { INTAKE_MAX_401_PER_MINUTE: '2' } });
    const wrong = (address: string): Promise<Answer> =>
      signedPost(`${strict.url}/ingest`, '{}', {
        headers: { 'webhook-signature': `v1,${'A'.repeat(43)}=`, 'x-forwarded-for': address },
      });
    const codes = [await wrong('1.1.1.1'), await wrong('1.1.1.2'), await wrong('1.1.1.3')].map(codeOf);
    await strict.close();
    expect(codes).toEqual(['401 signature-mismatch', '401 signature-mismatch', '429 rate-limited']);
  });
});
