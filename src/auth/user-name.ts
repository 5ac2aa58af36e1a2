import { AppError } from '../lib/app-error.js';

export const MAX_USER_NAME = 64;

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._@ -]*[\p{L}\p{M}\p{N}])?$/u;

/** What names that differ by case or width alone have in common. In TypeScript, where no server's locale decides. */
export function userNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** The name as it is kept. @throws AppError 422 `user-name-invalid` */
export function userNameOf(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name.length <= MAX_USER_NAME && NAME.test(name)) return name;
  throw new AppError(
    'user-name-invalid',
    `A user’s name has 1 to ${MAX_USER_NAME} letters, digits, spaces and . _ - @ and begins and ends with a letter or a digit.`,
    { status: 422 },
  );
}
