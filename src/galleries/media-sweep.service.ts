import { Inject, Injectable } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue.js';
import { isDecimalId } from '../lib/decimal-id.js';
import { pictureKeyOf, thumbnailKey } from '../media/object-key.js';
import { OBJECT_STORE, type ListedObject, type ObjectStore } from '../media/object-store.js';
import { Clock } from '../platform/clock/clock.js';
import { ObjectAuditRepository, type StoredPicture } from './object-audit.repository.js';

/** Objects that are younger may belong to a job whose clean-up is on its way. */
export const ORPHAN_DAYS = 7;
/** Larger ones mean fewer readings of the table; a key is some 60 bytes. */
const BATCH = 5_000;

export interface Sweep {
  objects: number;
  /** Objects that no row names. */
  orphans: number;
  /** Keys of those that are old enough to go. */
  old: string[];
  /** Objects that a row says are there, and that are not. */
  gone: number;
}

export interface SweepListener {
  orphan(object: ListedObject, isOld: boolean): void;
  gone(key: string, picture: StoredPicture): void;
  progress(objects: number): void;
}

/**
 * Compares the store with the archive. The sweep of orphans needs no help from it: it is for what no rule foresaw, such as a
 * database that was taken back to a backup. It lists before it asks: a key is committed before its object is put, so
 * that no object is listed whose row could not have been seen.
 */
@Injectable()
export class MediaSweepService {
  constructor(
    private readonly audit: ObjectAuditRepository,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async compare(listener: SweepListener): Promise<Sweep> {
    const sweep: Sweep = { objects: 0, orphans: 0, old: [], gone: 0 };
    let after = '';
    let batch: ListedObject[] = [];
    for await (const object of this.store.list('')) {
      batch.push(object);
      if (batch.length < BATCH) continue;
      await this.compareBatch(batch, after, object.key, sweep, listener);
      after = object.key;
      batch = [];
    }
    await this.compareBatch(batch, after, undefined, sweep, listener);
    return sweep;
  }

  /**
   * Looks again at each, at the last moment. A job that is under way may announce, by the same key, the same picture any
   * time: then the object is left to it.
   * @returns how many were removed
   */
  async remove(keys: readonly string[], progress: (done: number) => void): Promise<number> {
    let removed = 0;
    for (const [index, key] of keys.entries()) {
      const job = key.split('/')[1] ?? '';
      const status = isDecimalId(job) ? (await this.queue.statusesOf([job])).get(job) : undefined;
      const isOpen = status === 'pending' || status === 'processing';
      const isOrphan = !isOpen && (await this.audit.unknown([pictureKeyOf(key)])).size > 0;
      if (isOrphan && (await this.store.remove(key)) === 'removed') removed++;
      progress(index + 1);
    }
    return removed;
  }

  private async compareBatch(
    batch: readonly ListedObject[],
    after: string,
    upTo: string | undefined,
    sweep: Sweep,
    listener: SweepListener,
  ): Promise<void> {
    const unknown = await this.audit.unknown([...new Set(batch.map(({ key }) => pictureKeyOf(key)))]);
    const oldest = this.clock.now().getTime() - ORPHAN_DAYS * 86_400_000;
    for (const object of batch.filter(({ key }) => unknown.has(pictureKeyOf(key)))) {
      const isOld = object.modifiedAt.getTime() < oldest;
      sweep.orphans++;
      if (isOld) sweep.old.push(object.key);
      listener.orphan(object, isOld);
    }
    const listed = new Set(batch.map(({ key }) => key));
    for (const picture of await this.audit.storedBetween(after, upTo)) {
      for (const key of [picture.key, ...(picture.hasThumbnail ? [thumbnailKey(picture.key)] : [])]) {
        if (listed.has(key) || !(await this.isGone(key))) continue;
        sweep.gone++;
        listener.gone(key, picture);
      }
    }
    sweep.objects += batch.length;
    listener.progress(sweep.objects);
  }

  /** It may have come after its place was listed, or have been cleaned up since. */
  private async isGone(key: string): Promise<boolean> {
    return !(await this.store.exists(key)) && (await this.audit.isStored(pictureKeyOf(key)));
  }
}
