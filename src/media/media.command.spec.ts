import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { S3Fault } from '../../test/harness/s3-faults.js';
import { type S3Server, startS3Server } from '../../test/harness/s3-server.js';
import { TestClock } from '../../test/harness/test-clock.js';
import { Clock } from '../platform/clock/clock.js';
import { readMediaConfig } from '../platform/config/media-config.js';
import { runMediaCheckCommand } from './media.command.js';

let server: S3Server;
let front: Server;
let publicBaseUrl: string;
/** What the public address answers with. */
let published: (key: string) => Buffer | undefined;

beforeAll(async () => {
  server = await startS3Server();
  front = createServer((request, response) => {
    const bytes = published((request.url ?? '').slice(1));
    response.writeHead(bytes ? 200 : 403).end(bytes);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  publicBaseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise((resolve) => front.close(resolve));
  await server.close();
});
beforeEach(() => {
  server.clear();
  published = (key) => server.objects.get(key)?.bytes;
});

async function check(env: Record<string, string>, clock = new Clock()): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const code = await runMediaCheckCommand(readMediaConfig(env), clock, { print: (line) => void said.push(line) });
  const text = said.join('\n');
  expect(text).not.toContain(server.secretAccessKey);
  expect(text).not.toContain(server.accessKeyId);
  expect(text).not.toContain('X-Amz-');
  return { code, said };
}

const wrong = (said: string[]): string[] => said.filter((line) => line.startsWith('  WRONG'));

describe('media:check', () => {
  it('does with a bucket all that the service does, and leaves nothing', async () => {
    const { code, said } = await check({ ...server.env, S4_PUBLIC_BASE_URL: publicBaseUrl, S4_PREFIX: 'a' });
    expect(said).toEqual([
      `Pictures go to pictures at ${server.endpoint}`,
      '  ok     put',
      '  ok     get, and compare',
      '  ok     exists',
      '  ok     list',
      '  ok     address for the admin',
      '  ok     address for everybody',
      '  ok     delete',
      '  ok     is gone',
      'The store can be used.',
    ]);
    expect(code).toBe(0);
    expect(server.objects.size).toBe(0);
    expect(new Set(server.exchanges.map(({ method }) => method))).toEqual(new Set(['PUT', 'GET', 'HEAD', 'DELETE']));
  });

  it('does the same with a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-check-'));
    try {
      const { code, said } = await check({ DATA_DIR: folder });
      expect(said[0]).toBe(`Pictures are files in ${join(folder, 'media')}`);
      expect(said.join()).not.toContain('address');
      expect(wrong(said)).toEqual([]);
      expect(code).toBe(0);
      const left = await readdir(folder, { recursive: true, withFileTypes: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says so when the folder is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-check-'));
    try {
      await writeFile(join(folder, 'media'), 'a file');
      const { code, said } = await check({ DATA_DIR: folder });
      expect(wrong(said)).toEqual([expect.stringMatching(/put: .*media/)]);
      expect(code).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['the access key', { S4_ACCESS_KEY_ID: 'OTHER' }, /put: .*does not know the access key: mend S4_ACCESS_KEY_ID/],
    ['the secret', { S4_SECRET_ACCESS_KEY: 'other' }, /put: .*mend S4_SECRET_ACCESS_KEY/],
    ['the bucket', { S4_BUCKET: 'other' }, /put: .*no such bucket: make it, or mend S4_BUCKET/],
    ['the region', { S4_REGION: 'eu-other-2' }, /put: .*mend S4_REGION.*eu-test-1/],
    ['the port', { S4_ENDPOINT: 'http://127.0.0.1:9' }, /put: .*nobody answers at 127\.0\.0\.1:9/],
  ])('says so when %s is wrong, and does not go on', async (_, env, words) => {
    const { code, said } = await check({ ...server.env, ...env });
    expect(wrong(said)).toEqual([expect.stringMatching(words)]);
    expect(said.at(-2)).toBe('  The rest is not tried.');
    expect(said.at(-1)).toBe('The store cannot be used like this.');
    expect(code).toBe(1);
  });

  it('says so when TLS is expected where there is none', async () => {
    const { said } = await check({ ...server.env, S4_ENDPOINT: server.endpoint.replace('http', 'https') });
    expect(wrong(said)).toEqual([expect.stringMatching(/speaks no TLS: begin S4_ENDPOINT with http:/)]);
  });

  it("says so when this machine's clock is wrong", async () => {
    const ahead = await startS3Server({ now: () => new Date(Date.now() + 3_600_000) });
    try {
      const { code, said } = await check(ahead.env);
      expect(wrong(said)).toEqual([expect.stringMatching(/put: .*clock.*NTP/)]);
      expect(code).toBe(1);
    } finally {
      await ahead.close();
    }
  });

  it.each<[string, string, S3Fault, RegExp]>([
    ['gives back other bytes', 'GET', { is: 'wrong bytes' }, /get, and compare: what came back \(65536 bytes\) is not/],
    ['may not be looked at', 'HEAD', { is: 'error', status: 403, code: 'AccessDenied' }, /exists: .*ListBucket/],
    ['may not be deleted from', 'DELETE', { is: 'error', status: 403, code: 'AccessDenied' }, /delete: .*DeleteObject/],
  ])('says so when the store %s, and goes on', async (_, method, fault, words) => {
    server.play(fault, { method });
    const { code, said } = await check(server.env);
    expect(wrong(said)[0]).toMatch(words);
    expect(said.some((line) => line.includes('is gone'))).toBe(true);
    expect(code).toBe(1);
  });

  it('says so when the public address shows nothing, or another bucket', async () => {
    published = () => undefined;
    const env = { ...server.env, S4_PUBLIC_BASE_URL: publicBaseUrl };
    expect(wrong((await check(env)).said)).toEqual([
      expect.stringMatching(/address for everybody: http:.*media_check.* answers 403/),
    ]);
    published = () => Buffer.from('an index page');
    expect(wrong((await check(env)).said)).toEqual([
      expect.stringMatching(/for everybody: what came back \(13 bytes\)/),
    ]);
    const nowhere = { ...env, S4_PUBLIC_BASE_URL: 'http://127.0.0.1:9' };
    expect(wrong((await check(nowhere)).said)).toEqual([expect.stringMatching(/everybody: .*cannot be reached/)]);
  });

  it('says so when addresses for the admin are not valid', async () => {
    const clock = new TestClock();
    clock.forward(-3_600);
    const { code, said } = await check(server.env, clock);
    expect(wrong(said)).toEqual([expect.stringMatching(/address for the admin: http:.* answers 403/)]);
    expect(code).toBe(1);
  });
});
