import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { AppError } from '../lib/app-error.js';
import { userNameKey } from './user-name.js';

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 200;

/** argon2id, as OWASP's cheat sheet has it for servers: 19 MiB, twice over, on one thread. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MADE_BYTES = 15;

/** @throws AppError 422 `password-too-short`, `password-too-long`, `password-is-name` */
export function assertPassword(password: string, userName: string): void {
  if (password.length < MIN_PASSWORD) {
    throw new AppError('password-too-short', `A password has at least ${MIN_PASSWORD} characters.`, { status: 422 });
  }
  if (password.length > MAX_PASSWORD) {
    throw new AppError('password-too-long', `A password has at most ${MAX_PASSWORD} characters.`, { status: 422 });
  }
  if (userNameKey(password) === userNameKey(userName)) {
    throw new AppError('password-is-name', 'The name is no password. Take another one.', { status: 422 });
  }
}

/** A password that nobody chose: 20 characters, 120 bits. */
export function makePassword(): string {
  return randomBytes(MADE_BYTES).toString('base64url');
}

/** What is kept of a password: its argon2id hash with salt and cost. In composed form, since keyboards differ in that. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

let nobodys: Promise<string> | undefined;

/**
 * @param kept the user's hash; without one as much work is done for nothing, so that the time does not tell who exists
 */
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  // Longer ones were never taken, and need not be worked through.
  const given = password.length <= MAX_PASSWORD ? password.normalize('NFC') : '';
  const matches = await verify(kept ?? (await (nobodys ??= hashPassword(makePassword()))), given);
  return matches && typeof kept === 'string';
}
