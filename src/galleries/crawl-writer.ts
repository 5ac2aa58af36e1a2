import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BrandsService } from '../brands/brands.service.js';
import type { ClaimedJob } from '../jobs/job-handler.js';
import { JobError } from '../jobs/job-error.js';
import { JobQueue } from '../jobs/job-queue.js';
import { cleanupJob } from './cleanup-payload.js';
import { sourcesOf } from './crawl-source.js';
import { GalleriesRepository, type GalleryContent } from './galleries.repository.js';
import { PictureSlotsRepository } from './picture-slots.repository.js';
import type { Show } from './show.js';

/** The writing half of a crawl: locks, rows, and what has to be cleaned up because of them, in the job's transaction. */
@Injectable()
export class CrawlWriter {
  constructor(
    private readonly galleries: GalleriesRepository,
    private readonly slots: PictureSlotsRepository,
    private readonly brands: BrandsService,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Two crawls of one show wait for each other here; whoever comes second sees what the first wrote.
   * @throws JobError `brand_merged`, a snooze, when the brand is no more: nothing may be written under it any longer
   */
  async lock(tx: EntityManager, show: Show): Promise<void> {
    if (show.payload.kind === 'street') return this.galleries.lockStreetStyle(tx);
    if (await this.brands.lock(tx, show.key.brandId)) return;
    throw JobError.snooze(
      'brand_merged',
      'The brand was merged or deleted while this crawl was under way; it is read again for the brand that stays.',
      1,
    );
  }

  /** @returns the new gallery's id */
  async create(tx: EntityManager, job: ClaimedJob, actor: string, content: GalleryContent): Promise<string> {
    const galleryId = await this.galleries.insert(tx, content);
    await this.finish(tx, job, galleryId, content);
    await this.galleries.addEvent(tx, { galleryId, actor, action: 'created', jobId: job.id });
    return galleryId;
  }

  /** The old revision's files go after the new ones are in: by a job of this very transaction. */
  async overwrite(
    tx: EntityManager,
    job: ClaimedJob,
    actor: string,
    galleryId: string,
    content: GalleryContent,
  ): Promise<void> {
    const old = await this.galleries.overwrite(tx, galleryId, content);
    await this.finish(tx, job, galleryId, content);
    await this.galleries.addKey(tx, galleryId, content.show.key);
    await this.galleries.addEvent(tx, { galleryId, actor, action: 'overwritten', jobId: job.id });
    const { brandId } = content.show.key;
    if (old.length > 0) {
      await this.queue.enqueue(tx, [
        cleanupJob({ objectKeys: old, galleryId }, { brandId, subject: job.subject, submittedBy: actor }),
      ]);
    }
  }

  /** The gallery's history tells of crawls that changed nothing, too. */
  async skipped(tx: EntityManager, job: ClaimedJob, galleryId: string, note: string, suspect: boolean): Promise<void> {
    const { id: jobId, submittedBy: actor } = job;
    await this.galleries.addEvent(tx, { galleryId, actor, action: 'crawl_skipped', detail: note, jobId });
    if (suspect) await this.galleries.setSuspect(tx, galleryId, true);
  }

  /** A person has looked at the crawl that made a gallery suspect. */
  settleSuspect(tx: EntityManager, galleryId: string): Promise<void> {
    return this.galleries.setSuspect(tx, galleryId, false);
  }

  /** It was the same show: its page is remembered as the gallery's, so that the next crawl of it is not suspect. */
  async dismissed(tx: EntityManager, actor: string, jobId: string, galleryId: string, show: Show): Promise<void> {
    await this.galleries.addSources(tx, galleryId, show.key.brandId, sourcesOf(show.payload.source));
    await this.galleries.addEvent(tx, { galleryId, actor, action: 'suspect_dismissed', jobId });
    await this.settleSuspect(tx, galleryId);
  }

  private async finish(
    tx: EntityManager,
    job: ClaimedJob,
    galleryId: string,
    { show, pictures }: GalleryContent,
  ): Promise<void> {
    await this.galleries.addSources(tx, galleryId, show.key.brandId, sourcesOf(show.payload.source));
    // Slots with an object that no picture was made of (same bytes, placeholders, one that an earlier try put and this one
    // could not fetch) stay behind: the sweep of orphans cleans them up.
    const taken = pictures.filter(({ failure, slot }) => failure === null || slot.objectKey === null);
    await this.slots.take(
      tx,
      job.id,
      taken.map(({ position }) => position),
    );
  }
}
