import type { Readable } from 'node:stream';

/** Injection token of the {@link ObjectStore}. */
export const OBJECT_STORE = Symbol('OBJECT_STORE');

export interface OpenObject {
  stream: Readable;
  /** Length of the whole object. */
  bytes: number;
  contentType: string;
}

/**
 * Where pictures are kept, by keys that `objectKey` made; any other key is refused with `object-key-invalid`. Whoever puts
 * an object has committed its key first, so that no object is ever unknown to the database.
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
}
