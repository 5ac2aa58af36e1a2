import { AppError } from '../lib/app-error.js';

export type PictureOwner = 'runway' | 'street';

const OBJECT_KEY = /^[a-z0-9_]+\/\d+\/\d+-[0-9a-f]{16}\.[a-z0-9]+$/;

/**
 * The name of a picture in the store. It belongs to one job's one slot and says what bytes are in it: nothing is shared
 * between galleries, nothing is overwritten with other bytes, and a crawl that runs twice writes the same keys.
 */
export function objectKey(kind: PictureOwner, jobId: string, position: number, sha256: string, ext: string): string {
  return assertObjectKey(`${kind}/${jobId}/${position}-${sha256.slice(0, 16)}.${ext}`);
}

/** Old rows may name objects in forms of their own. Those are not ours to touch: ask before removing one. */
export function isObjectKey(key: string): boolean {
  return OBJECT_KEY.test(key);
}

/** The one gate between a text and a path or a bucket: no key that passes it can leave the store's folder. */
export function assertObjectKey(key: string): string {
  if (isObjectKey(key)) return key;
  throw new AppError(
    'object-key-invalid',
    `"${key.slice(0, 120)}" is no key of this picture store: give one of the form runway/12/3-0123456789abcdef.jpg.`,
    { status: 422 },
  );
}
