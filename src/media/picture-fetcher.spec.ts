import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type PictureOrigin, startPictureOrigin } from '../../examples/demo/picture-origin.js';
import { cooldowns, FakeMediaHosts } from '../../test/harness/fakes/fake-media.js';
import { testConfig } from '../../test/harness/test-config.js';
import { Clock } from '../platform/clock/clock.js';
import { assertFiltering, filteringAgents, openAgents } from './filtering-agents.js';
import { PictureError } from './picture-error.js';
import { PictureFetcher } from './picture-fetcher.js';

// prettier-ignore
const LOOPBACK_SPELLINGS = [
  '127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '0.0.0.0',
  '0', '[::]', 'localhost', '[fe80::1%25lo]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]',
];

let origin: PictureOrigin;
let neighbour: PictureOrigin;
const opened: PictureFetcher[] = [];
const { signal } = new AbortController();

beforeAll(async () => {
  Logger.overrideLogger(false);
  origin = await startPictureOrigin({ longSide: 400 });
  neighbour = await startPictureOrigin({ longSide: 400 });
});

afterEach(() => {
  origin.behaveWell();
  for (const fetcher of opened.splice(0)) fetcher.onModuleDestroy();
});

afterAll(async () => {
  await origin.close();
  await neighbour.close();
});

/** The production class over the production settings; the origin's port is the only private one that is open. */
function fetcherWith(env: Record<string, string> = {}, cooling = cooldowns()): PictureFetcher {
  const settings = {
    MEDIA_ALLOWED_PRIVATE_HOSTS: origin.host,
    MEDIA_USER_AGENT: 'test-archive/1 (+a@b.example)',
    ...env,
  };
  const fetcher = new PictureFetcher(testConfig('postgres://nobody@127.0.0.1/none', settings), new Clock(), cooling);
  fetcher.onModuleInit();
  opened.push(fetcher);
  return fetcher;
}

async function failure(work: Promise<unknown>): Promise<PictureError> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof PictureError) return error;
  throw error;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the picture fetcher', () => {
  it('brings the original’s bytes as they are (CASES, pictures 6)', async () => {
    for (const path of ['/a.jpg', '/b.png', '/c.webp', '/d.gif']) {
      const bytes = await fetcherWith().fetch(origin.url(path), signal);
      expect(sha256(bytes)).toBe(sha256(await origin.picture(path)));
    }
  });

  it('asks for the address as it was sent', async () => {
    const path = '/photos/1/master/w_2560%2Cc_limit/%E9%80%A0%2520a.jpg';
    await fetcherWith().fetch(origin.url(`${path}?w=300&x=%2F`), signal);
    expect(origin.requests(path)).toBe(1);
  });

  it('says who it is, and keeps no cookie', async () => {
    const fetcher = fetcherWith();
    origin.behave('/sweet.jpg', { do: 'bytes', body: Buffer.from('x'), headers: { 'set-cookie': 'a=b; Path=/' } });
    await fetcher.fetch(origin.url('/sweet.jpg'), signal);
    await fetcher.fetch(origin.url('/sweet.jpg'), signal);
    expect(origin.lastHeaders('/sweet.jpg')).toMatchObject({ 'user-agent': 'test-archive/1 (+a@b.example)' });
    expect(origin.lastHeaders('/sweet.jpg')).not.toHaveProperty('cookie');
    expect(origin.lastHeaders('/sweet.jpg')).not.toHaveProperty('referer');
  });

  it('connects to no private address, however it is spelt (CASES, pictures 1 and 2)', async () => {
    const fetcher = fetcherWith({ MEDIA_ALLOWED_PRIVATE_HOSTS: '', MEDIA_PORTS: `80,443,${origin.port}` });
    const before = origin.connections;
    for (const host of LOOPBACK_SPELLINGS) {
      const { code, nature } = await failure(fetcher.fetch(`http://${host}:${origin.port}/look.jpg`, signal));
      expect([host, code, nature]).toEqual([host, 'forbidden_address', 'permanent']);
    }
    for (const host of ['10.0.0.1', '169.254.169.254', '100.64.0.1']) {
      expect((await failure(fetcher.fetch(`http://${host}/look.jpg`, signal))).code).toBe('forbidden_address');
    }
    expect(origin.connections).toBe(before);
  });

  it('does not open other ports of a host whose one port is allowed', async () => {
    const ports = { MEDIA_PORTS: `80,${neighbour.port}` };
    expect((await failure(fetcherWith(ports).fetch(neighbour.url('/look.jpg'), signal))).code).toBe(
      'forbidden_address',
    );
    expect(neighbour.connections).toBe(0);
  });

  it('checks every hop of a redirect', async () => {
    const fetcher = fetcherWith({ MEDIA_PORTS: `80,${neighbour.port}` });
    origin.behave('/moved.jpg', { do: 'redirect', to: '/here.jpg' });
    expect(sha256(await fetcher.fetch(origin.url('/moved.jpg'), signal))).toBe(
      sha256(await origin.picture('/here.jpg')),
    );
    for (const to of [neighbour.url('/look.jpg'), `http://localhost:${neighbour.port}/look.jpg`]) {
      origin.behave('/inside.jpg', { do: 'redirect', to });
      expect((await failure(fetcher.fetch(origin.url('/inside.jpg'), signal))).code).toBe('forbidden_address');
    }
    origin.behave('/file.jpg', { do: 'redirect', to: 'file:///etc/passwd' });
    expect((await failure(fetcher.fetch(origin.url('/file.jpg'), signal))).code).toBe('bad_url');
    expect(neighbour.connections).toBe(0);
  });

  it('follows three redirects and not a fourth', async () => {
    for (const step of [1, 2, 3, 4])
      origin.behave(`/step-${step}.jpg`, { do: 'redirect', to: `/step-${step + 1}.jpg`, code: 307 });
    expect((await fetcherWith().fetch(origin.url('/step-2.jpg'), signal)).length).toBeGreaterThan(0);
    expect(await failure(fetcherWith().fetch(origin.url('/step-1.jpg'), signal))).toMatchObject({
      code: 'too_many_redirects',
      nature: 'permanent',
    });
    origin.behave('/nowhere.jpg', { do: 'status', code: 302 });
    expect((await failure(fetcherWith().fetch(origin.url('/nowhere.jpg'), signal))).code).toBe('http_302');
  });

  it.each([
    [404, 'permanent'],
    [410, 'permanent'],
    [403, 'permanent'],
    [304, 'permanent'],
    [204, 'permanent'],
    [408, 'transient'],
    [425, 'transient'],
    [500, 'transient'],
    [502, 'transient'],
  ] as const)('calls an answer %d %s', async (code, nature) => {
    origin.behave('/look.jpg', { do: 'status', code });
    expect(await failure(fetcherWith().fetch(origin.url('/look.jpg'), signal))).toMatchObject({
      code: `http_${code}`,
      nature,
      host: origin.host,
      retryAfterSeconds: undefined,
    });
  });

  it('says how long a host that refuses wants to be left alone', async () => {
    const waits = async (code: number, headers?: Record<string, string>): Promise<number | undefined> => {
      origin.behave('/busy.jpg', { do: 'status', code, ...(headers && { headers }) });
      const error = await failure(fetcherWith().fetch(origin.url('/busy.jpg'), signal));
      expect(error).toMatchObject({ code: `http_${code}`, nature: 'transient', host: origin.host });
      return error.retryAfterSeconds;
    };
    expect(await waits(429, { 'retry-after': '2' })).toBe(2);
    expect(await waits(503, { 'retry-after': 'later' })).toBe(60);
    expect(await waits(429)).toBe(60);
    const inAnHour = await waits(503, { 'retry-after': new Date(Date.now() + 1_800_000).toUTCString() });
    expect(inAnHour).toBeGreaterThan(1_700);
    expect(inAnHour).toBeLessThanOrEqual(1_800);
  });

  it('does not ask a host that wants to be left alone, whoever was told; others go on (CASES, pictures 5)', async () => {
    const hosts = new FakeMediaHosts();
    const both = { MEDIA_ALLOWED_PRIVATE_HOSTS: `${origin.host},${neighbour.host}` };
    const [told, other] = [fetcherWith(both, cooldowns(hosts)), fetcherWith(both, cooldowns(hosts))];
    origin.behave('/busy.jpg', { do: 'status', code: 429, headers: { 'retry-after': '30' } });
    neighbour.behave('/moved.jpg', { do: 'redirect', to: origin.url('/left-alone.jpg') });
    expect((await failure(told.fetch(origin.url('/busy.jpg'), signal))).code).toBe('http_429');
    const before = origin.total;
    for (const fetcher of [told, other]) {
      for (const url of [origin.url('/left-alone.jpg'), neighbour.url('/moved.jpg')]) {
        const refused = await failure(fetcher.fetch(url, signal));
        expect(refused).toMatchObject({ code: 'host_cooling', nature: 'transient', host: origin.host });
        expect(refused.retryAfterSeconds).toBeGreaterThan(25);
      }
      expect((await fetcher.fetch(neighbour.url('/look.jpg'), signal)).length).toBeGreaterThan(0);
    }
    expect(origin.total).toBe(before);
  });

  it('asks nothing more of such a host for those that stood in its queue', async () => {
    const fetcher = fetcherWith({ MEDIA_PER_HOST: '2' });
    origin.behave('/queue/', { do: 'status', code: 503 });
    const codes = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, look) => (await failure(fetcher.fetch(origin.url(`/queue/${look}.jpg`), signal))).code,
      ),
    );
    expect(codes.filter((code) => code === 'http_503')).toHaveLength(2);
    expect(codes.filter((code) => code === 'host_cooling')).toHaveLength(10);
  });

  it('asks once: trying again is the job’s business', async () => {
    origin.behave('/once.jpg', { do: 'fail', times: 1, code: 503 });
    await failure(fetcherWith().fetch(origin.url('/once.jpg'), signal));
    expect(origin.requests('/once.jpg')).toBe(1);
    expect((await fetcherWith().fetch(origin.url('/once.jpg'), signal)).length).toBeGreaterThan(0);
  });

  it('stops reading at the byte limit, told or not', async () => {
    const fetcher = fetcherWith({ MEDIA_MAX_BYTES: '100000' });
    origin.behave('/told.jpg', { do: 'too-large', bytes: 100_001 });
    origin.behave('/untold.jpg', { do: 'too-large', bytes: 100_001, declared: false });
    origin.behave('/endless.jpg', { do: 'never-end' });
    for (const path of ['/told.jpg', '/untold.jpg', '/endless.jpg']) {
      expect(await failure(fetcher.fetch(origin.url(path), signal))).toMatchObject({
        code: 'too_large',
        nature: 'permanent',
      });
    }
    origin.behave('/just.jpg', { do: 'too-large', bytes: 100_000, declared: false });
    expect((await fetcher.fetch(origin.url('/just.jpg'), signal)).length).toBe(100_000);
  });

  it('gives up on a host that answers nothing, or a byte at a time', async () => {
    const fetcher = fetcherWith({ MEDIA_REQUEST_TIMEOUT_MS: '300' });
    origin.behave('/hang.jpg', { do: 'hang' });
    origin.behave('/drip.jpg', { do: 'drip', bytesPerSecond: 200 });
    for (const path of ['/hang.jpg', '/drip.jpg']) {
      expect(await failure(fetcher.fetch(origin.url(path), signal))).toMatchObject({
        code: 'timeout',
        nature: 'transient',
      });
    }
  });

  it('takes a broken connection, a closed port and an unknown name for trouble that may pass', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const hosts = `${origin.host},127.0.0.1:${port},nowhere.invalid:80`;
    const fetcher = fetcherWith({ MEDIA_ALLOWED_PRIVATE_HOSTS: hosts });
    origin.behave('/reset.jpg', { do: 'reset', afterBytes: 500 });
    origin.behave('/drop.jpg', { do: 'drop' });
    for (const url of [
      origin.url('/reset.jpg'),
      origin.url('/drop.jpg'),
      `http://127.0.0.1:${port}/a.jpg`,
      'http://nowhere.invalid/a.jpg',
    ]) {
      expect(await failure(fetcher.fetch(url, signal))).toMatchObject({ code: 'connection', nature: 'transient' });
    }
    expect([origin.requests('/reset.jpg'), origin.requests('/drop.jpg')]).toEqual([1, 1]);
  });

  it('lets only so many requests at a time go to one host', async () => {
    const fetcher = fetcherWith({ MEDIA_PER_HOST: '2' });
    const calm = await startPictureOrigin({ longSide: 400 });
    const both = fetcherWith({ MEDIA_PER_HOST: '2', MEDIA_ALLOWED_PRIVATE_HOSTS: calm.host });
    await Promise.all(Array.from({ length: 12 }, (_, look) => both.fetch(calm.url(`/${look}.jpg`), signal)));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(calm.total).toBe(12);
    expect(calm.peak).toBe(2);
    // Two that hang do not keep another host waiting.
    origin.behave('/hang/', { do: 'hang' });
    const stop = new AbortController();
    const hanging = [1, 2, 3].map((look) => failureOf(fetcher.fetch(origin.url(`/hang/${look}.jpg`), stop.signal)));
    expect((await both.fetch(calm.url('/13.jpg'), signal)).length).toBeGreaterThan(0);
    stop.abort(new Error('the job was taken away'));
    expect(await Promise.all(hanging)).toEqual(Array(3).fill('the job was taken away'));
    await calm.close();
  });

  it('stops at once when its job is taken away, and asks for nothing more', async () => {
    const fetcher = fetcherWith();
    origin.behave('/slow.jpg', { do: 'drip', bytesPerSecond: 100 });
    const stop = new AbortController();
    const fetching = failureOf(fetcher.fetch(origin.url('/slow.jpg'), stop.signal));
    stop.abort(new Error('lost'));
    expect(await fetching).toBe('lost');
    expect(await failureOf(fetcher.fetch(origin.url('/never.jpg'), stop.signal))).toBe('lost');
    expect(origin.requests('/never.jpg')).toBe(0);
  });

  it.each(['http', 'https'] as const)('dials no %s name that leads to a private address too', async (scheme) => {
    const agents = filteringAgents((_name, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '::7f00:1', family: 6 },
      ]),
    );
    const { get } = scheme === 'http' ? http : https;
    const request = get({ agent: agents[scheme], host: 'two-faced.example', path: '/look.jpg' });
    const [error] = (await once(request, 'response').catch((reason: unknown) => [reason])) as unknown[];
    expect(error).toMatchObject({ code: 'FORBIDDEN_ADDRESS' });
  });

  it('refuses to start when its agents would connect to anything', () => {
    expect(() => assertFiltering(openAgents())).toThrow('can not be fetched safely');
  });
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
