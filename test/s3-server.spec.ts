import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type S3Server, startS3Server } from './harness/s3-server.js';
import { sha256Hex, signatureOf, type SignedParts } from './harness/sigv4.js';

/** The examples of Amazon's own description of Signature Version 4 for S3. */
const PUBLISHED = { secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', time: '20130524T000000Z', region: 'us-east-1' };
const EMPTY = sha256Hex('');

describe('the signature that the server checks by', () => {
  it('is the published one, in headers', () => {
    const parts: SignedParts = {
      ...PUBLISHED,
      method: 'GET',
      path: '/test.txt',
      query: [],
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': EMPTY,
        'x-amz-date': PUBLISHED.time,
      },
      signedHeaders: ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
      payloadHash: EMPTY,
    };
    expect(signatureOf(PUBLISHED.secret, parts)).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  it('is the published one, in the query', () => {
    const parts: SignedParts = {
      ...PUBLISHED,
      method: 'GET',
      path: '/test.txt',
      query: [
        ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
        ['X-Amz-Credential', 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'],
        ['X-Amz-Date', PUBLISHED.time],
        ['X-Amz-Expires', '86400'],
        ['X-Amz-SignedHeaders', 'host'],
      ],
      headers: { host: 'examplebucket.s3.amazonaws.com' },
      signedHeaders: ['host'],
      payloadHash: 'UNSIGNED-PAYLOAD',
    };
    expect(signatureOf(PUBLISHED.secret, parts)).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });
});

describe('the server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.close());
  beforeEach(() => server.clear());

  interface Signing {
    method?: string;
    path?: string;
    body?: string;
    headers?: Record<string, string>;
    /** What is changed after signing. */
    then?: { path?: string; body?: string; headers?: Record<string, string> };
    secret?: string;
    time?: Date;
  }

  async function send(signing: Signing): Promise<{ status: number; code: string }> {
    const { method = 'PUT', path = '/pictures/a.jpg', body = 'bytes', secret = server.secretAccessKey } = signing;
    const time = (signing.time ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, '');
    const headers: Record<string, string> = {
      'content-type': 'image/jpeg',
      host: new URL(server.endpoint).host,
      'x-amz-content-sha256': sha256Hex(body),
      'x-amz-date': time,
      ...signing.headers,
    };
    const signedHeaders = Object.keys(headers).sort();
    const payloadHash = headers['x-amz-content-sha256'] ?? '';
    const { region } = server;
    const parts = { method, path, query: [], headers, signedHeaders, payloadHash, time, region };
    const scope = `${server.accessKeyId}/${time.slice(0, 8)}/${region}/s3/aws4_request`;
    const signature = signatureOf(secret, parts);
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
    const { host: _, ...sent } = { ...headers, ...signing.then?.headers };
    const answer = await fetch(server.endpoint + (signing.then?.path ?? path), {
      method,
      headers: { ...sent, authorization },
      ...(method === 'PUT' && { body: signing.then?.body ?? body }),
    });
    return { status: answer.status, code: /<Code>(\w+)</.exec(await answer.text())?.[1] ?? '' };
  }

  it('takes what is signed', async () => {
    expect(await send({})).toEqual({ status: 200, code: '' });
    expect(server.objects.get('a.jpg')?.bytes.toString()).toBe('bytes');
  });

  it.each<[string, Signing, number, string]>([
    ['another secret', { secret: 'other' }, 403, 'SignatureDoesNotMatch'],
    ['another key than was signed', { then: { path: '/pictures/b.jpg' } }, 403, 'SignatureDoesNotMatch'],
    ['another type than was signed', { then: { headers: { 'content-type': 'x' } } }, 403, 'SignatureDoesNotMatch'],
    ['other bytes than were signed', { then: { body: 'other' } }, 400, 'XAmzContentSHA256Mismatch'],
    ['a header that is not signed', { then: { headers: { 'x-amz-acl': 'public-read' } } }, 403, 'AccessDenied'],
    ['an old request', { time: new Date(Date.now() - 16 * 60_000) }, 403, 'RequestTimeTooSkewed'],
    ['a request of the future', { time: new Date(Date.now() + 16 * 60_000) }, 403, 'RequestTimeTooSkewed'],
    ['an unsigned payload', { headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }, 501, 'NotImplemented'],
    [
      'a payload in chunks',
      { headers: { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'content-encoding': 'aws-chunked' } },
      501,
      'NotImplemented',
    ],
    ['a checksum', { headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } }, 501, 'NotImplemented'],
    ['an announced checksum', { headers: { 'x-amz-sdk-checksum-algorithm': 'CRC32' } }, 501, 'NotImplemented'],
    ['another bucket', { path: '/other/a.jpg' }, 404, 'NoSuchBucket'],
  ])('refuses %s', async (_, signing, status, code) => {
    expect(await send(signing)).toEqual({ status, code });
    expect(server.objects.size).toBe(0);
  });

  it('refuses who does not sign at all', async () => {
    expect((await fetch(`${server.endpoint}/pictures/a.jpg`)).status).toBe(403);
  });

  it('keeps nothing of a body that is shorter than it was said to be', async () => {
    const socket = connect(Number(new URL(server.endpoint).port), '127.0.0.1');
    socket.end('PUT /pictures/a.jpg HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this');
    await text(socket);
    expect(server.exchanges).toMatchObject([{ method: 'PUT', status: 0 }]);
    expect(server.objects.size).toBe(0);
  });
});
