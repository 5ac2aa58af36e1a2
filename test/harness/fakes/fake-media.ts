import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { AppError } from '../../../src/lib/app-error.js';
import { assertObjectKey, pictureKeyOf } from '../../../src/media/object-key.js';
import type { ListedObject, ObjectStore, OpenObject } from '../../../src/media/object-store.js';
import { PictureError } from '../../../src/media/picture-error.js';
import { HostCooldowns } from '../../../src/media/host-cooldowns.js';
import type { MediaHostsRepository } from '../../../src/media/media-hosts.repository.js';
import type { PictureFetcher } from '../../../src/media/picture-fetcher.js';
import { contentTypeOf } from '../../../src/media/picture-type.js';
import { Clock } from '../../../src/platform/clock/clock.js';
import { standIn, type PublicOf } from './public-of.js';

/**
 * Objects in memory; puts and removals also go to the store behind it, if there is one. Any operation can be held back or
 * made to fail, for the moment in between.
 */
export class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, Buffer>();
  /** Of objects that are not as old as can be. */
  readonly modifiedAt = new Map<string, Date>();
  /** Called before an object is put or removed, and after it was; what they throw, the store throws. */
  before: (operation: 'put' | 'remove', key: string) => Promise<void> | void = () => undefined;
  after: (operation: 'put' | 'remove', key: string) => Promise<void> | void = () => undefined;

  constructor(private readonly behind?: ObjectStore) {}

  /** Of the pictures. */
  get keys(): string[] {
    return [...this.objects.keys()].filter((key) => pictureKeyOf(key) === key).sort();
  }

  /** Keys of the pictures whose thumbnails are there. */
  get thumbnailsOf(): string[] {
    return [...this.objects.keys()]
      .filter((key) => pictureKeyOf(key) !== key)
      .map(pictureKeyOf)
      .sort();
  }

  async put(key: string, bytes: Buffer): Promise<void> {
    await this.before('put', assertObjectKey(key));
    await this.behind?.put(key, bytes, contentTypeOf(key));
    this.objects.set(key, bytes);
    await this.after('put', key);
  }

  get(key: string): Promise<Buffer> {
    const bytes = this.objects.get(assertObjectKey(key));
    if (bytes !== undefined) return Promise.resolve(bytes);
    return Promise.reject(new AppError('object-missing', `There is no "${key}".`, { status: 404 }));
  }

  open(key: string): Promise<OpenObject | undefined> {
    const bytes = this.objects.get(assertObjectKey(key));
    return Promise.resolve(
      bytes && { stream: Readable.from(bytes), bytes: bytes.length, contentType: contentTypeOf(key) },
    );
  }

  exists(key: string): Promise<boolean> {
    return Promise.resolve(this.objects.has(assertObjectKey(key)));
  }

  async remove(key: string): Promise<'removed' | 'missing'> {
    await this.before('remove', assertObjectKey(key));
    await this.behind?.remove(key);
    const removed = this.objects.delete(key);
    await this.after('remove', key);
    return removed ? 'removed' : 'missing';
  }

  async *list(prefix: string, after = ''): AsyncIterable<ListedObject> {
    for (const key of [...this.objects.keys()].sort().filter((one) => one.startsWith(prefix) && one > after)) {
      yield await Promise.resolve({
        key,
        bytes: this.objects.get(key)?.length ?? 0,
        modifiedAt: this.modifiedAt.get(key) ?? new Date(0),
      });
    }
  }

  address(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** What the database knows of hosts that want to be left alone: seconds each, by a clock that the test moves. */
export class FakeMediaHosts implements PublicOf<MediaHostsRepository> {
  readonly until = new Map<string, number>();
  /** Statements that were asked. */
  reads = 0;

  constructor(private readonly clock: Clock = new Clock()) {}

  secondsLeft(host: string): Promise<number> {
    this.reads++;
    return Promise.resolve(this.left(host));
  }

  cool(host: string, seconds: number): Promise<number> {
    this.until.set(host, this.clock.elapsed() + Math.max(seconds, this.left(host)));
    return Promise.resolve(this.left(host));
  }

  private left(host: string): number {
    return Math.max(0, (this.until.get(host) ?? 0) - this.clock.elapsed());
  }
}

/** A process' own knowledge of those hosts. */
export function cooldowns(hosts = new FakeMediaHosts(), clock = new Clock()): HostCooldowns {
  return new HostCooldowns(standIn<MediaHostsRepository>(hosts), clock);
}

/** A web where every address is a picture of its own, but for those that were told to be something else. */
export class FakeFetcher implements PublicOf<PictureFetcher> {
  /** Every address that was asked for, in order. */
  readonly fetched: string[] = [];
  private readonly answers = new Map<string, (() => Buffer | Promise<Buffer>)[]>();

  onModuleInit(): void {
    // Nothing that could be wrong with it.
  }

  onModuleDestroy(): void {
    // Nothing is open.
  }

  /** What an address answers, once each and the last of them for ever. A text is another address' picture. */
  answer(url: string, ...answers: (Buffer | PictureError | string)[]): void {
    this.answers.set(
      url,
      answers.map((answer) => () => {
        if (answer instanceof PictureError) throw answer;
        return typeof answer === 'string' ? pictureOf(answer) : answer;
      }),
    );
  }

  /** Every address is its picture again, and nothing was asked for. */
  behaveWell(): void {
    this.answers.clear();
    this.fetched.length = 0;
  }

  async fetch(url: string, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    this.fetched.push(url);
    const answers = this.answers.get(url) ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer === undefined ? pictureOf(url) : answer();
  }
}

export const gone = (code = 'http_404'): PictureError => new PictureError(code, 'It is gone.', { nature: 'permanent' });
/** The host asked to be left alone. */
export const cooling = (seconds: number, host = 'pictures.example:443', code = 'http_429'): PictureError =>
  new PictureError(code, 'Later.', { nature: 'transient', host, retryAfterSeconds: seconds });
export const busy = (code = 'http_500'): PictureError => new PictureError(code, 'Not now.', { nature: 'transient' });

const painted = new Map<string, Promise<Buffer>>();

/** The smallest real picture that passes for one; other text, other bytes. */
export function pictureOf(text: string): Promise<Buffer> {
  const known = painted.get(text);
  if (known !== undefined) return known;
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(text).digest();
  const create = { width: 200, height: 2, channels: 3 as const, background: { r, g, b } };
  const picture = sharp({ create })
    .withExif({ IFD0: { ImageDescription: text } })
    .jpeg()
    .toBuffer();
  painted.set(text, picture);
  return picture;
}
