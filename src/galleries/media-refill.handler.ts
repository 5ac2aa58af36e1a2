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
import { CONFIG, type Config } from '../platform/config/config.js';
import { cleanupJob } from './cleanup-payload.js';
import { crawlNotes, type CrawlNotes } from './crawl-notes.js';
import { GalleriesRepository } from './galleries.repository.js';
import { GalleryReviewRepository } from './gallery-review.repository.js';
import { PictureGatherer } from './picture-gatherer.js';
import { PictureSlotsRepository, type PictureSlot } from './picture-slots.repository.js';
import { MEDIA_REFILL, refillOf } from './refill-payload.js';
import { judgeRefill } from './refill-verdict.js';
import { RefillRepository, type HolesOf } from './refill.repository.js';

export interface RefillPlan {
  galleryId: string;
  /** Empty when there was nothing to fetch. */
  slots: readonly PictureSlot[];
}

type NoNeed = 'complete' | 'deleted';

/**
 * Fetches what a gallery misses: pictures that failed when it was crawled, or that went with a trash it came back from. An
 * editor asks for it, or a restore. Its objects bear its own id, so a clean-up of the earlier ones, however late, never
 * meets them; and the earlier keys that leave the gallery's rows here get a clean-up of their own, in case that one died.
 */
@JobHandler({ kind: MEDIA_REFILL, outcomes: ['refilled', 'noop'] })
export class MediaRefillHandler implements JobHandlerContract<RefillPlan> {
  private readonly notes: CrawlNotes;

  constructor(
    private readonly refills: RefillRepository,
    private readonly review: GalleryReviewRepository,
    private readonly galleries: GalleriesRepository,
    private readonly slots: PictureSlotsRepository,
    private readonly pictures: PictureGatherer,
    private readonly queue: JobQueue,
    @Inject(CONFIG) config: Config,
  ) {
    this.notes = crawlNotes(config.jobs.notesLocale);
  }

  async gather(job: ClaimedJob, context: GatherContext): Promise<RefillPlan> {
    const galleryId = refillOf(job.payload);
    const gallery = await this.refills.galleryOf(galleryId);
    if (gallery === undefined) throw galleryGone(galleryId);
    if (noNeed(gallery) !== undefined) return { galleryId, slots: [] };
    const holes = gallery.pictures.filter(({ state }) => state !== 'stored');
    const slots = await this.pictures.gather(job, gallery.kind, holes, context);
    const waiting = slots.filter(({ state }) => state === 'waiting' || state === 'storing');
    if (waiting.length > 0 && !job.isLastAttempt) {
      const codes = [...new Set(waiting.map((slot) => slot.errorCode ?? 'not_fetched'))].join(', ');
      throw JobError.transient(
        'pictures_missing',
        `${waiting.length} of ${holes.length} pictures could not be fetched yet (${codes}); those that came are kept.`,
      );
    }
    return { galleryId, slots };
  }

  /** Looks again under the gallery's lock: it may have been deleted, purged, filled or overwritten while we fetched. */
  async commit({ galleryId, slots }: RefillPlan, tx: EntityManager, job: ClaimedJob): Promise<Settlement> {
    await this.review.lock(tx, galleryId);
    const gallery = await this.refills.galleryOf(galleryId, tx);
    if (gallery === undefined) throw galleryGone(galleryId);
    const why = noNeed(gallery);
    if (why !== undefined) {
      await this.forget(tx, job, slots, []);
      const note = why === 'deleted' ? this.notes.inTrash() : this.notes.nothingMissing();
      return { outcome: 'noop', note };
    }
    if (slots.length === 0) {
      // Whoever restored it meanwhile enqueued nothing, since this job was there.
      throw JobError.transient('archive_changed', 'The gallery misses pictures by now; they are fetched.');
    }
    const { wanted, filled, failures } = judgeRefill(gallery.pictures, slots);
    const named = failures.map(({ name, code }) => `${name} ${code}`);
    if (filled.length === 0) {
      throw JobError.permanent(
        'no_picture_came',
        `None of the ${wanted} missing pictures could be fetched: ${named.slice(0, 8).join(', ')}.`,
      );
    }
    const purged = await this.refills.fill(tx, galleryId, job.id, filled);
    await this.refills.noteFailures(tx, galleryId, failures);
    await this.refills.recount(tx, galleryId);
    await this.forget(tx, job, slots, filled);
    const { brandId, subject, submittedBy: actor } = job;
    if (purged.length > 0) {
      const label = { brandId, subject, submittedBy: 'runway-ingest' };
      await this.queue.enqueue(tx, [cleanupJob({ objectKeys: purged, galleryId }, label)]);
    }
    const detail = `${filled.length}/${wanted}`;
    await this.galleries.addEvent(tx, { galleryId, actor, action: 'refilled', detail, jobId: job.id });
    return { outcome: 'refilled', note: this.notes.refilled(wanted, filled.length, named) };
  }

  /** Slots with an object that no place took stay behind: the sweep of orphans cleans them up. */
  private forget(
    tx: EntityManager,
    job: ClaimedJob,
    slots: readonly PictureSlot[],
    filled: readonly number[],
  ): Promise<void> {
    const empty = slots.filter(({ objectKey }) => objectKey === null).map(({ position }) => position);
    return this.slots.take(tx, job.id, [...empty, ...filled]);
  }
}

function noNeed({ deletedAt, pictures }: HolesOf): NoNeed | undefined {
  if (deletedAt > 0) return 'deleted';
  return pictures.every(({ state }) => state === 'stored') ? 'complete' : undefined;
}

function galleryGone(id: string): JobError {
  return JobError.permanent('gallery_gone', `There is no gallery ${id} any more.`);
}
