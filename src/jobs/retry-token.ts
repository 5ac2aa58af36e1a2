import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JobFilter } from './job-lists.repository.js';

const LIFE_SECONDS = 15 * 60;

/** What a dry run saw; times are unix seconds of the database. */
export interface SeenSet {
  count: number;
  /** Highest id of the set; '0' of none. */
  newest: string;
  seenAt: number;
}

/**
 * What a dry run saw as text that only we can have written: whoever brings it back need not be believed, and nothing has
 * to be kept meanwhile.
 */
export function writeRetryToken(key: Buffer, filter: JobFilter, { count, newest, seenAt }: SeenSet): string {
  const stated = Buffer.from(JSON.stringify([count, newest, seenAt])).toString('base64url');
  return `${stated}.${sealOf(key, filter, stated)}`;
}

/** @returns undefined for what was not written by us, for another filter, or more than 15 minutes ago */
export function readRetryToken(key: Buffer, filter: JobFilter, token: string, now: number): SeenSet | undefined {
  const [stated = '', seal = ''] = token.split('.');
  const expected = Buffer.from(sealOf(key, filter, stated));
  const given = Buffer.from(seal);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [count, newest, seenAt] = JSON.parse(Buffer.from(stated, 'base64url').toString()) as [number, string, number];
  return now - seenAt <= LIFE_SECONDS ? { count, newest, seenAt } : undefined;
}

/** The filter is in the seal alone: the one that comes with the token must be the one that it was written for. */
function sealOf(key: Buffer, filter: JobFilter, stated: string): string {
  const asked = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', key)
    .update(`failed-jobs-retry\n${stated}\n${JSON.stringify(asked)}`)
    .digest('base64url');
}
