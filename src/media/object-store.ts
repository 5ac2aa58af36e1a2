import type { Readable } from 'node:stream';
import { AppError } from '../lib/app-error.js';

/** Injection token of the {@link ObjectStore}. */
export const OBJECT_STORE = Symbol('OBJECT_STORE');

/** Bytes under a key never change, so whoever has them need not ask again. */
export const IMMUTABLE = 'max-age=31536000, immutable';

export interface OpenObject {
  stream: Readable;
  /** Length of the whole object. */
  bytes: number;
  contentType: string;
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

export interface ObjectAddress {
  url: string;
  /** How long it may be remembered, seconds; it is good for a while longer. */
  seconds: number;
}

/**
 * Where pictures are kept, by keys that `objectKey` made; any other key is refused with `object-key-invalid`. Whoever puts
 * an object has committed its key first, so that no object is ever unknown to the database.
 *
 * What a store on the network cannot do is thrown as StoreError, after a few tries.
 */
export interface ObjectStore {
  /** A whole object, or none: no reader ever sees a part. The same key again replaces it. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** @throws AppError `object-missing` */
  get(key: string): Promise<Buffer>;
  /** For sending it on without holding it in memory; undefined when there is none. The caller consumes or destroys it. */
  open(key: string): Promise<OpenObject | undefined>;
  exists(key: string): Promise<boolean>;
  remove(key: string): Promise<'removed' | 'missing'>;
  /**
   * All objects whose key begins with the prefix and comes behind `after`, in the order of their keys' bytes. What has no
   * key of ours is not listed, for it is not ours to touch. What is put or removed meanwhile may be listed or not.
   */
  list(prefix: string, after?: string): AsyncIterable<ListedObject>;
  /**
   * Where a browser gets the object without us; undefined when it does not. Whether it is there is not asked.
   * @param forEveryone whether the address may be one that does not end
   */
  address(key: string, forEveryone: boolean): Promise<ObjectAddress | undefined>;
}

export function objectMissing(key: string): AppError {
  return new AppError('object-missing', `The picture store holds no "${key}": fetch the picture again.`, {
    status: 404,
  });
}
