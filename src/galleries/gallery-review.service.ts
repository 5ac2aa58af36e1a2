import { Inject, Injectable } from '@nestjs/common';
import { mayActAs, type Actor } from '../auth/actor.js';
import { JobQueue } from '../jobs/job-queue.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { cleanupJob } from './cleanup-payload.js';
import { GalleryDeeds } from './gallery-deeds.js';
import type { GalleryView } from './gallery-read.repository.js';
import {
  allHidden,
  assertIncomplete,
  assertNotDeleted,
  assertNotEmpty,
  galleryForgotten,
  galleryNotDeleted,
  galleryTakenDown,
  refillWaiting,
} from './gallery-refusals.js';
import { GalleryReviewRepository } from './gallery-review.repository.js';
import { refillJob } from './refill-payload.js';

/** What becomes of a gallery: review, trash and what comes after it. Each decision and its event are written together. */
@Injectable()
export class GalleryReviewService {
  constructor(
    private readonly review: GalleryReviewRepository,
    private readonly deeds: GalleryDeeds,
    private readonly queue: JobQueue,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows it to everybody, if there is anything to show; one that is published already stays so. @throws AppError */
  publish(actor: Actor, id: string): Promise<GalleryView> {
    return this.deeds.run(actor, id, 'published', async (tx, gallery) => {
      assertNotDeleted(gallery);
      if (gallery.status === 'published') return undefined;
      assertNotEmpty(gallery);
      if (!(await this.review.hasVisible(tx, id))) throw allHidden(id);
      await this.review.publish(tx, id);
      return '';
    });
  }

  /** Sends it back: the next crawl of the show overwrites it. @throws AppError */
  async reject(actor: Actor, id: string, reason: string): Promise<GalleryView> {
    const why = this.deeds.reasonOf(reason, 'Say why it is rejected: whoever crawls it next has to know.');
    return this.deeds.run(actor, id, 'rejected', async (tx, gallery) => {
      assertNotDeleted(gallery);
      await this.review.reject(tx, id, why);
      return why;
    });
  }

  /** Takes a publication, or a rejection that no crawl has met yet, back: it waits for its review again. @throws AppError */
  reopen(actor: Actor, id: string): Promise<GalleryView> {
    return this.deeds.run(actor, id, 'reopened', async (tx, gallery) => {
      assertNotDeleted(gallery);
      if (gallery.status === 'pending_review') return undefined;
      await this.review.reopen(tx, id);
      return `${gallery.status} → pending_review`;
    });
  }

  /** Moves it to the trash, and enqueues the removal of its files for the end of the trash time. @throws AppError */
  async delete(actor: Actor, id: string): Promise<GalleryView> {
    const delaySeconds = this.config.galleries.trashSeconds;
    const view = await this.deeds.run(actor, id, 'deleted', async (tx, gallery) => {
      if (gallery.deletedAt > 0) return undefined;
      const deletedAt = await this.review.moveToTrash(tx, id);
      const label = { ...this.deeds.jobLabel(gallery, actor), delaySeconds };
      await this.queue.enqueue(tx, [cleanupJob({ galleryId: id, deletedAt }, label)]);
      return '';
    });
    this.queue.announce();
    return view;
  }

  /**
   * Takes it out of the trash. Files that are gone by then are fetched anew by a job of this very transaction; its pictures
   * are `missing` until then. What was taken down comes back by an operator only. @throws AppError
   */
  async restore(actor: Actor, id: string): Promise<GalleryView> {
    const view = await this.deeds.run(actor, id, 'restored', async (tx, gallery) => {
      if (gallery.forgottenAt > 0) throw galleryForgotten(id);
      if (gallery.deletedAt === 0) return undefined;
      const { takedownReason } = gallery;
      if (takedownReason !== null && !mayActAs(actor, 'operator')) throw galleryTakenDown(id, takedownReason);
      await this.review.restore(tx, id);
      if (gallery.purgedAt > 0) await this.queue.enqueueOnce(tx, refillJob(id, this.deeds.jobLabel(gallery, actor)));
      return '';
    });
    this.queue.announce();
    return view;
  }

  /**
   * Moves it to the trash if it is not there, and has its files removed at once. The reason stays with it. Taken down twice,
   * it keeps the first reason. @throws AppError
   */
  async takeDown(actor: Actor, id: string, reason: string): Promise<GalleryView> {
    const why = this.deeds.reasonOf(reason, 'Say why it is taken down: whoever misses it has to know.');
    const view = await this.deeds.run(actor, id, 'taken_down', async (tx, gallery) => {
      if (gallery.forgottenAt > 0) throw galleryForgotten(id);
      if (gallery.takedownReason !== null) return undefined;
      const deletedAt = gallery.deletedAt > 0 ? gallery.deletedAt : await this.review.moveToTrash(tx, id);
      await this.review.keepTakedownReason(tx, id, why);
      await this.queue.enqueue(tx, [cleanupJob({ galleryId: id, deletedAt }, this.deeds.jobLabel(gallery, actor))]);
      return why;
    });
    this.queue.announce();
    return view;
  }

  /**
   * Makes room for the show of a deleted gallery: no crawl finds it any more, so the next one makes a new gallery. The row
   * and its history stay; its files go at once, since nothing can bring it back. @throws AppError
   */
  async forget(actor: Actor, id: string): Promise<GalleryView> {
    const view = await this.deeds.run(actor, id, 'forgotten', async (tx, gallery) => {
      if (gallery.forgottenAt > 0) return undefined;
      const { deletedAt } = gallery;
      if (deletedAt === 0) throw galleryNotDeleted(id);
      await this.review.forget(tx, id);
      await this.queue.enqueue(tx, [cleanupJob({ galleryId: id, deletedAt }, this.deeds.jobLabel(gallery, actor))]);
      return '';
    });
    this.queue.announce();
    return view;
  }

  /** Has the missing pictures fetched once more. The job that does it writes the event. @throws AppError */
  async refill(actor: Actor, id: string): Promise<GalleryView> {
    const view = await this.deeds.run(actor, id, 'refilled', async (tx, gallery) => {
      assertNotDeleted(gallery);
      assertIncomplete(gallery);
      const job = refillJob(id, this.deeds.jobLabel(gallery, actor));
      if ((await this.queue.enqueueOnce(tx, job)) === 0) throw refillWaiting(id);
      return undefined;
    });
    this.queue.announce();
    return view;
  }
}
