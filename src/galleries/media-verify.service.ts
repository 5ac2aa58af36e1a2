import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { AppError } from '../lib/app-error.js';
import { OBJECT_STORE, type ObjectStore } from '../media/object-store.js';
import { ObjectAuditRepository, type StoredPicture } from './object-audit.repository.js';

/** Objects in memory at a time, and pictures between two places where it can be taken up again. */
const AT_ONCE = 4;
const PAGE = 100;

export type Damage = { what: 'gone' } | { what: 'changed'; sha256: string };

export interface VerifyListener {
  damaged(picture: StoredPicture, damage: Damage): void;
  /** All pictures up to and with this key have been looked at. */
  reached(key: string, done: number, total: number): Promise<void>;
}

/** Reads the originals back and compares their bytes with what the archive says of them. */
@Injectable()
export class MediaVerifyService {
  constructor(
    private readonly audit: ObjectAuditRepository,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /**
   * @param after the key to go on behind; '' for all
   * @throws StoreError when the store does not answer: what was reached is told by then
   */
  async run(after: string, listener: VerifyListener): Promise<{ done: number; damaged: number }> {
    const total = await this.audit.countStoredAfter(after);
    const counts = { done: 0, damaged: 0 };
    for (;;) {
      const page = await this.audit.storedAfter(after, PAGE);
      const last = page.at(-1);
      if (last === undefined) return counts;
      const queue = new PQueue({ concurrency: AT_ONCE });
      const looked = await Promise.allSettled(page.map((picture) => queue.add(() => this.look(picture))));
      for (const [index, result] of looked.entries()) {
        const picture = page[index];
        if (result.status === 'rejected') throw result.reason;
        if (result.value === undefined || picture === undefined) continue;
        counts.damaged++;
        listener.damaged(picture, result.value);
      }
      counts.done += page.length;
      after = last.key;
      await listener.reached(after, counts.done, Math.max(total, counts.done));
    }
  }

  private async look({ key, sha256 }: StoredPicture): Promise<Damage | undefined> {
    const found = await this.sha256Of(key);
    if (found === sha256) return undefined;
    // Cleaned up since its row was read.
    if (!(await this.audit.isStored(key))) return undefined;
    return found === undefined ? { what: 'gone' } : { what: 'changed', sha256: found };
  }

  private async sha256Of(key: string): Promise<string | undefined> {
    try {
      return createHash('sha256')
        .update(await this.store.get(key))
        .digest('hex');
    } catch (error) {
      if (error instanceof AppError && error.code === 'object-missing') return undefined;
      throw error;
    }
  }
}
