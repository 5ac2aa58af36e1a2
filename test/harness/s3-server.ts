import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultRule, S3Fault } from './s3-faults.js';
import { type S3Account, S3Error, type S3Request, verify } from './s3-signature.js';
import { strictlyEncoded } from './sigv4.js';

export interface S3Object {
  bytes: Buffer;
  contentType: string;
  cacheControl: string | undefined;
  modifiedAt: Date;
}

/** A request as it was on the wire, and what it was answered (0: nothing). */
export interface S3Exchange {
  method: string;
  /** With its query. */
  url: string;
  headers: IncomingMessage['headers'];
  status: number;
  /** Of the client, so that connections can be told. */
  port: number | undefined;
}

export interface S3ServerOptions extends Partial<S3Account> {
  bucket?: string;
  now?: () => Date;
}

export interface S3Server extends S3Account {
  /** `http://127.0.0.1:port` */
  endpoint: string;
  bucket: string;
  /** The settings of a process that uses this store. */
  env: Record<string, string>;
  objects: Map<string, S3Object>;
  exchanges: S3Exchange[];
  /** Most requests that were under way at one time. */
  mostAtOnce: number;
  /** Most entries of a listing's page. */
  pageSize: number;
  /** The next `times` requests, of that method if one is named, go wrong so. */
  play: (fault: S3Fault, options?: { method?: string; times?: number }) => void;
  /** Resolves when a request stalls as it was played. */
  stalled: () => Promise<void>;
  /** Whether new connections are broken at once. */
  refuse: (all: boolean) => void;
  /** Forgets faults, objects and exchanges. */
  clear: () => void;
  close: () => Promise<void>;
}

/**
 * An S3 that takes nothing for granted, over HTTP: path style, Signature Version 4 in headers or query, bodies of a known
 * length that are the signed ones. Whatever some S3-compatible store is known not to understand (`aws-chunked`, trailers,
 * flexible checksums, `Expect`, multipart) is refused. It keeps objects in memory, and plays faults.
 */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { accessKeyId = 'HARNESSACCESSKEY0001', secretAccessKey = 'harness/secret+of/the+store/0123456789ABCD' } =
    options;
  const { region = 'eu-test-1', bucket = 'pictures', now = () => new Date() } = options;
  const account: S3Account = { accessKeyId, secretAccessKey, region };
  const objects = new Map<string, S3Object>();
  const exchanges: S3Exchange[] = [];
  const rules: FaultRule[] = [];
  const events = new EventEmitter();
  let refusing = false;
  let underWay = new Set<S3Exchange>();

  const server = createServer((request, response) => void serve(request, response));
  server.on('connection', (socket) => void (refusing && socket.destroy()));
  server.on('checkContinue', (_, response: ServerResponse) => response.writeHead(417).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const exchange: S3Exchange = { method, url, headers, status: 0, port: incoming.socket.remotePort };
    exchanges.push(exchange);
    const present = underWay.add(exchange);
    running.mostAtOnce = Math.max(running.mostAtOnce, present.size);
    response.once('close', () => present.delete(exchange));
    const fault = nextFault(method);
    const body = await bodyOf(incoming, method === 'PUT' ? fault : undefined, () => events.emit('stalled'));
    // The client is gone, or was sent away, before it had sent all of it: nothing is kept of that.
    if (body === undefined) return;
    let answer: Answer;
    try {
      if (fault?.is === 'error' && fault.when !== 'after') throw errorOf(fault);
      answer = answerTo(requestOf(incoming, body));
      if (fault?.is === 'error') throw errorOf(fault);
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      const more = fault?.is === 'error' ? fault.headers : undefined;
      answer = { status: error.status, headers: { 'content-type': 'application/xml', ...more }, body: xmlOf(error) };
    }
    if (fault?.is === 'page') {
      answer = { status: fault.status, headers: { 'content-type': 'text/html' }, body: Buffer.from(fault.html) };
    }
    if (fault?.is === 'slow') {
      if (fault.milliseconds === Infinity) return;
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    }
    if (fault?.is === 'lost answer') return void response.destroy();
    exchange.status = answer.status;
    // Not when it is sent: by then the client may have begun the next one.
    present.delete(exchange);
    send(response, method, answer, fault);
  }

  function nextFault(method: string): S3Fault | undefined {
    const rule = rules.find((one) => one.left > 0 && (one.method ?? method) === method);
    if (rule !== undefined) rule.left--;
    return rule?.fault;
  }

  function answerTo(request: S3Request): Answer {
    refuseWhatNotAllKnow(request);
    verify(request, account, now());
    const [, name = '', ...rest] = request.path.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    if (name !== bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const query = new Map(request.query);
    const unknown = [...query.keys()].filter((one) => !/^(x-id|X-Amz-.*|list-type|response-.*)$/.test(one));
    if (key === '' && request.method === 'GET' && query.get('list-type') === '2') return list(query);
    if (key === '' || unknown.length > 0) throw new S3Error(501, 'NotImplemented', `Not here: ${request.path}`);
    if (request.method === 'PUT') return put(key, request);
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new S3Error(405, 'MethodNotAllowed', request.method);
    const found = objects.get(key);
    if (found === undefined) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
    return { status: 200, headers: objectHeaders(found), body: found.bytes };
  }

  function put(key: string, { headers, body }: S3Request): Answer {
    if (headers['content-length'] === undefined) throw new S3Error(411, 'MissingContentLength', 'Say how long it is');
    const [contentType, cacheControl] = [headers['content-type'] ?? '', headers['cache-control']];
    if (contentType === '') throw new S3Error(400, 'InvalidArgument', 'Say of what type it is');
    const object = { bytes: body, contentType, cacheControl, modifiedAt: now() };
    objects.set(key, object);
    return { status: 200, headers: { etag: etagOf(body) }, body: Buffer.alloc(0) };
  }

  function list(query: Map<string, string>): Answer {
    const prefix = query.get('prefix') ?? '';
    const token = query.get('continuation-token');
    const after = token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
    const size = Math.min(running.pageSize, Number(query.get('max-keys') ?? 1000));
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, size);
    const encoded = query.get('encoding-type') === 'url';
    const shown = (text: string): string => (encoded ? strictlyEncoded(text).replaceAll('%2F', '/') : escaped(text));
    const more = keys.length > page.length;
    const xml = [
      `<Name>${bucket}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${size}</MaxKeys>`,
      encoded ? '<EncodingType>url</EncodingType>' : '',
      `<IsTruncated>${more}</IsTruncated>`,
      more
        ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64url')}</NextContinuationToken>`
        : '',
      ...page.map((key) => {
        const { bytes, modifiedAt } = objects.get(key) as S3Object;
        const time = `<LastModified>${modifiedAt.toISOString()}</LastModified>`;
        return `<Contents><Key>${shown(key)}</Key>${time}<ETag>${escaped(etagOf(bytes))}</ETag><Size>${bytes.length}</Size></Contents>`;
      }),
    ];
    const body = `${XML}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml.join('')}</ListBucketResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) };
  }

  const running: S3Server = {
    ...account,
    endpoint,
    bucket,
    env: {
      S4_ENDPOINT: endpoint,
      S4_BUCKET: bucket,
      S4_ACCESS_KEY_ID: accessKeyId,
      S4_SECRET_ACCESS_KEY: secretAccessKey,
      S4_REGION: region,
    },
    objects,
    exchanges,
    mostAtOnce: 0,
    pageSize: 1000,
    stalled: async () => void (await once(events, 'stalled')),
    refuse: (all) => void (refusing = all),
    play: (fault, { method, times = 1 } = {}) => void rules.push({ fault, method, left: times }),
    clear: () => {
      objects.clear();
      exchanges.length = 0;
      rules.length = 0;
      underWay = new Set();
      running.mostAtOnce = 0;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** @returns undefined when it did not come whole */
function bodyOf(
  incoming: IncomingMessage,
  fault: S3Fault | undefined,
  onStall: () => void,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (fault?.is === 'reset' && bytes >= fault.afterBytes) incoming.destroy();
      if (fault?.is === 'stall' && bytes >= fault.afterBytes) {
        incoming.pause();
        onStall();
      }
    });
    incoming.on('error', () => undefined);
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('close', () => resolve(undefined));
  });
}

function requestOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): S3Request {
  const [path = '', search = ''] = url.split('?');
  const query = search === '' ? [] : search.split('&').map((pair) => pair.split('='));
  return {
    method,
    path,
    query: query.map(([name = '', value = '']) => [decodeURIComponent(name), decodeURIComponent(value)]),
    headers,
    body,
  };
}

/** What newer clients send by themselves and many a store does not understand. */
function refuseWhatNotAllKnow({ headers, query }: S3Request): void {
  const names = [...Object.keys(headers), ...query.map(([name]) => name.toLowerCase())];
  const found = names.find((name) => /^x-amz-(checksum|sdk-checksum|trailer|decoded)/.test(name));
  if (found !== undefined) throw new S3Error(501, 'NotImplemented', `${found} implies functionality that is not here`);
  if (/aws-chunked/.test(headers['content-encoding'] ?? '') || headers['transfer-encoding'] !== undefined) {
    throw new S3Error(501, 'NotImplemented', 'Chunks are not taken');
  }
}

function objectHeaders({ bytes, contentType, cacheControl, modifiedAt }: S3Object): Record<string, string> {
  return {
    'content-type': contentType,
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    etag: etagOf(bytes),
    'last-modified': modifiedAt.toUTCString(),
  };
}

function send(response: ServerResponse, method: string, { status, headers, body }: Answer, fault?: S3Fault): void {
  const wrong = fault?.is === 'wrong bytes' ? Buffer.from(body.map((byte) => byte ^ 1)) : body;
  // A HEAD's answer tells how long a GET's would be, and an error's says nothing.
  const length = method === 'HEAD' && status >= 400 ? 0 : body.length;
  response.writeHead(status, {
    'x-amz-request-id': 'HARNESS0000000001',
    ...headers,
    ...(status !== 204 && { 'content-length': String(length) }),
  });
  const part = fault?.is === 'cut' ? body.length >> 1 : fault && 'afterBytes' in fault ? fault.afterBytes : undefined;
  if (part === undefined || method === 'HEAD') return void response.end(method === 'HEAD' ? undefined : wrong);
  response.write(body.subarray(0, part), () => {
    if (fault?.is === 'cut') response.socket?.end();
    if (fault?.is === 'reset') response.destroy();
  });
}

function errorOf(fault: S3Fault & { is: 'error' }): S3Error {
  return new S3Error(fault.status, fault.code, fault.message ?? 'An error that the test asked for');
}

function xmlOf({ code, message, details }: S3Error): Buffer {
  const more = Object.entries(details).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return Buffer.from(
    `${XML}<Error><Code>${code}</Code><Message>${escaped(message)}</Message>${more.join('')}<RequestId>HARNESS0000000001</RequestId></Error>`,
  );
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function escaped(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[found] ?? found,
  );
}
