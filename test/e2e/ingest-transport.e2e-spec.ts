import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { signedHeaders, signedPost } from '../harness/signed-post.js';
import { TestClock } from '../harness/test-clock.js';

const MAX_IN_FLIGHT = 4;
const MAX_401 = 5;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

const clock = new TestClock();
let intake: TestApp;
let door: string;

beforeAll(async () => {
  intake = await startIntakeApp({
    clock,
    env: {
      INTAKE_MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
      INTAKE_MAX_401_PER_MINUTE: String(MAX_401),
      TRUST_PROXY: '127.0.0.1',
    },
  });
  door = `${intake.url}/ingest`;
});

afterAll(() => intake.close());

/** Signed by the application's clock, which these tests move. */
const signed = (body: string | Buffer): Record<string, string> => signedHeaders(body, { timestamp: clock.timestamp() });

const post = (secret?: string): ReturnType<typeof signedPost> =>
  signedPost(door, show(), { timestamp: clock.timestamp(), ...(secret === undefined ? {} : { secret }) });

/** Not `once`, which takes a reset connection for a failed test. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** What the server says on a connection until it closes it. */
async function talk(text: string | Buffer): Promise<string> {
  const socket = connect(intake.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.write(text);
  await closed(socket);
  return said;
}

function head(lines: Record<string, string>, ...more: string[]): string {
  const all = [
    'POST /ingest HTTP/1.1',
    'host: x',
    ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
    ...more,
  ];
  return `${all.join('\r\n')}\r\n\r\n`;
}

const statusOf = (said: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]);

/** A good message whose head the server has taken and whose body it still waits for. */
async function beginPost(body: string, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect(intake.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const lines = { 'content-length': String(Buffer.byteLength(body)), 'x-forwarded-for': from, connection: 'close' };
  socket.write(head({ ...signed(body), ...lines, expect: '100-continue' }));
  const [goOn] = (await once(socket, 'data')) as [Buffer];
  expect(goOn.toString()).toMatch(/^HTTP\/1\.1 100/);
  return socket;
}

async function finalStatusOf(socket: Socket): Promise<number> {
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await closed(socket);
  return statusOf(said);
}

describe('a message on the wire', () => {
  it('may come in chunks, however small', async () => {
    const body = Buffer.from(JSON.stringify(show({ title: '秀场 👠' })));
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const said = await talk(
      Buffer.from(
        head({ ...signed(body), 'transfer-encoding': 'chunked', connection: 'close' }) + `${chunks}0\r\n\r\n`,
        'latin1',
      ),
    );
    expect(statusOf(said)).toBe(202);
  });

  it('that comes in chunks of more than a megabyte is answered 413, and the sender sees it', async () => {
    const sending = request(door, { method: 'POST', headers: { ...signed('x'), 'transfer-encoding': 'chunked' } });
    const answered = once(sending, 'response');
    for (let n = 0; n < 24; n++) sending.write(Buffer.alloc(65_536, 0x20));
    sending.end();
    const [response] = (await answered) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(response.headers['content-type']).toBe('application/problem+json');
    response.resume();
    await once(response, 'end');
  });

  it('that never ends is cut off', async () => {
    const socket = connect(intake.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head({ ...signed('x'), 'transfer-encoding': 'chunked' }));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const pump = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', pump);
    pump();
    await closed(socket);
    expect(socket.bytesWritten).toBeGreaterThan(2 ** 20);
  });

  it('packed or announced as 50 MB is refused by its head', async () => {
    const packed = await talk(
      head({ ...signed('x'), 'content-encoding': 'gzip', 'content-length': '10', connection: 'close' }),
    );
    const long = await talk(head({ ...signed('x'), 'content-length': String(50 * 2 ** 20), connection: 'close' }));
    expect([statusOf(packed), statusOf(long)]).toEqual([415, 413]);
    expect(long).toContain('"limit_bytes":1048576');
  });

  it('whose head shows that it cannot verify is refused without waiting for its body', async () => {
    for (const [name, value, code] of [
      ['webhook-signature', 'v1,short', 'signature-malformed'],
      ['webhook-timestamp', clock.timestamp(-301), 'timestamp-out-of-window'],
    ] as const) {
      const said = await talk(head({ ...signed('x'), [name]: value, 'content-length': '1000', connection: 'close' }));
      expect(statusOf(said)).toBe(401);
      expect(said).toContain(code);
    }
    forgetTheRefused();
  });

  it('that asks first is told to go on, or is refused without its body', async () => {
    const body = JSON.stringify(show());
    const asking = { ...signed(body), expect: '100-continue', connection: 'close' };
    const taken = await talk(head({ ...asking, 'content-length': String(Buffer.byteLength(body)) }) + body);
    const refused = await talk(head({ ...asking, 'content-length': '1048577' }));
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202/);
    expect(statusOf(refused)).toBe(413);
  });

  it('with a signed header twice is refused, equal or not', async () => {
    const body = JSON.stringify(show());
    const headers = signed(body);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
      const twice = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
      const said = await talk(head(twice, `${name.toUpperCase()}: ${headers[name] ?? ''}`) + body);
      expect(statusOf(said)).toBe(401);
      expect(said).toContain('signature-malformed');
      // Not this test's subject: an address may be wrong only so often.
      forgetTheRefused();
    }
  });

  it('that is no HTTP is answered 400, and the process lives', async () => {
    for (const text of [
      'hello\r\n\r\n',
      'POST /ingest HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
    ]) {
      const said = await talk(text);
      expect(statusOf(said)).toBe(400);
      expect(said).toContain('urn:runway:problem:malformed-request');
    }
    expect(statusOf(await talk(head({ 'x-long': 'x'.repeat(100_000) })))).toBe(431);
    expect((await post()).status).toBe(202);
  });

  it('whose sender hangs up in the middle leaves nothing behind', async () => {
    const body = JSON.stringify(show({ title: 'hung up' }));
    for (let n = 0; n < 3 * MAX_IN_FLIGHT; n++) {
      const socket = await beginPost(body);
      socket.write(body.slice(0, 20));
      socket.destroy();
    }
    await untilAnswered(202);
    expect(await intake.db.query(`SELECT 1 FROM ingest_jobs WHERE subject_key = '7/hung up'`)).toEqual([]);
  });
});

describe('too many', () => {
  it('bodies at once are answered 503 with Retry-After, and the others are taken', async () => {
    await untilAnswered(202);
    const body = JSON.stringify(show());
    const open: { socket: Socket; status: Promise<number> }[] = [];
    let answer = await post();
    // A place is free again a moment after its answer is out, so it may take one more than there are places.
    while (answer.status === 202 && open.length < 3 * MAX_IN_FLIGHT) {
      // Each from its own address, which has a share of the places only.
      const socket = await beginPost(body, `203.0.113.${open.length}`);
      open.push({ socket, status: finalStatusOf(socket) });
      answer = await post();
    }
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body['type']).toBe('urn:runway:problem:intake-saturated');
    for (const { socket } of open) socket.write(body);
    const statuses = await Promise.all(open.map(({ status }) => status));
    expect(statuses.filter((status) => status === 202)).toHaveLength(MAX_IN_FLIGHT);
    expect((await untilAnswered(202)).status).toBe(202);
  });

  it('wrong signatures from one address are answered 429 with Retry-After, right ones too', async () => {
    forgetTheRefused();
    for (let n = 0; n < MAX_401; n++) expect((await post(OTHER_SECRET)).status).toBe(401);
    const wrong = await post(OTHER_SECRET);
    const right = await post();
    for (const answer of [wrong, right]) {
      expect(answer.status).toBe(429);
      expect(answer.body['type']).toBe('urn:runway:problem:rate-limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    forgetTheRefused();
    expect((await post()).status).toBe(202);
  });
});

describe('a process that closes', () => {
  it('answers 503 with Retry-After to whoever still asks on an open connection, and finishes what it took', async () => {
    const body = JSON.stringify(show());
    const closing = await startIntakeApp({ clock });
    const socket = connect(closing.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const lines = (length: number): string => head({ ...signed(body), 'content-length': String(length) });
    const length = Buffer.byteLength(body);
    socket.write(lines(length) + body.slice(0, 10));
    await once(socket, 'connect');
    await untilAnswered(202, `${closing.url}/ingest`);
    const stopped = closing.close();
    socket.write(body.slice(10) + lines(length) + body);
    await closed(socket);
    await stopped;
    expect(said).toMatch(/^HTTP\/1\.1 202[\s\S]*HTTP\/1\.1 503/);
    expect(said).toMatch(/retry-after: \d+/i);
    expect(said).toContain('urn:runway:problem:intake-unavailable');
  });
});

/** Posts until the answer is the one that the state just brought about must lead to. */
async function untilAnswered(status: number, url = door): ReturnType<typeof signedPost> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await signedPost(url, show(), { timestamp: clock.timestamp() });
    if (answer.status === status) return answer;
  }
  throw new Error(`No answer was ${status}`);
}

/** As if a minute had passed for an address that was wrong too often. Messages of the machine's own time stay in the window. */
function forgetTheRefused(): void {
  clock.forward(61);
}
