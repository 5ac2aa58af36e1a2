import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keepsTheContract } from '../../test/harness/object-store-contract.js';
import { internalError, type S3Fault, slowDown } from '../../test/harness/s3-faults.js';
import { type S3Server, startS3Server } from '../../test/harness/s3-server.js';
import { TestClock } from '../../test/harness/test-clock.js';
import { Clock } from '../platform/clock/clock.js';
import { readMediaConfig } from '../platform/config/media-config.js';
import { AppLogger } from '../platform/logging/app-logger.js';
import { objectKey } from './object-key.js';
import { S4Store } from './s4-store.js';
import { StoreError } from './store-error.js';

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());
beforeEach(() => server.clear());

const stores: S4Store[] = [];
afterEach(() => stores.splice(0).forEach((store) => store.onApplicationShutdown()));

function opened(env: Record<string, string> = {}, clock = new Clock()): S4Store {
  const { s4 } = readMediaConfig({ ...server.env, ...env });
  if (s4 === undefined) throw new Error('no settings');
  const store = new S4Store(s4, clock);
  stores.push(store);
  return store;
}

describe.each([[''], ['archive/2026/']])('the S4 store with the prefix %j', (prefix) => {
  keepsTheContract(() => {
    const store = opened({ S4_PREFIX: prefix });
    return Promise.resolve({
      store,
      plant: (name) => {
        const object = { bytes: Buffer.from('x'), contentType: 'image/jpeg', cacheControl: undefined };
        server.objects.set(prefix + name, { ...object, modifiedAt: new Date() });
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    });
  });
});

const SHA = '0123456789abcdef'.repeat(4);
const KEY = objectKey('runway', '17', 3, SHA, 'jpg');
const PICTURE = Buffer.alloc(3_000_000, 'a picture ');

describe('what goes over the wire', () => {
  it('is nothing that only some stores understand', async () => {
    const store = opened();
    await store.put(KEY, PICTURE, 'image/jpeg');
    await store.get(KEY);
    await store.exists(KEY);
    await drained(store.list('runway/'));
    await store.remove(KEY);
    expect(server.exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'PUT 200',
      'GET 200',
      'HEAD 200',
      'GET 200',
      'HEAD 200',
      'DELETE 204',
    ]);
    for (const { url, headers } of server.exchanges) {
      const sent = JSON.stringify([url, headers]).toLowerCase();
      expect(sent).not.toMatch(/x-amz-checksum|x-amz-sdk-checksum|x-amz-trailer|aws-chunked|100-continue|uploads/);
      expect(headers['transfer-encoding']).toBeUndefined();
    }
    expect(server.exchanges[0]?.headers['content-length']).toBe(String(PICTURE.length));
  });

  it('is a type, and that the bytes never change', async () => {
    await opened().put(KEY, PICTURE, 'image/webp');
    expect(server.objects.get(KEY)).toMatchObject({
      contentType: 'image/webp',
      cacheControl: 'public, max-age=31536000, immutable',
    });
  });

  it('uses connections again', async () => {
    const store = opened();
    for (let round = 0; round < 5; round++) await store.exists(KEY);
    expect(new Set(server.exchanges.map(({ port }) => port)).size).toBe(1);
  });
});

describe('a put', () => {
  it.each<[string, S3Fault]>([
    ['the store asks for less', slowDown()],
    ['the store asks for less, and says for how long', slowDown(1)],
    ['the store fails', internalError()],
    ['the store fails after it has written', internalError('after')],
    ['the answer is lost', { is: 'lost answer' }],
    ['the connection breaks in the middle of the bytes', { is: 'reset', afterBytes: 1_000_000 }],
    ['the connection breaks at the first byte', { is: 'reset', afterBytes: 1 }],
  ])('is made again when %s', async (_, fault) => {
    server.play(fault, { method: 'PUT' });
    await opened().put(KEY, PICTURE, 'image/jpeg');
    const puts = server.exchanges.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(2);
    expect(puts[1]?.url).toBe(puts[0]?.url);
    expect(server.objects.get(KEY)?.bytes.equals(PICTURE)).toBe(true);
    expect([...server.objects.keys()]).toEqual([KEY]);
  });

  it('waits as long as a store asks for that asks for a moment', async () => {
    server.play(slowDown(1), { method: 'PUT' });
    const began = performance.now();
    await opened().put(KEY, PICTURE, 'image/jpeg');
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it('is left to the job when the store asks for longer', async () => {
    server.play(slowDown(120), { method: 'PUT', times: 9 });
    await expect(opened().put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({
      code: 'store-busy',
      nature: 'transient',
      retryAfterSeconds: 120,
    });
    expect(server.exchanges).toHaveLength(1);
  });

  it('is tried three times and no more', async () => {
    server.play(internalError(), { method: 'PUT', times: 9 });
    const put = opened().put(KEY, PICTURE, 'image/jpeg');
    await expect(put).rejects.toMatchObject({
      code: 'store-failed',
      nature: 'transient',
      retryAfterSeconds: undefined,
    });
    expect(server.exchanges).toHaveLength(3);
  });

  it('leaves no object and no open upload when it never comes through', async () => {
    server.play({ is: 'reset', afterBytes: 1_000_000 }, { method: 'PUT', times: 9 });
    const put = opened().put(KEY, PICTURE, 'image/jpeg');
    await expect(put).rejects.toMatchObject({ code: 'store-connection-lost', nature: 'transient' });
    expect(server.objects.size).toBe(0);
    expect(server.exchanges.every(({ url }) => !/[?&]upload/.test(url))).toBe(true);
  });

  it('leaves a whole object or none when the process dies in the middle', async () => {
    const other = Buffer.alloc(PICTURE.length, 'another ');
    const store = opened();
    await store.put(KEY, other, 'image/jpeg');
    server.play({ is: 'stall', afterBytes: 500_000 }, { method: 'PUT' });
    const dying = opened();
    const put = dying.put(KEY, PICTURE, 'image/jpeg').catch(() => 'dead');
    await server.stalled();
    // All that the other side sees of a SIGKILL: the connections are gone.
    server.refuse(true);
    dying.onApplicationShutdown();
    expect(await put).toBe('dead');
    server.refuse(false);
    expect((await store.get(KEY)).equals(other)).toBe(true);
    expect(await drained(store.list(''))).toHaveLength(1);
  });

  it('does not wait for ever', async () => {
    server.play({ is: 'slow', milliseconds: Infinity }, { method: 'PUT', times: 3 });
    const store = opened({ S4_REQUEST_TIMEOUT_MS: '150' });
    await expect(store.put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({
      code: 'store-timeout',
      nature: 'transient',
    });
    expect(server.exchanges).toHaveLength(3);
  });

  it('waits for a store that is slow and not too slow', async () => {
    server.play({ is: 'slow', milliseconds: 200 }, { method: 'PUT' });
    await opened().put(KEY, PICTURE, 'image/jpeg');
    expect(server.exchanges).toHaveLength(1);
  });

  it('goes to the store a bounded number at a time, and the wait for that counts for nothing', async () => {
    server.play({ is: 'slow', milliseconds: 300 }, { method: 'PUT', times: 100 });
    const store = opened({ S4_REQUEST_TIMEOUT_MS: '900' });
    const keys = Array.from({ length: 100 }, (_, position) => objectKey('runway', '1', position, SHA, 'jpg'));
    await Promise.all(keys.map((key) => store.put(key, Buffer.from('x'), 'image/jpeg')));
    expect(server.mostAtOnce).toBe(32);
    expect(server.exchanges).toHaveLength(100);
  });
});

describe('a get', () => {
  beforeEach(() => opened().put(KEY, PICTURE, 'image/jpeg'));

  it.each<[string, S3Fault]>([
    ['sends half of it', { is: 'cut' }],
    ['breaks off', { is: 'reset', afterBytes: 1_000_000 }],
    ['fails', internalError()],
  ])('is made again when the store %s', async (_, fault) => {
    server.play(fault, { method: 'GET' });
    expect((await opened().get(KEY)).equals(PICTURE)).toBe(true);
  });

  it('gives no part of an object', async () => {
    server.play({ is: 'cut' }, { method: 'GET', times: 9 });
    await expect(opened().get(KEY)).rejects.toMatchObject({ code: 'store-connection-lost', nature: 'transient' });
  });

  it('does not wait for the rest for ever', async () => {
    server.play({ is: 'stall', afterBytes: 1_000_000 }, { method: 'GET', times: 3 });
    const store = opened({ S4_REQUEST_TIMEOUT_MS: '150' });
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'store-timeout' });
  });

  it('that is streamed takes as long as its reader likes', async () => {
    const store = opened({ S4_REQUEST_TIMEOUT_MS: '300' });
    const object = await store.open(KEY);
    if (object === undefined) throw new Error('there is no such object');
    const read: Buffer[] = [];
    for await (const chunk of object.stream as AsyncIterable<Buffer>) {
      read.push(chunk);
      if (read.length < 10) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(Buffer.concat(read).equals(PICTURE)).toBe(true);
  });
});

describe('a removal', () => {
  it('says that it removed although the first answer was lost', async () => {
    const store = opened();
    await store.put(KEY, PICTURE, 'image/jpeg');
    server.play({ is: 'lost answer' }, { method: 'DELETE' });
    expect(await store.remove(KEY)).toBe('removed');
    expect(server.objects.size).toBe(0);
  });

  it('is sent although the store does not know of the object yet', async () => {
    const store = opened();
    await store.put(KEY, PICTURE, 'image/jpeg');
    server.play({ is: 'error', status: 404, code: 'NoSuchKey' }, { method: 'HEAD' });
    expect(await store.remove(KEY)).toBe('missing');
    expect(server.objects.size).toBe(0);
  });

  it('takes a store at its word that says 404 where others say 204', async () => {
    server.play({ is: 'error', status: 404, code: 'NoSuchKey' }, { method: 'DELETE' });
    expect(await opened().remove(KEY)).toBe('missing');
  });
});

describe('a listing', () => {
  it('goes on after a page that failed at first', async () => {
    const store = opened();
    const keys = Array.from({ length: 5 }, (_, position) => objectKey('runway', '1', position, SHA, 'jpg'));
    for (const key of keys) await store.put(key, Buffer.from('x'), 'image/jpeg');
    server.pageSize = 2;
    server.play(slowDown(), { method: 'GET' });
    expect((await drained(store.list(''))).map(({ key }) => key)).toEqual(keys);
    server.pageSize = 1000;
  });

  it('reads names as they are, whatever is in them', async () => {
    for (const name of ['a b', 'a+b', 'ü/é', '<&>', 'bell\u0007'])
      server.objects.set(name, { bytes: PICTURE, contentType: 'x', cacheControl: undefined, modifiedAt: new Date() });
    await opened().put(KEY, PICTURE, 'image/jpeg');
    expect((await drained(opened().list(''))).map(({ key }) => key)).toEqual([KEY]);
  });
});

describe('an address', () => {
  it('is signed, good for everybody who has it, and ends', async () => {
    const clock = new TestClock();
    const store = opened({}, clock);
    await store.put(KEY, PICTURE, 'image/webp');
    const { url, seconds } = await store.address(KEY, true);
    expect(seconds).toBe(300);
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
    expect(url.toLowerCase()).not.toContain('checksum');
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(Buffer.from(await answer.arrayBuffer()).equals(PICTURE)).toBe(true);
    expect((await fetch(url.replace(KEY, objectKey('runway', '18', 3, SHA, 'jpg')))).status).toBe(403);

    clock.forward(-901);
    const old = await store.address(KEY, true);
    expect((await fetch(old.url)).status).toBe(403);
  });

  it('is the same for a while, so that a browser has the picture already', async () => {
    const clock = new TestClock();
    const store = opened({}, clock);
    clock.set(1_800_000_000);
    const first = await store.address(KEY, false);
    clock.forward(299);
    expect(await store.address(KEY, false)).toEqual(first);
    clock.forward(1);
    expect(await store.address(KEY, false)).not.toEqual(first);
  });

  it('is the public one for what everybody may see, and no other', async () => {
    const store = opened({ S4_PUBLIC_BASE_URL: 'https://pictures.example.org/archive/', S4_PREFIX: 'a' });
    expect(await store.address(KEY, true)).toEqual({
      url: `https://pictures.example.org/archive/a/${KEY}`,
      seconds: 300,
    });
    expect((await store.address(KEY, false)).url).toContain(`${server.endpoint}/pictures/a/${KEY}?`);
  });

  it('is none for what is no key', async () => {
    await expect(opened().address('../x', true)).rejects.toMatchObject({ code: 'object-key-invalid' });
  });
});

describe('a store that cannot be used', () => {
  it.each<[string, Record<string, string>, string, RegExp]>([
    ['a foreign key', { S4_ACCESS_KEY_ID: 'SOMEBODYELSE' }, 'store-access-key-unknown', /S4_ACCESS_KEY_ID/],
    ['a wrong secret', { S4_SECRET_ACCESS_KEY: 'wrong' }, 'store-secret-wrong', /S4_SECRET_ACCESS_KEY/],
    ['no such bucket', { S4_BUCKET: 'picture' }, 'store-bucket-missing', /S4_BUCKET/],
    ['another region', { S4_REGION: 'us-east-1' }, 'store-region-wrong', /S4_REGION.*eu-test-1/],
    ['nobody there', { S4_ENDPOINT: 'http://127.0.0.1:9' }, 'store-unreachable', /127\.0\.0\.1:9.*S4_ENDPOINT/],
    ['no such host', { S4_ENDPOINT: 'http://no-host.invalid' }, 'store-unreachable', /no-host\.invalid/],
  ])('says so: %s', async (_, env, code, words) => {
    const failing = opened(env).put(KEY, PICTURE, 'image/jpeg');
    const error = await failing.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(words);
  });

  it('says so: TLS where there is none', async () => {
    const store = opened({ S4_ENDPOINT: server.endpoint.replace('http:', 'https:') });
    const put = store.put(KEY, PICTURE, 'image/jpeg');
    await expect(put).rejects.toMatchObject({ code: 'store-tls', nature: 'permanent' });
    await expect(put).rejects.toThrow(/begin S4_ENDPOINT with http:/);
  });

  it('says so: a clock that is wrong', async () => {
    const wrong = await startS3Server({ now: () => new Date(Date.now() + 3_600_000) });
    try {
      const store = opened(wrong.env);
      await expect(store.put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({ code: 'store-clock-skewed' });
      expect(wrong.exchanges).toHaveLength(1);
    } finally {
      await wrong.close();
    }
  });

  it.each([
    [200, 'the start page'],
    [404, 'not here'],
    [502, 'bad gateway'],
  ])('says so: a web server that answers %i and a page', async (status, html) => {
    server.play({ is: 'page', status, html: `<!doctype html><p>${html} &nbsp;<br></p>` }, { times: 9 });
    const code = status === 502 ? 'store-failed' : expect.stringMatching(/^store-(is-none|refused)$/);
    await expect(drained(opened().list(''))).rejects.toMatchObject({ code });
    if (status !== 200) await expect(opened().put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({ code });
  });

  it('is not asked twice when the answer would be the same', async () => {
    await expect(opened({ S4_SECRET_ACCESS_KEY: 'wrong' }).get(KEY)).rejects.toMatchObject({ nature: 'permanent' });
    expect(server.exchanges).toHaveLength(1);
  });

  it('does not pass for an empty one', async () => {
    const store = opened({ S4_BUCKET: 'picture' });
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'store-bucket-missing' });
    await expect(store.open(KEY)).rejects.toMatchObject({ code: 'store-bucket-missing' });
    await expect(store.remove(KEY)).rejects.toMatchObject({ code: 'store-bucket-missing' });
    await expect(drained(store.list(''))).rejects.toMatchObject({ code: 'store-bucket-missing' });
  });
});

describe('the credentials', () => {
  it('are in no error and no line of a log, whatever goes wrong', async () => {
    const { accessKeyId, secretAccessKey } = server;
    const written = captureOutput();
    const errors: unknown[] = [];
    const collect = async (work: () => Promise<unknown>): Promise<void> => {
      await work().then(
        () => errors.push(new Error('nothing went wrong')),
        (error: unknown) => errors.push(error),
      );
    };
    try {
      const talkative = { is: 'error', code: 'Odd', message: `${accessKeyId} with ${secretAccessKey}?` } as const;
      const faults: S3Fault[] = [
        slowDown(60),
        internalError(),
        { is: 'lost answer' },
        { is: 'page', status: 403, html: `<p>${accessKeyId}</p>` },
        { ...talkative, status: 400 },
        { ...talkative, status: 500 },
        { ...talkative, status: 403, code: 'InvalidAccessKeyId' },
      ];
      const brief = opened({ S4_REQUEST_TIMEOUT_MS: '400' });
      for (const fault of faults) {
        server.play(fault, { times: 3 });
        await collect(() => brief.put(KEY, PICTURE, 'image/jpeg'));
        server.clear();
      }
      server.play({ is: 'slow', milliseconds: Infinity }, { times: 3 });
      await collect(() => brief.get(KEY));
      server.clear();
      const wrongly: Record<string, string>[] = [
        { S4_SECRET_ACCESS_KEY: `${secretAccessKey}x` },
        { S4_ACCESS_KEY_ID: `${accessKeyId}X` },
        { S4_BUCKET: 'other' },
        { S4_REGION: 'us-east-1' },
        { S4_ENDPOINT: server.endpoint.replace('http:', 'https:') },
        { S4_ENDPOINT: 'http://127.0.0.1:9' },
      ];
      for (const env of wrongly) {
        await collect(() => opened(env).put(KEY, PICTURE, 'image/jpeg'));
        await collect(() => opened(env).remove(KEY));
        await collect(() => drained(opened(env).list('')));
      }
      const logger = new AppLogger('json', 'debug');
      for (const error of errors) logger.error(error, (error as Error).stack, 'media');
    } finally {
      written.restore();
    }
    expect(errors.map((error) => (error as Error).message)).not.toContain('nothing went wrong');
    expect(written.text.split('\n').length).toBeGreaterThan(errors.length);
    const everything = [written.text, ...errors.map((error) => inspect(error, { depth: null, showHidden: true }))];
    for (const text of everything) {
      expect(text).not.toContain(secretAccessKey);
      expect(text).not.toContain(accessKeyId);
      expect(text).not.toMatch(/Signature=|AWS4-HMAC/);
    }
  });
});

async function drained<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

/** All that this process writes, and shows nowhere meanwhile. */
function captureOutput(): { text: string; restore: () => void } {
  const captured = { text: '', restore: () => undefined as void };
  const streams = [process.stdout, process.stderr];
  const spies = streams.map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      captured.text += String(chunk);
      return true;
    }),
  );
  const calls = (['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((name) =>
    jest.spyOn(console, name).mockImplementation((...said: unknown[]) => {
      captured.text += inspect(said, { depth: null });
    }),
  );
  captured.restore = () => [...spies, ...calls].forEach((spy) => spy.mockRestore());
  return captured;
}
