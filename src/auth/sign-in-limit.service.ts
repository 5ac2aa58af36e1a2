import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import type { EntityManager } from 'typeorm';
import { AppError } from '../lib/app-error.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { userNameKey } from './user-name.js';

const WINDOW_SECONDS = 900;
/** Of one user from one address; of one user from anywhere; from one address for anybody. Good ones do not count. */
export const MAX_ATTEMPTS = { pair: 10, user: 50, address: 100 };

/**
 * How often a password may be guessed. Counted in the database, since whoever guesses asks every process. Counted before
 * the password is looked at: many guesses at once must not all pass a count that none of them has raised yet.
 */
@Injectable()
export class SignInLimit {
  constructor(private readonly attempts: SignInAttemptsRepository) {}

  /** @throws AppError 429 `rate-limited`, with the time to wait */
  async take(name: string, address: string): Promise<void> {
    const { pair, byAddress, user } = subjectsOf(name, address);
    // What one address may not try any more must not use up what the user may try elsewhere.
    await this.count({ [pair]: MAX_ATTEMPTS.pair, [byAddress]: MAX_ATTEMPTS.address });
    await this.count({ [user]: MAX_ATTEMPTS.user });
  }

  /** It was a good one. */
  giveBack(tx: EntityManager, name: string, address: string): Promise<void> {
    return this.attempts.takeBack(tx, Object.values(subjectsOf(name, address)));
  }

  private async count(limits: Record<string, number>): Promise<void> {
    const counts = await this.attempts.count(Object.keys(limits), WINDOW_SECONDS);
    const over = counts.filter(({ subject, count }) => count > (limits[subject] ?? 0));
    if (over.length === 0) return;
    const seconds = Math.max(1, ...over.map(({ resetsIn }) => resetsIn));
    throw new AppError('rate-limited', `Too many attempts to sign in. Try again in ${Math.ceil(seconds / 60)} min.`, {
      status: 429,
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

function subjectsOf(name: string, address: string): { pair: string; byAddress: string; user: string } {
  const key = userNameKey(name);
  const block = blockOf(address);
  return { pair: hashed('pair', key, block), byAddress: hashed('address', block), user: hashed('user', key) };
}

function hashed(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** One IPv6 customer has 2^64 addresses and is counted once. */
function blockOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString();
}
