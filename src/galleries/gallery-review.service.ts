import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobQueue } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { storable } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { seasonLabel } from '../taxonomy/labels.js';
import { cleanupJob } from './cleanup-payload.js';
import { GalleriesRepository } from './galleries.repository.js';
import type { GalleryAction } from './gallery-event.entity.js';
import { GalleryReadRepository, type GalleryView } from './gallery-read.repository.js';
import { GalleryReviewRepository, type LockedGallery } from './gallery-review.repository.js';
import { refillJob } from './refill-payload.js';

const MAX_REASON = 500;

/** What an editor decides about a gallery; each decision and its event are written together. */
@Injectable()
export class GalleryReviewService {
  constructor(
    private readonly review: GalleryReviewRepository,
    private readonly galleries: GalleriesRepository,
    private readonly views: GalleryReadRepository,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows it to everybody, if there is anything to show; one that is published already stays so. @throws AppError */
  publish(id: string, actor: string): Promise<GalleryView> {
    return this.change(id, actor, 'published', async (tx, gallery) => {
      assertNotDeleted(gallery);
      if (gallery.status === 'published') return undefined;
      assertNotEmpty(gallery);
      await this.review.publish(tx, id);
      return '';
    });
  }

  /** Sends it back: the next crawl of the show overwrites it. @throws AppError */
  reject(id: string, reason: string, actor: string): Promise<GalleryView> {
    const why = storable(reason.trim(), MAX_REASON);
    if (why === '') {
      throw new AppError('reason-needed', 'Say why it is rejected: whoever crawls it next has to know.', {
        status: 400,
      });
    }
    return this.change(id, actor, 'rejected', async (tx, gallery) => {
      assertNotDeleted(gallery);
      await this.review.reject(tx, id, why);
      return why;
    });
  }

  /** Moves it to the trash, and enqueues the removal of its files for the end of the trash time. @throws AppError */
  async delete(id: string, actor: string): Promise<GalleryView> {
    const delaySeconds = this.config.galleries.trashSeconds;
    const view = await this.change(id, actor, 'deleted', async (tx, gallery) => {
      if (gallery.deletedAt > 0) return undefined;
      const deletedAt = await this.review.moveToTrash(tx, id);
      const label = { ...this.label(gallery, actor), delaySeconds };
      await this.queue.enqueue(tx, [cleanupJob({ galleryId: id, deletedAt }, label)]);
      return '';
    });
    this.queue.announce();
    return view;
  }

  /**
   * Takes it out of the trash. Files that are gone by then are fetched anew by a job of this very transaction; its pictures
   * are `missing` until then. @throws AppError
   */
  async restore(id: string, actor: string): Promise<GalleryView> {
    const view = await this.change(id, actor, 'restored', async (tx, gallery) => {
      if (gallery.deletedAt === 0) return undefined;
      await this.review.restore(tx, id);
      if (gallery.purgedAt > 0) await this.queue.enqueueOnce(tx, refillJob(id, this.label(gallery, actor)));
      return '';
    });
    this.queue.announce();
    return view;
  }

  /** Has the missing pictures fetched once more. The job that does it writes the event. @throws AppError */
  async refill(id: string, actor: string): Promise<GalleryView> {
    const view = await this.change(id, actor, 'refilled', async (tx, gallery) => {
      assertNotDeleted(gallery);
      assertIncomplete(gallery);
      if ((await this.queue.enqueueOnce(tx, refillJob(id, this.label(gallery, actor)))) === 0) throw refillWaiting(id);
      return undefined;
    });
    this.queue.announce();
    return view;
  }

  private label(gallery: LockedGallery, actor: string): { brandId: string; subject: string; submittedBy: string } {
    const subject = seasonLabel(gallery, this.config.jobs.notesLocale);
    return { brandId: gallery.brandId, subject, submittedBy: actor };
  }

  /**
   * @param decide does it on the locked row; answers what the event says of it, undefined when there was nothing to do
   */
  private async change(
    id: string,
    actor: string,
    action: GalleryAction,
    decide: (tx: EntityManager, gallery: LockedGallery) => Promise<string | undefined>,
  ): Promise<GalleryView> {
    await this.transactions.run(async (tx) => {
      const gallery = await this.review.lock(tx, id);
      if (gallery === undefined) throw notFound(id);
      const detail = await decide(tx, gallery);
      if (detail !== undefined)
        await this.galleries.addEvent(tx, { galleryId: id, actor, action, ...(detail && { detail }) });
    });
    const view = (await this.views.byIds([id])).get(id);
    if (view === undefined) throw notFound(id);
    return view;
  }
}

function assertNotDeleted({ id, deletedAt }: LockedGallery): void {
  if (deletedAt === 0) return;
  throw new AppError('gallery-deleted', `Gallery ${id} is in the trash. Restore it first.`, { status: 409 });
}

function assertNotEmpty({ id, pictureCount }: LockedGallery): void {
  if (pictureCount > 0) return;
  throw new AppError('gallery-empty', `Gallery ${id} has no picture to show. Have it refilled first.`, { status: 409 });
}

function assertIncomplete({ id, missingCount }: LockedGallery): void {
  if (missingCount > 0) return;
  throw new AppError('gallery-complete', `Gallery ${id} misses no picture, so there is nothing to fetch.`, {
    status: 409,
  });
}

function refillWaiting(id: string): AppError {
  return new AppError('refill-waiting', `The missing pictures of gallery ${id} are being fetched already.`, {
    status: 409,
  });
}

function notFound(id: string): AppError {
  return new AppError('gallery-not-found', `There is no gallery ${id}.`, { status: 404 });
}
