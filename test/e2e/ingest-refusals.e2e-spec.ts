import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import {
  type Answer,
  codeOf,
  read,
  signedHeaders,
  signedPost,
  type SignedPostOptions,
} from '../harness/signed-post.js';
import { TestClock } from '../harness/test-clock.js';

const secretOf = (n: number): string => `whsec_${Buffer.alloc(32, n).toString('base64')}`;
const VECTOR =
  '{"type":"show.crawled","timestamp":"2026-01-02T03:04:05Z","data":{"brand":"Maison \u00c9clair","pictures":[]}}';
const NAMED = { crawler: 'dev' };

const clock = new TestClock();
let intake: TestApp;
let door: string;

beforeAll(async () => {
  intake = await startIntakeApp({ clock, env: { INTAKE_MAX_401_PER_MINUTE: '1000' } });
  door = `${intake.url}/ingest`;
  const crawlers = intake.app.get(CrawlersService, { strict: false });
  for (let n = 1; n <= 3; n++) await crawlers.add(COMMAND_LINE, `crawler-${n}`, secretOf(n));
});

afterAll(() => intake.close());

afterEach(() => clock.set(Date.now() / 1000));

async function rows(): Promise<number> {
  const [count] = await intake.db.query<{ rows: string }>(
    'SELECT (SELECT count(*) FROM ingest_jobs) + (SELECT count(*) FROM ingest_messages) AS rows',
  );
  return Number(count?.rows);
}

/** Posts what must be refused, and sees that it left nothing and that the next good message is taken. */
async function refused(body: unknown, options: SignedPostOptions = {}): Promise<Answer> {
  const before = await rows();
  const answer = await signedPost(door, body, options);
  expect(await rows()).toBe(before);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({
    type: expect.stringMatching(/^urn:runway:problem:[a-z0-9-]+$/),
    title: expect.any(String),
    status: answer.status,
    detail: expect.stringMatching(/\.$/),
    instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/whsec_|node_modules|\bat \/|\.ts:/);
  if (answer.status === 401) expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThan(0);
  return answer;
}

describe('the address', () => {
  it.each([
    ['GET', '/ingest', '405 method-not-allowed', 'POST'],
    ['DELETE', '/ingest?x=1', '405 method-not-allowed', 'POST'],
    ['POST', '/ingest/', '404 not-found', null],
    ['POST', '/ingestion', '404 not-found', null],
    ['GET', '/', '404 not-found', null],
    ['GET', '/%zz', '400 malformed-request', null],
  ])('%s %s is answered %s', async (method, path, code, allow) => {
    const answer = await read(await fetch(intake.url + path, { method }));
    expect(codeOf(answer)).toBe(code);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is judged before the body: 404 for two megabytes of text', async () => {
    const answer = await read(await fetch(`${intake.url}/nowhere`, { method: 'POST', body: 'x'.repeat(2 ** 21) }));
    expect(codeOf(answer)).toBe('404 not-found');
  });
});

describe('the form of the body', () => {
  it.each([
    [{ 'content-type': 'text/plain' }, '415 content-type-unsupported'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, '415 content-type-unsupported'],
    [{ 'content-type': 'application/jsonp' }, '415 content-type-unsupported'],
    [{ 'content-type': 'application/json; charset=latin1' }, '415 content-type-unsupported'],
    [{ 'content-type': 'application/json; charset=utf-8; x=y' }, '415 content-type-unsupported'],
    [{ 'content-encoding': 'gzip' }, '415 content-encoding-unsupported'],
    [{ 'content-encoding': 'br' }, '415 content-encoding-unsupported'],
    [{ 'content-encoding': 'foo' }, '415 content-encoding-unsupported'],
    [{ 'content-encoding': 'identity, gzip' }, '415 content-encoding-unsupported'],
  ])('with %j is answered %s, well signed or not', async (headers, code) => {
    expect(codeOf(await refused(show(), { headers }))).toBe(code);
    expect(codeOf(await refused(show(), { headers: { ...headers, 'webhook-signature': 'v1,x' } }))).toBe(code);
  });

  it.each([{ 'content-encoding': 'identity' }, { 'content-type': 'Application/JSON;charset=UTF-8' }])(
    'with %j is taken',
    async (headers) => {
      expect((await signedPost(door, show(), { headers })).status).toBe(202);
    },
  );

  it('one byte too long is answered 413 with the limit, before the signature', async () => {
    const frame = Buffer.byteLength(JSON.stringify(show({ filler: '' })));
    const exact = JSON.stringify(show({ filler: 'x'.repeat(2 ** 20 - frame) }));
    expect((await signedPost(door, exact)).status).toBe(202);
    const answer = await refused(`${exact} `, { headers: { 'webhook-signature': undefined } });
    expect(codeOf(answer)).toBe('413 body-too-large');
    expect(answer.body['limit_bytes']).toBe(2 ** 20);
  });
});

describe('the signature', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s is missing', async (name) => {
    expect(codeOf(await refused(show(), { headers: { [name]: undefined } }))).toBe('401 signature-missing');
    expect(codeOf(await refused(show(), { headers: { [name]: '' } }))).toBe('401 signature-missing');
  });

  it.each(['short', 'with space', 'x'.repeat(129), 'a.dot.in.it', 'é'.repeat(10)])(
    'with the id %j is malformed',
    async (id) => {
      expect(codeOf(await refused(show(), { id: 'msg_1234', headers: { 'webhook-id': id } }))).toBe(
        '401 signature-malformed',
      );
    },
  );

  it.each([
    '1767323045000',
    '1767323045.5',
    '-767323045',
    '0x69573565',
    '1e9',
    '1767323045x',
    '+767323045',
    '176732304',
  ])('with the timestamp %j is malformed', async (timestamp) => {
    expect(codeOf(await refused(show(), { timestamp }))).toBe('401 signature-malformed');
  });

  it.each([
    ['another version only', `v2,${'A'.repeat(43)}=`],
    ['a letter of two bytes in it', `v1,é${'A'.repeat(42)}=`],
    ['latin-1 bytes', `v1,${'\xff'.repeat(44)}`],
    ['63 hex digits', `v1,${'a'.repeat(63)}`],
    [
      'six entries',
      Array(6)
        .fill(`v1,${'A'.repeat(43)}=`)
        .join(' '),
    ],
  ])('with %s is malformed', async (_, signature) => {
    expect(codeOf(await refused(show(), { headers: { 'webhook-signature': signature } }))).toBe(
      '401 signature-malformed',
    );
  });

  it.each([299, 300, -300, -299])('made %i s from now is taken', async (ahead) => {
    clock.set(Math.floor(Date.now() / 1000) + 0.5);
    expect((await signedPost(door, show(), { timestamp: clock.timestamp(ahead) })).status).toBe(202);
  });

  it.each([301, -301, 100_000, -100_000])('made %i s from now is out of the window', async (ahead) => {
    clock.set(Math.floor(Date.now() / 1000) + 0.5);
    expect(codeOf(await refused(show(), { timestamp: clock.timestamp(ahead) }))).toBe('401 timestamp-out-of-window');
  });

  it('over other bytes, another id, another time or with another secret does not match', async () => {
    const body = JSON.stringify(show());
    const signed = signedHeaders(body);
    const expectMismatch = async (sent: string, headers: Record<string, string>): Promise<void> => {
      expect(codeOf(await refused(sent, { headers: { ...signed, ...headers } }))).toBe('401 signature-mismatch');
    };
    await expectMismatch(`${body} `, {});
    await expectMismatch(JSON.stringify(JSON.parse(body), undefined, 1), {});
    await expectMismatch(body, { 'webhook-id': 'msg_another_one' });
    await expectMismatch(body, { 'webhook-timestamp': String(Number(signed['webhook-timestamp']) - 1) });
    expect(codeOf(await refused(body, { secret: secretOf(200) }))).toBe('401 signature-mismatch');
  });

  it('of one crawler does not pass for another, nor for one that nobody knows', async () => {
    expect((await signedPost(door, show(), { secret: secretOf(1), crawler: 'crawler-1' })).status).toBe(202);
    expect((await signedPost(door, show(), { secret: secretOf(1) })).status).toBe(202);
    expect(codeOf(await refused(show(), { secret: secretOf(1), crawler: 'dev' }))).toBe('401 signature-mismatch');
    expect(codeOf(await refused(show(), { secret: secretOf(1), crawler: 'nobody' }))).toBe('401 signature-mismatch');
  });

  it('of a revoked or an old secret does not match, a few seconds after', async () => {
    const post = (): Promise<Answer> => signedPost(door, show(), { secret: secretOf(2), timestamp: clock.timestamp() });
    const set = (column: string, value: number): Promise<unknown> =>
      intake.db.query(
        `UPDATE crawler_secrets SET ${column} = $1 FROM crawlers c WHERE c.id = crawler_id AND c.name = 'crawler-2'`,
        [value],
      );
    for (const [column, value] of [
      ['revoked_at', 1],
      ['valid_until', clock.seconds() - 1],
    ] as const) {
      expect((await post()).status).toBe(202);
      await set(column, value);
      clock.forward(5);
      expect(codeOf(await post())).toBe('401 signature-mismatch');
      await set(column, 0);
      clock.forward(5);
    }
  });

  it('of a crawler that is switched off verifies, and is answered 403', async () => {
    const options = { secret: secretOf(3), crawler: 'crawler-3' };
    await intake.db.query(`UPDATE crawlers SET enabled = false WHERE name = 'crawler-3'`);
    clock.forward(5);
    expect(codeOf(await refused(show(), { ...options, timestamp: clock.timestamp() }))).toBe(
      '403 crawler-switched-off',
    );
    expect(codeOf(await refused(show(), { ...options, secret: secretOf(99), timestamp: clock.timestamp() }))).toBe(
      '401 signature-mismatch',
    );
  });

  it('of the contract’s test vector verifies; its type is what is not known', async () => {
    clock.set(1_767_323_045);
    const answer = await refused(VECTOR, { id: 'msg_01JTESTVECTOR000000000001', timestamp: '1767323045' });
    expect(codeOf(answer)).toBe('422 type-unknown');
    expect(
      signedHeaders(VECTOR, { id: 'msg_01JTESTVECTOR000000000001', timestamp: '1767323045' })['webhook-signature'],
    ).toBe('v1,3n0CNfQiZuYgT2aDwTDEStR/bhfXYPJx+4adZOLePpk=');
  });
});

describe('the body', () => {
  const data = (inner: string): string =>
    `{"type":"test.show","timestamp":"2026-11-30T08:00:00Z","data":{"brand_id":7,${inner}}}`;
  const text = JSON.stringify(show());

  it.each<[string, string | Buffer, string]>([
    ['no UTF-8', Buffer.from(text, 'latin1'), 'body-not-utf8'],
    ['UTF-16', Buffer.from(text, 'utf16le'), 'body-not-utf8'],
    ['empty', '', 'body-not-json'],
    ['two byte-order marks', `\uFEFF\uFEFF${text}`, 'body-not-json'],
    ['cut', text.slice(0, -1), 'body-not-json'],
    ['a raw NUL', data('"title":"a\0b"'), 'schema-invalid'],
    ['an escaped NUL', data('"title":"a\\u0000b"'), 'schema-invalid'],
    ['a lone surrogate', data('"title":"\\ud83d"'), 'schema-invalid'],
    ['a lone surrogate in a field nobody knows', data('"title":"x","other":["\\udc4d"]'), 'schema-invalid'],
    ['1e999', data('"title":1e999'), 'schema-invalid'],
    ['17 digits', data('"title":"x","filler":12345678901234567'), 'schema-invalid'],
    ['a key twice', data('"title":"x","title":"y"'), 'body-forbidden-key'],
    ['__proto__', data('"title":"x","__proto__":{"brand":"x"}'), 'body-forbidden-key'],
    ['20,001 values', data(`"title":"x","filler":[${Array(20_000).fill('1').join()}]`), 'body-too-complex'],
    ['a list', `[${text}]`, 'schema-invalid'],
    ['a word', '"text"', 'schema-invalid'],
    ['null', 'null', 'schema-invalid'],
    ['no type', '{"timestamp":"2026-11-30T08:00:00Z","data":{}}', 'schema-invalid'],
    ['no time', '{"type":"test.show","data":{}}', 'schema-invalid'],
    ['a time that never was', text.replace('11-30', '13-31'), 'schema-invalid'],
    ['no data', '{"type":"test.show","timestamp":"2026-11-30T08:00:00Z"}', 'schema-invalid'],
    ['a type nobody owns', JSON.stringify(show({}, 'test.nobody')), 'type-unknown'],
    ['a type named as a member of objects', JSON.stringify(show({}, 'constructor')), 'type-unknown'],
    ['a type of another path', JSON.stringify(show({}, 'test.elsewhere')), 'type-not-here'],
    ['data that its type refuses', JSON.stringify(show({ title: 5 })), 'schema-invalid'],
    ['no season', JSON.stringify(show({ title: 'no season' })), 'season-unparsed'],
    ['a brand nobody knows', JSON.stringify(show({ brand: 'Maison Eclat' })), 'brand-unknown'],
    ['two brands', JSON.stringify(show({ brand_id: 8 })), 'brand-mismatch'],
    ['a brand where none may be', JSON.stringify(show({}, 'test.street')), 'brand-not-allowed'],
  ])('with %s is answered 422, and nothing is written', async (_, body, code) => {
    expect(codeOf(await refused(body))).toBe(`422 ${code}`);
    expect((await signedPost(door, show())).status).toBe(202);
  });

  it.each([33, 2_500, 8_000, 100_000])('%i levels deep is answered 422', async (depth) => {
    expect(codeOf(await refused(data(`"filler":${'['.repeat(depth)}${']'.repeat(depth)}`)))).toBe(
      '422 body-too-complex',
    );
    expect(codeOf(await refused(data(`"filler":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)))).toBe(
      '422 body-too-complex',
    );
  });

  it('that is refused for its shape says where', async () => {
    const { body } = await refused(data('"title":"a\\u0000b"'));
    expect(body['errors']).toEqual([{ pointer: '/data/title', detail: expect.any(String) }]);
  });

  it('with a brand nobody knows is answered with near names', async () => {
    const { body } = await refused(show({ brand: 'Maison Eclar' }));
    expect(body['near']).toEqual(['Maison Éclair']);
  });

  it('that meets a bug of ours is answered 500 without its text', async () => {
    const answer = await refused(show({ title: 'a bug' }));
    expect(codeOf(answer)).toBe('500 internal');
    expect(JSON.stringify(answer.body)).not.toMatch(/internal words|TypeError/);
  });

  it('other than the first with this id is answered 422', async () => {
    const id = 'msg_used_before';
    const first = await signedPost(door, show(), { id });
    const answer = await refused(show({ title: 'another' }), { id });
    expect(codeOf(answer)).toBe('422 message-id-reused');
    expect(answer.body['job_id']).toBe(first.body['job_id']);
  });
});

describe('a refusal', () => {
  it('for brand, type, season or shape is counted for the editors, after a good signature only', async () => {
    await intake.db.query('DELETE FROM ingest_refusals');
    for (const title of ['First', 'Second']) await refused(show({ brand: 'Nobody & Sons', title }));
    await refused(show({ brand: 'Nobody & Sons', title: 3 }), NAMED);
    await refused(show({ brand: 'Never Heard' }), { secret: secretOf(77) });
    await refused('{"nothing":true}');
    await refused('not JSON');
    const counted = await intake.db.query(
      `SELECT c.name AS crawler, code, brand, last_title, count, first_seen_at > 0 AND last_seen_at >= first_seen_at AS timed
       FROM ingest_refusals JOIN crawlers c ON c.id = crawler_id ORDER BY code, brand`,
    );
    expect(counted).toEqual([
      { crawler: 'dev', code: 'brand-unknown', brand: 'Nobody & Sons', last_title: 'Second', count: '2', timed: true },
      { crawler: 'dev', code: 'schema-invalid', brand: '', last_title: '', count: '1', timed: true },
      { crawler: 'dev', code: 'schema-invalid', brand: 'Nobody & Sons', last_title: '3', count: '1', timed: true },
    ]);
  });
});

describe('many', () => {
  it('live secrets make the crawler’s name needed', async () => {
    const crawlers = intake.app.get(CrawlersService, { strict: false });
    for (let n = 10; n < 24; n++) await crawlers.add(COMMAND_LINE, `crawler-${n}`, secretOf(n));
    clock.forward(5);
    const timestamp = clock.timestamp();
    expect(codeOf(await refused(show(), { timestamp }))).toBe('401 crawler-required');
    expect((await signedPost(door, show(), { ...NAMED, timestamp })).status).toBe(202);
  });
});
