import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApp } from '../harness/app.js';
import { hostileBodies, NAUGHTY_TEXTS, showWith } from '../harness/hostile-bodies.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { headerLines, type HeaderLines, postHead, RawConnection } from '../harness/raw-http.js';
import { checkOf, type Check } from '../harness/schema-check.js';
import { type Answer, codeOf, signedHeaders, signedPost } from '../harness/signed-post.js';

/** A smaller counterexample is looked for no longer than the test may take. A run that is cut short has shown nothing, and fails. */
const IN_TIME = { interruptAfterTimeLimit: 40_000, markInterruptAsFailure: true };

let intake: TestApp;
let door: string;
let isProblem: Check;

beforeAll(async () => {
  intake = await startIntakeApp({
    env: { INTAKE_MAX_401_PER_MINUTE: '100000', INTAKE_RATE_BURST: '100000', INTAKE_RATE_PER_SECOND: '100000' },
  });
  door = `${intake.url}/ingest`;
  const document = (await (await fetch(`${intake.url}/docs/openapi.json`)).json()) as object;
  isProblem = checkOf({ $ref: '#/components/schemas/Problem' }, { document, strict: true });
});

afterAll(() => intake.close());

async function rows(): Promise<number> {
  const [count] = await intake.db.query<{ rows: string }>(
    'SELECT (SELECT count(*) FROM ingest_jobs) + (SELECT count(*) FROM ingest_messages) AS rows',
  );
  return Number(count?.rows);
}

/** What a refusal owes: words for a person, a shape for a program, nothing of ours, and no row. */
async function expectRefused(post: () => Promise<Answer>): Promise<string> {
  const before = await rows();
  const answer = await post();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(isProblem(answer.body)).toEqual([]);
  expect(answer.body['detail']).toMatch(/^\S[^]*[.!?]$/);
  expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
  expect(JSON.stringify(answer.body)).not.toMatch(/whsec_|node_modules|\.ts:|\bat \//);
  expect(await rows()).toBe(before);
  return codeOf(answer);
}

const isAlive = async (): Promise<void> => expect((await signedPost(door, show())).status).toBe(202);

describe('a hostile body', () => {
  it.each(hostileBodies().map((one) => [one.name, one] as const))('%s', async (_, { body, answer }) => {
    if (answer !== '202') {
      expect(await expectRefused(() => signedPost(door, body))).toBe(answer);
      return;
    }
    const taken = await signedPost(door, body);
    expect(codeOf(taken)).toBe('202');
    const [job] = await intake.db.query<{ payload: string }>('SELECT payload FROM ingest_jobs WHERE id = $1', [
      taken.body['job_id'],
    ]);
    expect(job?.payload === String(body).replace(/^\uFEFF/, '')).toBe(true);
  });

  it.each(NAUGHTY_TEXTS.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    'with %s for a brand is refused in words',
    async (_, text) => {
      const body = showWith('1').replace('"Maison Éclair"', () => JSON.stringify(text));
      const code = await expectRefused(() => signedPost(door, body));
      expect(['422 brand-unknown', '422 schema-invalid']).toContain(code);
    },
  );

  it('whose keys differ from known ones by their letters’ case has those ignored, and named', async () => {
    const data = { Title: 'x', brandHashid: 'y', SOURCE: {}, images: [{ url: 'https://p.example/1.jpg', URL: 'z' }] };
    const body = { ...show({ season: 'Fall 2026', ...data }, 'runway.show'), Data: {} };
    const answer = await signedPost(door, body);
    expect(answer.status).toBe(202);
    expect(answer.body['warnings']).toEqual([
      '/Data: unknown field, ignored; is "data" meant?',
      '/data/images/0/URL: unknown field, ignored; is "url" meant?',
      '/data/Title: unknown field, ignored; is "title" meant?',
      '/data/brandHashid: unknown field, ignored; is "brand_hashid" meant?',
      '/data/SOURCE: unknown field, ignored; is "source" meant?',
    ]);
  });

  it('of any JSON at all is answered 202 or 422, and never more', async () => {
    const types = fc.constantFrom('runway.show', 'street.gallery', 'job.status', 'constructor', '');
    const any = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
    const data = fc.oneof(
      any,
      fc.record(
        {
          ...{ brand: any, brand_id: any, season: any, title: any, images: fc.array(any), source: any, cover: any },
          ...{ year: any, term: any, category: any, market: any, day: any, show_date: any, extra: any, audience: any },
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(types, data, async (type, value) => {
        const body = { type, timestamp: '2026-11-30T08:00:00Z', data: value };
        const answer = await signedPost(door, body);
        expect([202, 422]).toContain(answer.status);
        if (answer.status === 422) expect(isProblem(answer.body)).toEqual([]);
      }),
      { numRuns: 300, ...IN_TIME },
    );
    await isAlive();
  });

  it('at a door of questions is refused as it is at that of messages', async () => {
    const refused = hostileBodies().filter(({ answer }) => /not-json|not-utf8|too-complex|forbidden/.test(answer));
    for (const { name, body, answer } of refused) {
      expect({ name, answer: codeOf(await signedPost(`${door}/known`, body)) }).toEqual({ name, answer });
    }
  });

  it.each([
    ['known', 'show.known', { shows: Array(200).fill(`https://a.example/${'x'.repeat(4_000)}`) }],
    ['known', 'show.known', { shows: Array(200).fill({ brand: 'x'.repeat(4_000), season: '秀'.repeat(100) }) }],
    ['status', 'job.status', { job_ids: ['9'.repeat(31)] }],
    ['status', 'job.status', { job_ids: [-1, 0.5, 1e21, null, {}] }],
    ['brands', 'brand.list', { after: 'x'.repeat(2_000) }],
    ['brands', 'brand.list', { after: Buffer.from('["a","b"]').toString('base64url'), first: 0 }],
  ])('at /ingest/%s of type %s, %#, is refused', async (path, type, data) => {
    const body = { type, timestamp: '2026-11-30T08:00:00Z', data };
    expect(await expectRefused(() => signedPost(`${door}/${path}`, body))).toBe('422 schema-invalid');
  });

  it.each(NAUGHTY_TEXTS.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    'that asks for %s is answered without a fault',
    async (_, text) => {
      const ask = (path: string, type: string, data: unknown): Promise<Answer> =>
        signedPost(`${door}/${path}`, { type, timestamp: '2026-11-30T08:00:00Z', data });
      expect([200, 422]).toContain((await ask('brands', 'brand.list', { search: text })).status);
      const shows = [{ brand: 'Maison Éclair', season: text }, { source: { site: text, external_id: text } }, text];
      expect([200, 422]).toContain((await ask('known', 'show.known', { shows })).status);
    },
  );
});

describe('hostile headers', () => {
  const body = JSON.stringify(show());
  const length = (text: string): [string, string] => ['content-length', String(Buffer.byteLength(text))];
  const host: [string, string] = ['host', 'x'];
  const good = (text = body): HeaderLines => [
    host,
    ['connection', 'close'],
    ...headerLines(signedHeaders(text)),
    length(text),
  ];
  const kept = (text: string): HeaderLines => good(text).filter(([name]) => name !== 'connection');
  const utf8 = (text: string): Buffer => Buffer.from(text);

  /** What a post of these very lines is answered, on a connection of its own. */
  async function answersTo(lines: HeaderLines, text = body): Promise<string[]> {
    const connection = await RawConnection.to(intake.port);
    connection.send(postHead('/ingest', lines)).send(utf8(text));
    return (await connection.rest()).map(read);
  }

  const read = ({ status, body: text }: { status: number; body: string }): string => {
    const type = /"type":"urn:runway:problem:([a-z0-9-]+)"/.exec(text)?.[1];
    return type === undefined ? String(status) : `${status} ${type}`;
  };
  const changed = (name: string, value: (was: string) => string): HeaderLines =>
    good().map(([known, was]) => [known, known === name ? value(was) : was]);

  it.each<[string, () => HeaderLines, string]>([
    ['in capitals', () => good().map(([name, value]) => [name.toUpperCase(), value]), '202'],
    [
      'In Their Other Case',
      () => good().map(([name, value]) => [name.replace(/\b[a-z]/g, (l) => l.toUpperCase()), value]),
      '202',
    ],
    ['with spaces around their values', () => good().map(([name, value]) => [name, `   ${value}   `]), '202'],
    ['in another order', () => [...good()].reverse(), '202'],
    [
      'with many strangers',
      () => [...good(), ...Array.from({ length: 100 }, (_, n): [string, string] => [`x-${n}`, 'y'])],
      '202',
    ],
    ['with an empty crawler', () => [...good(), ['x-ingest-crawler', '']], '202'],
    [
      'with two crawlers',
      () => [...good(), ['x-ingest-crawler', 'dev'], ['x-ingest-crawler', 'dev']],
      '401 signature-mismatch',
    ],
    ['with a crawler of 8 KB', () => [...good(), ['x-ingest-crawler', 'd'.repeat(8_000)]], '401 signature-mismatch'],
    ['with an id that is sent twice', () => [...good(), ['Webhook-Id', 'msg_another']], '401 signature-malformed'],
    [
      'with a stranger of the signed family twice',
      () => [...good(), ['webhook-x', '1'], ['webhook-x', '1']],
      '401 signature-malformed',
    ],
    ['with two ids in one line', () => changed('webhook-id', (id) => `${id}, ${id}`), '401 signature-malformed'],
    [
      'with two spaces between signatures',
      () => changed('webhook-signature', (s) => `${s}  ${s}`),
      '401 signature-malformed',
    ],
    [
      'with a tab between signatures',
      () => changed('webhook-signature', (s) => `${s}\t${s}`),
      '401 signature-malformed',
    ],
    [
      'with a comma between signatures',
      () => changed('webhook-signature', (s) => `${s},${s}`),
      '401 signature-malformed',
    ],
    ['with a quoted signature', () => changed('webhook-signature', (s) => `"${s}"`), '401 signature-malformed'],
    [
      'with a signature in base64url',
      () => changed('webhook-signature', () => `v1,${'_'.repeat(42)}A=`),
      '401 signature-malformed',
    ],
    [
      'with five signatures of which the last is right',
      () => changed('webhook-signature', (s) => `${`v1,${'A'.repeat(43)}= `.repeat(4)}${s}`),
      '202',
    ],
    [
      'with a time in Arabic digits',
      () => changed('webhook-timestamp', () => '\xd9\xa1'.repeat(5)),
      '401 signature-malformed',
    ],
    [
      'with folded lines',
      () => changed('webhook-id', (id) => `${id.slice(0, 10)}\r\n ${id.slice(10)}`),
      '400 malformed-request',
    ],
    ['with a bare line feed in a value', () => changed('webhook-id', (id) => `${id}\nx-y: z`), '400 malformed-request'],
    ['with a NUL in a value', () => changed('webhook-id', (id) => `${id}\0`), '400 malformed-request'],
    [
      'with a space before the colon',
      () => good().map(([name, value]) => [name === 'webhook-id' ? 'webhook-id ' : name, value]),
      '400 malformed-request',
    ],
    ['without a host', () => good().filter(([name]) => name !== 'host'), '400 malformed-request'],
    ['with two hosts, of which none counts', () => [host, ...good()], '202'],
    ['with two lengths', () => [...good(), ['content-length', '5']], '400 malformed-request'],
    ['with a length and chunks at once', () => [...good(), ['transfer-encoding', 'chunked']], '400 malformed-request'],
    ['with a length in hex', () => changed('content-length', () => '0x10'), '400 malformed-request'],
    ['with a length below nothing', () => changed('content-length', () => '-5'), '400 malformed-request'],
    ['with a length beyond numbers', () => changed('content-length', () => '9'.repeat(30)), '400 malformed-request'],
    [
      'with an encoding of transfer that nobody knows',
      () => [...good().slice(0, -1), ['transfer-encoding', 'gzip']],
      '400 malformed-request',
    ],
    ['with two types of content, of which the first counts', () => [...good(), ['content-type', 'text/plain']], '202'],
    [
      'with a type of content in two parts',
      () => changed('content-type', () => 'application/json, text/plain'),
      '415 content-type-unsupported',
    ],
    [
      'with a length and no type',
      () => good().filter(([name]) => name !== 'content-type'),
      '415 content-type-unsupported',
    ],
    ['longer than any is', () => [...good(), ['x-long', 'x'.repeat(20_000)]], '431 headers-too-large'],
  ])('%s', async (_, lines, answer) => {
    const before = await rows();
    const [first] = await answersTo(lines());
    expect(first).toBe(answer);
    if (answer !== '202') expect(await rows()).toBe(before);
    await isAlive();
  });

  it('of any bytes are answered 400, 401, 415 or 431, and the process lives', async () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    const value = fc.string({ unit: byte, maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature'),
        value,
        async (name, text) => {
          const [first = ''] = await answersTo(changed(name, () => text));
          expect(first).toMatch(/^(400|401|415|431) /);
        },
      ),
      { numRuns: 100, ...IN_TIME },
    );
    await isAlive();
  });

  describe('and a connection', () => {
    const post = (text: string): Buffer =>
      Buffer.concat([Buffer.from(postHead('/ingest', kept(text)), 'latin1'), utf8(text)]);
    const titled = (title: string): string => JSON.stringify(show({ title }));

    it('that pipelines gets its answers in order, each its own', async () => {
      const connection = await RawConnection.to(intake.port);
      const texts = [titled('pipe 1'), 'no JSON', titled('pipe 2'), '{}', titled('pipe 3')];
      connection.send(Buffer.concat(texts.map(post)));
      const answers = await connection.answers(5);
      connection.hangUp();
      expect(answers.map(read)).toEqual(['202', '422 body-not-json', '202', '422 schema-invalid', '202']);
      expect(
        answers
          .filter((_, n) => n % 2 === 0)
          .map(({ body: text }) => (JSON.parse(text) as { subject: string }).subject),
      ).toEqual([1, 2, 3].map((n) => `Maison Éclair · pipe ${n}`));
    });

    it('that sends more than it announced is answered for what it announced; the rest is no request', async () => {
      const before = await rows();
      const connection = await RawConnection.to(intake.port);
      connection.send(post(titled('longer'))).send('and some more\r\n\r\n');
      expect((await connection.rest()).map(read)).toEqual(['202', '400 malformed-request']);
      expect(await rows()).toBe(before + 2);
    });

    it('that announced less than it meant is refused by its signature, and the rest is no request', async () => {
      const before = await rows();
      const text = titled('shorter');
      const lines = good(text).map(([name, value]): [string, string] => [
        name,
        name === 'content-length' ? '20' : value,
      ]);
      expect(await answersTo(lines, text)).toEqual(['401 signature-mismatch']);
      expect(await rows()).toBe(before);
    });

    it('that closes its half before the body is whole gets no job, and is let go', async () => {
      const before = await rows();
      const connection = await RawConnection.to(intake.port);
      connection.send(post(titled('half')).subarray(0, -10)).finish();
      expect((await connection.rest()).map(read)).toEqual(['400 malformed-request']);
      expect(await rows()).toBe(before);
    });

    it('that closes its half after the body may go without its answer, and never without its job being one', async () => {
      const text = titled('half, whole');
      const id = 'msg_half_closed';
      const lines: HeaderLines = [host, ...headerLines(signedHeaders(text, { id })), length(text)];
      const connection = await RawConnection.to(intake.port);
      connection.send(postHead('/ingest', lines)).send(utf8(text)).finish();
      await connection.rest();
      expect((await signedPost(door, text, { id })).status).toBe(202);
      const jobs = await intake.db.query(`SELECT 1 FROM ingest_jobs WHERE subject LIKE '%half, whole'`);
      expect(jobs).toHaveLength(1);
    });

    it('that says nothing, or breaks off anywhere, leaves nothing', async () => {
      const before = await rows();
      const whole = post(titled('broken off'));
      for (const part of [0, 1, 20, 100, 250, whole.length - 100, whole.length - 1]) {
        const connection = await RawConnection.to(intake.port);
        connection.send(whole.subarray(0, part)).hangUp();
      }
      await isAlive();
      expect(await rows()).toBe(before + 2);
    });

    it('whose chunks are no chunks is answered 400', async () => {
      const lines: HeaderLines = [...good().slice(0, -1), ['transfer-encoding', 'chunked']];
      for (const chunks of ['zz\r\n{}\r\n', '-1\r\n', '5\r\n{}\r\n0\r\n\r\n', 'ffffffffffffffffff\r\n{}']) {
        expect(await answersTo(lines, chunks)).toEqual(['400 malformed-request']);
      }
    });

    it('that smuggles a request into another’s body has it read as a body', async () => {
      const before = await rows();
      const inner = post(titled('smuggled')).toString('latin1');
      expect(await answersTo(good(inner), inner)).toEqual(['422 body-not-json']);
      expect(await rows()).toBe(before);
    });

    it('that sends a byte now and then keeps nobody waiting, and is taken when it is whole', async () => {
      const text = titled('slow');
      const whole = post(text);
      const start = whole.length - 12;
      const connection = await RawConnection.to(intake.port);
      connection.send(whole.subarray(0, start));
      for (let at = start; at < whole.length; at++) {
        await isAlive();
        connection.send(whole.subarray(at, at + 1));
      }
      expect((await connection.answers(1)).map(read)).toEqual(['202']);
      connection.hangUp();
    });
  });
});
