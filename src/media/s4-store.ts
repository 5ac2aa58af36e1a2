import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { OnApplicationShutdown } from '@nestjs/common';
import PQueue from 'p-queue';
import { AppError } from '../lib/app-error.js';
import type { Clock } from '../platform/clock/clock.js';
import type { S4Config } from '../platform/config/config.js';
import { assertObjectKey, isObjectKey } from './object-key.js';
import {
  IMMUTABLE,
  type ListedObject,
  type ObjectAddress,
  objectMissing,
  type ObjectStore,
  type OpenObject,
} from './object-store.js';
import { contentTypeOf } from './picture-type.js';
import { s4Client } from './s4-client.js';
import { isNoSuchKey, s4Failure, s4Timeout } from './s4-failure.js';
import { StoreError } from './store-error.js';

/** Requests of this process at a time; the others wait here, where their own time does not run yet. */
const AT_ONCE = 32;
const TRIES = 3;
const FIRST_PAUSE_MS = 200;
/** A store that wants to be left alone for longer is left alone by the whole job. */
const LONGEST_PAUSE_SECONDS = 2;
/** One address for so long, so that a browser finds the picture in its cache; it is good three times as long. */
const ADDRESS_SECONDS = 300;

const NO_LENGTH = 'The S4 store does not say how long an object is: a proxy in between must pass Content-Length on.';

/**
 * The pictures in a bucket of any S3-compatible store. Every request is one that all of them know: whole objects of a
 * known length, no multipart, no checksum trailers, single deletes. What is tried again is safe to do twice: the same key
 * holds the same bytes.
 */
export class S4Store implements ObjectStore, OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly turns = new PQueue({ concurrency: AT_ONCE });

  constructor(
    private readonly s4: S4Config,
    private readonly clock: Clock,
  ) {
    this.client = s4Client(s4);
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const object = { ...this.at(key), Body: bytes, ContentLength: bytes.length, ContentType: contentType };
    const command = new PutObjectCommand({ ...object, CacheControl: `public, ${IMMUTABLE}` });
    await this.request(`put "${key}"`, key, (abortSignal) => this.client.send(command, { abortSignal }));
  }

  get(key: string): Promise<Buffer> {
    const command = new GetObjectCommand(this.at(key));
    return this.request(`get "${key}"`, key, async (abortSignal) => {
      const { Body } = await this.client.send(command, { abortSignal });
      // One that ends too early is an error of the stream's own.
      return buffer(Body as Readable);
    });
  }

  open(key: string): Promise<OpenObject | undefined> {
    const command = new GetObjectCommand(this.at(key));
    return orUndefined(
      this.request(`open "${key}"`, key, async (abortSignal) => {
        const { Body, ContentLength } = await this.client.send(command, { abortSignal });
        if (ContentLength === undefined) throw new StoreError('store-refused', NO_LENGTH, { nature: 'permanent' });
        // The type by the key, as the file store has it: what the bucket says may be anybody's.
        return { stream: Body as Readable, bytes: ContentLength, contentType: contentTypeOf(key) };
      }),
    );
  }

  async exists(key: string): Promise<boolean> {
    const command = new HeadObjectCommand(this.at(key));
    const head = this.request(`look for "${key}"`, key, (abortSignal) => this.client.send(command, { abortSignal }));
    return (await orUndefined(head)) !== undefined;
  }

  /**
   * A delete is answered 204 whether there was something or not, so the store is asked before. What it says decides the
   * word only: the delete is sent in any case, since some stores come to know of an object a little late.
   */
  async remove(key: string): Promise<'removed' | 'missing'> {
    const found = await this.exists(key);
    const command = new DeleteObjectCommand(this.at(key));
    const removal = this.request(`delete "${key}"`, key, (abortSignal) => this.client.send(command, { abortSignal }));
    await orUndefined(removal);
    return found ? 'removed' : 'missing';
  }

  async *list(prefix: string, after = ''): AsyncIterable<ListedObject> {
    const from = { Bucket: this.s4.bucket, Prefix: this.s4.prefix + prefix, EncodingType: 'url' as const };
    let next: { StartAfter?: string; ContinuationToken?: string } | undefined =
      after === '' ? {} : { StartAfter: this.s4.prefix + after };
    while (next !== undefined) {
      const command: ListObjectsV2Command = new ListObjectsV2Command({ ...from, ...next });
      const page = await this.request('list', undefined, (abortSignal) => this.client.send(command, { abortSignal }));
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        const name = page.EncodingType === 'url' ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key;
        const key = name.slice(this.s4.prefix.length);
        if (isObjectKey(key)) yield { key, bytes: Size, modifiedAt: LastModified };
      }
      if (page.IsTruncated && !page.NextContinuationToken) {
        throw new StoreError('store-refused', 'The S4 store lists a part and does not say how to go on.', {
          nature: 'permanent',
        });
      }
      next = page.NextContinuationToken ? { ContinuationToken: page.NextContinuationToken } : undefined;
    }
  }

  async address(key: string, forEveryone: boolean): Promise<ObjectAddress> {
    const at = this.at(key);
    if (forEveryone && this.s4.publicBaseUrl !== undefined) {
      return { url: `${this.s4.publicBaseUrl}/${at.Key}`, seconds: ADDRESS_SECONDS };
    }
    const seconds = this.clock.seconds();
    const url = await getSignedUrl(this.client, new GetObjectCommand(at), {
      signingDate: new Date((seconds - (seconds % ADDRESS_SECONDS)) * 1000),
      expiresIn: 3 * ADDRESS_SECONDS,
    });
    return { url, seconds: ADDRESS_SECONDS };
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.s4.bucket, Key: this.s4.prefix + assertObjectKey(key) };
  }

  /** @throws StoreError; AppError `object-missing` */
  private async request<T>(
    what: string,
    key: string | undefined,
    work: (abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.turns.add(() => this.once(what, work));
      } catch (error) {
        if (key !== undefined && isNoSuchKey(error)) throw objectMissing(key);
        const failure = s4Failure(error, what, this.s4, this.clock.now());
        const asked = failure.retryAfterSeconds ?? 0;
        // The client has set itself by the store's clock now; still it is to be said that this one is wrong.
        const isOver = failure.nature === 'permanent' || failure.code === 'store-clock-skewed';
        if (isOver || tried === TRIES || asked > LONGEST_PAUSE_SECONDS) throw failure;
        const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random());
        await delay(Math.max(asked * 1000, pause));
      }
    }
  }

  private async once<T>(what: string, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const { requestTimeoutMs } = this.s4;
    const abort = new AbortController();
    // Not AbortSignal.timeout: an opened object's stream goes on for as long as its reader likes.
    const timer = setTimeout(() => abort.abort(), requestTimeoutMs);
    try {
      return await work(abort.signal);
    } catch (error) {
      throw abort.signal.aborted ? s4Timeout(what, requestTimeoutMs) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === 'object-missing') return undefined;
    throw error;
  }
}
