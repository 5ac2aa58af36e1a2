import { AppError } from './app-error.js';
import { isDecimalId } from './decimal-id.js';

/**
 * Opaque cursors of keyset pages: the sort key of a row, not its offset, so that rows arriving meanwhile neither repeat
 * nor hide another. Ids travel as decimal text, since a bigint does not fit a JavaScript number.
 */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');
}

/**
 * @param numbers how many of its parts, from the first on, are whole numbers above 0
 * @throws AppError `cursor-invalid` when it is none of ours or has another number of parts
 */
export function decodeCursor(cursor: string, parts: number, numbers = 0): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isOurs = Array.isArray(key) && key.length === parts && key.every((part) => typeof part === 'string');
    if (isOurs && key.slice(0, numbers).every(isDecimalId)) return key;
  } catch {
    // the one answer below serves every kind of unreadable cursor
  }
  throw invalidCursor();
}

/** The cursor of a list ordered by id alone. @throws AppError `cursor-invalid` */
export function decodeIdCursor(cursor: string): string {
  return decodeCursor(cursor, 1, 1)[0] ?? '';
}

function invalidCursor(): AppError {
  return new AppError('cursor-invalid', 'This page address is not one of ours. Start again from the first page.', {
    status: 400,
  });
}
