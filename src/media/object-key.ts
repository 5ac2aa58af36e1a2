import { AppError } from '../lib/app-error.js';

export type PictureOwner = 'runway' | 'street';

const OBJECT_KEY = /^[a-z0-9_]+\/\d+\/\d+-[0-9a-f]{16}\.[a-z0-9]+(?:\.thumb\.webp)?$/;
const THUMBNAIL = '.thumb.webp';

/**
 * The name of a picture in the store. It belongs to one job's one slot and says what bytes are in it: nothing is shared
 * between galleries, nothing is overwritten with other bytes, and a crawl that runs twice writes the same keys.
 */
export function objectKey(kind: PictureOwner, jobId: string, position: number, sha256: string, ext: string): string {
  return assertObjectKey(`${kind}/${jobId}/${position}-${sha256.slice(0, 16)}.${ext}`);
}

/**
 * Where a picture's thumbnail is: beside it, under a name that only its own can have. No row names a thumbnail; it is put
 * before its picture and removed before it, so that it is known for as long as its picture's key is.
 */
export function thumbnailKey(pictureKey: string): string {
  return pictureKey + THUMBNAIL;
}

/** The key of the picture that an object belongs to: a thumbnail's picture, or the picture itself. */
export function pictureKeyOf(key: string): string {
  return key.endsWith(THUMBNAIL) ? key.slice(0, -THUMBNAIL.length) : key;
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
