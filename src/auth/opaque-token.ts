import { createHash, randomBytes } from 'node:crypto';

/** What a personal token begins with, so that people and scanners of repositories know it for one. */
export const PERSONAL_PREFIX = 'rwp_';

const BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether the text could be a token: what could not need not be asked of the database. */
export function isToken(text: string): boolean {
  return FORM.test(text);
}

/** What is kept of a token. A plain hash is enough: the token is 256 random bits. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
