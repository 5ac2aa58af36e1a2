import { AppError } from './app-error.js';

const MAX_BIGINT = 9_223_372_036_854_775_807n;

/** Whether a text is the id of a row: a positive bigint in decimal. */
export function isDecimalId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_BIGINT;
}

/** @throws AppError `id-invalid` for what cannot be the id of a row */
export function decimalId(text: string): string {
  if (isDecimalId(text)) return text;
  throw new AppError('id-invalid', 'An id is a whole number greater than 0, written in digits.', { status: 400 });
}
