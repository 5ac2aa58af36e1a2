import { Inject } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobError } from '../jobs/job-error.js';
import {
  JobHandler,
  type ClaimedJob,
  type GatherContext,
  type JobHandlerContract,
  type Settlement,
} from '../jobs/job-handler.js';
import { JobQueue } from '../jobs/job-queue.js';
import { isObjectKey, pictureKeyOf, thumbnailKey } from '../media/object-key.js';
import { OBJECT_STORE, type ObjectStore } from '../media/object-store.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { cleanupOf, MEDIA_CLEANUP, type Cleanup } from './cleanup-payload.js';
import { CleanupRepository } from './cleanup.repository.js';
import { crawlNotes, type CrawlNotes } from './crawl-notes.js';
import { storeUnavailable } from './store-unavailable.js';

const STORE_SECONDS = 600;

export type CleanupPlan =
  | { step: 'nothing'; why: 'empty' | 'restored' | 'still_needed' }
  | { step: 'removed'; removed: number; missing: number; slotsOf: string | undefined };

/**
 * Removes files in two phases: first a short transaction looks again, under a lock, and marks what will be gone; only then
 * are objects deleted. Restoring a gallery and retrying a crawl take the same lock: before the mark they win, after it
 * they know that the files are gone.
 */
@JobHandler({ kind: MEDIA_CLEANUP, outcomes: ['cleaned', 'noop'] })
export class MediaCleanupHandler implements JobHandlerContract<CleanupPlan> {
  private readonly notes: CrawlNotes;

  constructor(
    private readonly cleanups: CleanupRepository,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(CONFIG) config: Config,
  ) {
    this.notes = crawlNotes(config.jobs.notesLocale);
  }

  async gather(job: ClaimedJob, { signal, progress }: GatherContext): Promise<CleanupPlan> {
    const cleanup = cleanupOf(job.payload);
    const keys = await this.mark(job.id, cleanup);
    if (keys === undefined) return { step: 'nothing', why: 'restored' };
    if (cleanup.objectKeys?.length === 0) return { step: 'nothing', why: 'empty' };
    if (keys.length === 0 && (cleanup.objectKeys ?? cleanup.jobId)) return { step: 'nothing', why: 'still_needed' };
    const foreign = keys.find((key) => !isObjectKey(key));
    if (foreign !== undefined) {
      throw JobError.permanent(
        'object_key_foreign',
        `"${foreign}" is no key of this store; remove such files where they are.`,
      );
    }
    const counts = { removed: 0, missing: 0 };
    for (const [index, key] of keys.entries()) {
      signal.throwIfAborted();
      // A picture is counted, its thumbnail goes before it without a word.
      await this.remove(cleanup, thumbnailKey(key));
      const gone = await this.remove(cleanup, key);
      if (gone === undefined) continue;
      counts[gone]++;
      progress(index + 1, keys.length);
    }
    return { step: 'removed', ...counts, slotsOf: cleanup.jobId };
  }

  async commit(plan: CleanupPlan, tx: EntityManager): Promise<Settlement> {
    if (plan.step === 'nothing') {
      const note = {
        empty: this.notes.emptyPayload,
        restored: this.notes.restored,
        still_needed: this.notes.stillNeeded,
      };
      return { outcome: 'noop', note: note[plan.why]() };
    }
    if (plan.slotsOf !== undefined) await this.cleanups.forgetSlots(tx, plan.slotsOf);
    return { outcome: 'cleaned', note: this.notes.cleaned(plan.removed, plan.missing) };
  }

  /** Looked at again each time: this worker may have stalled, another have ended the clean-up, and a crawl put the object anew. */
  private async mayGo({ objectKeys, jobId }: Cleanup, key: string): Promise<boolean> {
    if (objectKeys !== undefined) return (await this.cleanups.unreferenced([key])).length > 0;
    return jobId === undefined || this.cleanups.isTaken(jobId, key);
  }

  /** @returns undefined when it may not go */
  private async remove(cleanup: Cleanup, object: string): Promise<'removed' | 'missing' | undefined> {
    return (await this.mayGo(cleanup, pictureKeyOf(object))) ? this.removeNow(object) : undefined;
  }

  /** Three tries within two minutes would leave the files of whatever was deleted on a bad day for ever. */
  private async removeNow(key: string): Promise<'removed' | 'missing'> {
    try {
      return await this.store.remove(key);
    } catch (error) {
      throw storeUnavailable(error, `"${key}" cannot be removed now`, STORE_SECONDS);
    }
  }

  /** @returns keys of the objects that may go; undefined when the gallery was restored */
  private async mark(by: string, { objectKeys, galleryId, deletedAt, jobId }: Cleanup): Promise<string[] | undefined> {
    // A thumbnail is named by no row: whoever names one means its picture.
    if (objectKeys !== undefined) return this.cleanups.unreferenced([...new Set(objectKeys.map(pictureKeyOf))]);
    return this.transactions.run(async (tx) => {
      if (jobId !== undefined) return this.cleanups.takeSlots(tx, jobId, await this.queue.lockFinal(tx, jobId));
      return this.cleanups.markPurged(tx, galleryId ?? '0', deletedAt, by);
    });
  }
}
