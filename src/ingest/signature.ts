import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../lib/app-error.js';

/** A key that a message may have been signed with; what else the candidate carries comes back with the match. */
export interface SignatureCandidate {
  key: Buffer;
}

export interface SignedBytes {
  /** `webhook-id` */
  id: string;
  /** `webhook-timestamp`, as it was written */
  timestamp: string;
  body: Buffer;
  /** `webhook-signature`, in a form that {@link parseSignatures} takes */
  header: string;
}

/** What a secret begins with, as crawlers hold it. */
export const SECRET_PREFIX = 'whsec_';

const MAX_ENTRIES = 5;
const MIN_KEY_BYTES = 24;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const ENTRY = /^(v[0-9]+[a-z]?),[A-Za-z0-9+/=_-]+$/;
// 32 bytes in base64. The last character holds four bits only, so that one MAC has one spelling.
const V1 = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * The MACs in a `webhook-signature` header: entries `v1,<base64>` separated by one space. Entries of versions that are
 * not known are passed over.
 * @returns undefined when it is malformed or holds no v1 at all
 */
export function parseSignatures(header: string): Buffer[] | undefined {
  const entries = header.split(' ');
  if (entries.length > MAX_ENTRIES || !entries.every((entry) => ENTRY.test(entry))) return undefined;
  const ours = entries.filter((entry) => entry.startsWith('v1,'));
  if (ours.length === 0 || !ours.every((entry) => V1.test(entry))) return undefined;
  return ours.map((entry) => Buffer.from(entry.slice(3), 'base64'));
}

/** HMAC-SHA256 over id, timestamp and the body's bytes, never its text: text has more than one spelling in bytes. */
export function macOf(key: Buffer, { id, timestamp, body }: Omit<SignedBytes, 'header'>): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`, 'utf8').update(body).digest();
}

/**
 * The candidate whose key signed the message. Every candidate is tried with every signature, found or not: the time it
 * takes tells nothing about which one matched.
 */
export function verifySignature<C extends SignatureCandidate>(
  message: SignedBytes & { candidates: readonly C[] },
): C | undefined {
  const signatures = parseSignatures(message.header) ?? [];
  let match: C | undefined;
  for (const candidate of message.candidates) {
    const mac = macOf(candidate.key, message);
    for (const signature of signatures) {
      if (timingSafeEqual(mac, signature)) match ??= candidate;
    }
  }
  return match;
}

/**
 * The key in a secret as crawlers hold it: `whsec_` and base64 of at least 24 bytes.
 * @throws AppError `secret-malformed`, without the secret
 */
export function keyOfSecret(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  const key = Buffer.from(BASE64.test(encoded) ? encoded : '', 'base64');
  if (key.length >= MIN_KEY_BYTES) return key;
  throw new AppError(
    'secret-malformed',
    `A crawler's secret is ${SECRET_PREFIX} and base64 of at least ${MIN_KEY_BYTES} bytes; this one is not.`,
    { status: 422 },
  );
}
