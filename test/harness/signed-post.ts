import { createHmac, randomUUID } from 'node:crypto';
import { DEV_CRAWLER_SECRET } from './test-config.js';

export interface SignedPostOptions {
  id?: string;
  /** As it is written in the header; now when left out. */
  timestamp?: string;
  secret?: string;
  crawler?: string;
  /** Over the signed headers; undefined removes one. */
  headers?: Record<string, string | undefined>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Signs as the contract says, with node's crypto alone: a second opinion on what the door computes. */
export function signedHeaders(body: string | Buffer, options: SignedPostOptions = {}): Record<string, string> {
  const { id = `msg_${randomUUID()}`, secret = DEV_CRAWLER_SECRET } = options;
  const timestamp = options.timestamp ?? String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  const headers: Record<string, string | undefined> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
    'x-ingest-crawler': options.crawler,
    ...options.headers,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}

/** @param body a value to send as JSON, or the very text or bytes */
export async function signedPost(url: string, body: unknown, options: SignedPostOptions = {}): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: signedHeaders(bytes, options),
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  return read(response);
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
  };
}

/** "422 brand-unknown": status and problem code in one, so that a test compares both. */
export function codeOf({ status, body }: Answer): string {
  const { type } = body;
  return typeof type === 'string' ? `${status} ${type.replace('urn:runway:problem:', '')}` : String(status);
}
