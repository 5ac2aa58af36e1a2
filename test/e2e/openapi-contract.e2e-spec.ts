import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import { DOOR_PROBLEMS } from '../../src/ingest/docs/door-problems.js';
import type { DoorDocument } from '../../src/ingest/docs/door-document.js';
import type { TestApp } from '../harness/app.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { RawConnection } from '../harness/raw-http.js';
import { checkOf } from '../harness/schema-check.js';
import { type Answer, codeOf, read, signedPost, type SignedPostOptions } from '../harness/signed-post.js';
import { TestClock } from '../harness/test-clock.js';

const secretOf = (n: number): string => `whsec_${Buffer.alloc(32, n).toString('base64')}`;

const clock = new TestClock();
let intake: TestApp;
let document: DoorDocument;
/** Codes of the problems that were answered while these tests ran. */
const seen = new Set<string>();

beforeAll(async () => {
  intake = await startIntakeApp({ clock, env: { INTAKE_MAX_401_PER_MINUTE: '12', INTAKE_MAX_QUEUE_DEPTH: '60' } });
  document = (await (await fetch(`${intake.url}/docs/openapi.json`)).json()) as DoorDocument;
});

afterAll(() => intake.close());

/** What is wrong with an answer, by what the document says of its path, its status and its type of content. */
function faultsOf(path: string, { status, headers, body }: Answer): string[] {
  const described = document.paths[path]?.post.responses[status];
  const name = described !== undefined && '$ref' in described ? described.$ref.split('/').at(-1) : undefined;
  const response = name === undefined ? described : document.components.responses[name];
  if (response === undefined || '$ref' in response) return [`${path} is not said to answer ${status}`];
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const media = response.content[type];
  if (media === undefined) return [`${path} is not said to answer ${status} as ${type}`];
  const missing = Object.keys(response.headers ?? {}).filter((header) => !headers.has(header));
  const code = /^urn:runway:problem:(.+)$/.exec(typeof body['type'] === 'string' ? body['type'] : '')?.[1];
  if (code !== undefined) seen.add(code);
  return [
    ...missing.map((header) => `${header} is missing`),
    ...(code === undefined || code in media.examples ? [] : [`${code} is not among the problems of ${path}`]),
    ...checkOf(media.schema, { document, strict: true })(body),
  ];
}

/** Posts, and sees that the answer is as documented. */
async function post(path: string, body: unknown, options: SignedPostOptions = {}): Promise<Answer> {
  const answer = await signedPost(intake.url + path, body, { timestamp: clock.timestamp(), ...options });
  expect({ answer, faults: faultsOf(path, answer) }).toEqual({ answer, faults: [] });
  return answer;
}

const examplesOf = (path: string): { summary: string; value: unknown }[] =>
  Object.values(document.paths[path]?.post.requestBody.content['application/json']?.examples ?? {});

/** Whether a body is one that the document describes for a path. */
const isDescribed = (path: string, body: unknown): boolean => {
  const media = document.paths[path]?.post.requestBody.content['application/json'];
  return checkOf(media?.schema ?? {}, { document })(body).length === 0;
};

const ask = (type: string, data: unknown): unknown => ({ type, timestamp: '2026-11-30T08:00:00Z', data });

describe('the document', () => {
  it('is served to everybody, to programs of other pages too', async () => {
    const response = await fetch(`${intake.url}/docs/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect((await read(await fetch(`${intake.url}/docs/openapi.json`, { method: 'POST' }))).status).toBe(405);
  });

  it('is a page as well, with every path, type, shape and problem, and without a script', async () => {
    const response = await fetch(`${intake.url}/docs`);
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    const names = [...Object.keys(document.paths), ...Object.keys(document.components.schemas)];
    for (const name of names) expect(page).toContain(`id="${name}"`);
    for (const { code } of DOOR_PROBLEMS) expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toMatch(
      /<script|javascript:|\son\w+=|https?:\/\/(?!example\.org|pictures\.example\.org)[^\s"]*\.(?:js|css)/,
    );
    expect(
      [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id).filter((id) => !page.includes(`id="${id}"`)),
    ).toEqual([]);
  });

  it('has a page whose only style is the one that its policy allows', async () => {
    const response = await fetch(`${intake.url}/docs`);
    const styles = [...(await response.text()).matchAll(/<style>([^]*?)<\/style>/g)].map(([, style = '']) => style);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(styles.join('')));
    expect(styles).toHaveLength(1);
    expect(response.headers.get('content-security-policy')).toContain(
      `style-src 'sha256-${Buffer.from(digest).toString('base64')}'`,
    );
  });

  it.each([
    ['/ingest', 202],
    ['/ingest/status', 200],
    ['/ingest/known', 200],
    ['/ingest/brands', 200],
  ])('has examples for %s that are answered %i', async (path, status) => {
    const examples = examplesOf(path).filter(({ value }) => !(value as { type: string }).type.startsWith('test.'));
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) {
      expect(isDescribed(path, value)).toBe(true);
      const answer = await post(path, value);
      expect(answer.status).toBe(status);
      expect(answer.body['warnings']).toEqual([]);
    }
  });
});

describe('answers', () => {
  it('to messages are as documented: new, repeated, with warnings, of a job that is done', async () => {
    const id = 'msg_contract_again';
    await post('/ingest', show({ odd: 1 }), { id });
    await intake.db.query(
      `UPDATE ingest_jobs SET status = 'done', outcome = 'created' WHERE subject LIKE '%Fall 2026'`,
    );
    expect((await post('/ingest', show({ odd: 1 }), { id })).body).toMatchObject({ duplicate: true, status: 'done' });
    await intake.db.query('TRUNCATE ingest_jobs CASCADE');
    expect((await post('/ingest', show({ odd: 1 }), { id })).body).toMatchObject({ duplicate: true, status: null });
  });

  it('to questions are as documented: jobs in every state, shows in every state, pages of brands', async () => {
    const jobs = [
      ...(await insertJobs(intake.db, 1, {
        kind: 'crawl',
        submitted_by: 'dev',
        subject: 'x',
        last_error: 'y',
        error_code: 'z',
      })),
      ...(await insertJobs(intake.db, 1, {
        kind: 'crawl',
        submitted_by: 'dev',
        status: 'done',
        outcome: 'created',
        note: 'n',
      })),
      ...(await insertJobs(intake.db, 1, { kind: 'crawl', submitted_by: 'dev', status: 'failed' })),
    ];
    const known = await post('/ingest/status', ask('job.status', { job_ids: [...jobs, '404'], odd: 1 }));
    expect((known.body['jobs'] as { status: string }[]).map(({ status }) => status)).toEqual([
      ...['pending', 'done', 'failed', 'unknown'],
    ]);
    await insertGallery(intake.db, { brandId: '7', year: 2022, stored: 42, missing: 3 });
    await insertGallery(intake.db, { brandId: '7', year: 2023, status: 'rejected' });
    const shows = [2021, 2022, 2023].map((year) => ({ brand_id: 7, season: `Fall ${year} RTW`, market: 'paris' }));
    const answer = await post(
      '/ingest/known',
      ask('show.known', { shows: [...shows, { brand: 'Nobody', season: 'x' }] }),
    );
    expect((answer.body['shows'] as { state: string }[]).map(({ state }) => state)).toEqual([
      ...['none', 'published', 'rejected', 'none'],
    ]);
    const page = await post('/ingest/brands', ask('brand.list', { first: 1 }));
    await post('/ingest/brands', ask('brand.list', { first: 1, after: page.body['next'] }));
  });

  it.each<[string, string, unknown, SignedPostOptions]>([
    ['401 signature-missing', '/ingest', show(), { headers: { 'webhook-id': undefined } }],
    ['401 signature-malformed', '/ingest', show(), { headers: { 'webhook-id': '?' } }],
    ['401 signature-mismatch', '/ingest/known', show(), { secret: secretOf(99) }],
    ['401 timestamp-out-of-window', '/ingest', show(), { timestamp: '1000000000' }],
    ['413 body-too-large', '/ingest', ' '.repeat(1_048_577), {}],
    ['415 content-type-unsupported', '/ingest', show(), { headers: { 'content-type': 'text/plain' } }],
    ['415 content-encoding-unsupported', '/ingest', show(), { headers: { 'content-encoding': 'gzip' } }],
    ['422 body-not-utf8', '/ingest', Buffer.from([0xff]), {}],
    ['422 body-not-json', '/ingest/brands', '{', {}],
    ['422 body-too-complex', '/ingest', '['.repeat(40), {}],
    ['422 body-forbidden-key', '/ingest', '{"a":1,"a":2}', {}],
    ['422 type-unknown', '/ingest/status', show({}, 'test.nobody'), {}],
    ['422 type-not-here', '/ingest/status', show({}, 'runway.show'), {}],
    ['422 schema-invalid', '/ingest', show({ brand: 5 }, 'runway.show'), {}],
    ['422 schema-invalid', '/ingest/known', ask('show.known', { shows: [] }), {}],
    ['422 season-unparsed', '/ingest', show({ title: 'x', images: ['https://p.example/1.jpg'] }, 'runway.show'), {}],
    ['422 brand-unknown', '/ingest', show({ brand: 'Maison Eclat' }), {}],
    ['422 brand-mismatch', '/ingest', show({ brand_id: 8 }), {}],
    ['422 brand-ambiguous', '/ingest', show({ brand: 'Twin' }), {}],
    ['422 brand-not-allowed', '/ingest', show({}, 'street.gallery'), {}],
    ['500 internal', '/ingest', show({ title: 'a bug' }), {}],
  ])('%s from %s is as documented', async (code, path, body, options) => {
    await intake.db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (71, 'Twin', 'twin', 1, 1), (72, 'TWIN', 'twin-2', 1, 1)
       ON CONFLICT DO NOTHING`,
    );
    await intake.db.query(
      `INSERT INTO brand_aliases (brand_id, alias, alias_key, source) VALUES (71, 'Twin', 'twin', 'name'), (72, 'Twin', 'twin', 'name')
       ON CONFLICT DO NOTHING`,
    );
    expect(codeOf(await post(path, body, options))).toBe(code);
  });

  it('that need a state of the house are as documented: an id used before, a crawler switched off, a full queue', async () => {
    await post('/ingest', show(), { id: 'msg_contract_used' });
    expect(codeOf(await post('/ingest', show({ title: 'x' }), { id: 'msg_contract_used' }))).toBe(
      '422 message-id-reused',
    );

    const crawlers = intake.app.get(CrawlersService, { strict: false });
    await crawlers.add(COMMAND_LINE, 'off', secretOf(60));
    await crawlers.setEnabled(COMMAND_LINE, 'off', false);
    expect(codeOf(await post('/ingest', show(), { secret: secretOf(60), crawler: 'off' }))).toBe(
      '403 crawler-switched-off',
    );

    await insertJobs(intake.db, 60, { kind: 'test-show' });
    clock.forward(1);
    expect(codeOf(await post('/ingest', show()))).toBe('503 intake-saturated');
    await intake.db.query('TRUNCATE ingest_jobs CASCADE');
    clock.forward(1);

    for (let n = 0; n < 17; n++) await crawlers.add(COMMAND_LINE, `many-${n}`, secretOf(100 + n));
    expect(codeOf(await post('/ingest', show()))).toBe('401 crawler-required');
    expect((await post('/ingest', show(), { crawler: 'dev' })).status).toBe(202);
  });

  it('of the connection itself have the same shape', async () => {
    const shape = checkOf({ $ref: '#/components/schemas/Problem' }, { document, strict: true });
    const isProblem = (body: string): void => {
      const problem = JSON.parse(body) as { type: string };
      expect(shape(problem)).toEqual([]);
      seen.add(problem.type.replace('urn:runway:problem:', ''));
    };
    for (const text of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const connection = await RawConnection.to(intake.port);
      isProblem((await connection.send(text).answers(1))[0]?.body ?? '');
    }
    for (const path of ['/nowhere', '/ingest']) isProblem(await (await fetch(intake.url + path)).text());
  });

  it('to those who ask too often, or whose database is away, are as documented', async () => {
    clock.forward(61);
    let answer = await post('/ingest', show(), { secret: secretOf(99), crawler: 'dev' });
    for (let n = 0; n < 20 && answer.status === 401; n++) {
      answer = await post('/ingest', show(), { secret: secretOf(99), crawler: 'dev' });
    }
    expect(codeOf(answer)).toBe('429 rate-limited');
    clock.forward(61);
    const holder = await intake.db.connect();
    await holder.query('BEGIN; LOCK TABLE ingest_jobs IN ACCESS EXCLUSIVE MODE');
    expect(codeOf(await post('/ingest', show(), { crawler: 'dev' }))).toBe('503 intake-unavailable');
    await holder.query('ROLLBACK');
  });

  it('were seen of every problem that is documented', () => {
    // Of a time-out the chaos tests see, since it takes a minute.
    const unseen = DOOR_PROBLEMS.map(({ code }) => code).filter(
      (code) => !seen.has(code) && code !== 'request-timeout',
    );
    expect(unseen).toEqual([]);
  });
});
