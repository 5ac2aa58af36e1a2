import { AppError } from '../lib/app-error.js';
import { parseSignatures } from './signature.js';

/** What the headers of a signed message say; nothing of it is proven yet. */
export interface SignedHead {
  id: string;
  /** Unix seconds, as they were written. */
  timestamp: string;
  signature: string;
  /** `x-ingest-crawler`: whose secrets to try. Not signed. */
  crawler: string | undefined;
}

/** How far a message's time may be from ours, both ways; seconds. */
export const WINDOW_SECONDS = 300;

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const ID = /^[A-Za-z0-9_-]{8,128}$/;
const TIMESTAMP = /^[0-9]{10}$/;

/**
 * Reads the signed headers and refuses a form that no library of ours makes.
 * @param rawHeaders names and values in turn, as they came: the parsed ones have joined or dropped what came twice
 * @throws AppError 401 `signature-missing`, `signature-malformed`
 */
export function readSignedHead(rawHeaders: readonly string[]): SignedHead {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    values.set(name, [...(values.get(name) ?? []), rawHeaders[i + 1] ?? '']);
  }
  const missing = SIGNED.filter((name) => !values.get(name)?.some((value) => value !== ''));
  if (missing.length > 0) {
    throw new AppError('signature-missing', `Sign the message: ${missing.join(', ')} missing.`, { status: 401 });
  }
  for (const [name, given] of values) {
    if (name.startsWith('webhook-') && given.length > 1) throw malformed(`${name} was sent ${given.length} times`);
  }
  const [id = '', timestamp = '', signature = ''] = SIGNED.map((name) => values.get(name)?.[0]);
  if (!ID.test(id)) throw malformed('webhook-id takes 8 to 128 of A-Z a-z 0-9 _ -');
  if (!TIMESTAMP.test(timestamp)) throw malformed('webhook-timestamp takes unix seconds in 10 digits');
  if (parseSignatures(signature) === undefined) {
    throw malformed('webhook-signature takes 1 to 5 entries v1,<base64 of 32 bytes>, one space between them');
  }
  return { id, timestamp, signature, crawler: values.get('x-ingest-crawler')?.join(', ') || undefined };
}

/** @throws AppError 401 `timestamp-out-of-window` */
export function assertInWindow(head: SignedHead, nowSeconds: number): void {
  const ahead = Number(head.timestamp) - nowSeconds;
  if (Math.abs(ahead) <= WINDOW_SECONDS) return;
  throw new AppError(
    'timestamp-out-of-window',
    `webhook-timestamp is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} this server's clock, and ` +
      `${WINDOW_SECONDS} s are allowed. Set the clock by this answer's Date, sign anew and send once more.`,
    { status: 401 },
  );
}

function malformed(what: string): AppError {
  return new AppError('signature-malformed', `The signature's headers cannot be read: ${what}.`, { status: 401 });
}
