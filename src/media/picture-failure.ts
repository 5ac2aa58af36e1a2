import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../lib/text.js';
import { PictureError } from './picture-error.js';
import { retryAfterSeconds } from './retry-after.js';

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const COOLING_STATUSES: ReadonlySet<number> = new Set([429, 503]);
// The filtering agent's refusals bear no code of their own.
const REFUSED_BY_AGENT = /is not allowed\. Because/;

/** What a host said instead of a picture. */
export function statusFailure(status: number, headers: IncomingHttpHeaders, host: string, now: Date): PictureError {
  const cooling = COOLING_STATUSES.has(status);
  return new PictureError(`http_${status}`, `${host} answered ${status} instead of a picture.`, {
    nature: status >= 500 || TRANSIENT_STATUSES.has(status) ? 'transient' : 'permanent',
    host,
    ...(cooling && { retryAfterSeconds: retryAfterSeconds(headers['retry-after'], now) }),
  });
}

/** What went wrong on the way: a time-out, a refused address, or any trouble of name, socket, TLS or protocol. */
export function transportFailure(error: unknown, host: string): PictureError {
  if (error instanceof PictureError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'FORBIDDEN_ADDRESS' || isAgentRefusal(error)) {
    return new PictureError('forbidden_address', messageOf(error), { nature: 'permanent', host, cause: error });
  }
  if (code === 'ETIMEDOUT') {
    return new PictureError('timeout', `${host} took too long.`, { nature: 'transient', host, cause: error });
  }
  return new PictureError('connection', `The connection to ${host} failed: ${messageOf(error)}`, {
    nature: 'transient',
    host,
    cause: error,
  });
}

export function tooLarge(host: string, maxBytes: number): PictureError {
  return new PictureError('too_large', `${host} sends more than the ${maxBytes} bytes that a picture may have.`, {
    nature: 'permanent',
    host,
  });
}

export function isAgentRefusal(error: unknown): boolean {
  return error instanceof Error && REFUSED_BY_AGENT.test(error.message);
}
