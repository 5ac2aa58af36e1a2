import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { storable } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { seasonLabel, type SeasonParts } from '../taxonomy/labels.js';
import { GalleriesRepository } from './galleries.repository.js';
import type { GalleryAction } from './gallery-event.entity.js';
import { GalleryReadRepository, type GalleryView } from './gallery-read.repository.js';
import { galleryNotFound, reasonNeeded } from './gallery-refusals.js';
import { GalleryReviewRepository, type LockedGallery } from './gallery-review.repository.js';

const MAX_REASON = 500;

/** What is done on a locked gallery. Answers what the event says of it, undefined when there was nothing to do. */
export type Deed = (tx: EntityManager, gallery: LockedGallery) => Promise<string | undefined>;

/** How the services of editors do something to one gallery: on its locked row, and with its event in the same transaction. */
@Injectable()
export class GalleryDeeds {
  constructor(
    private readonly review: GalleryReviewRepository,
    private readonly galleries: GalleriesRepository,
    private readonly views: GalleryReadRepository,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param before locks what is locked before galleries are
   * @returns the gallery as it is then
   * @throws AppError 404 `gallery-not-found`, and what the deed throws
   */
  async run(
    actor: Actor,
    id: string,
    action: GalleryAction,
    deed: Deed,
    before?: (tx: EntityManager) => Promise<void>,
  ): Promise<GalleryView> {
    await this.transactions.run(async (tx) => {
      await before?.(tx);
      const gallery = await this.review.lock(tx, id);
      if (gallery === undefined) throw galleryNotFound(id);
      const detail = await deed(tx, gallery);
      if (detail === undefined) return;
      await this.galleries.addEvent(tx, { galleryId: id, actor: actor.name, action, ...(detail && { detail }) });
    });
    return this.view(id);
  }

  /** @throws AppError 404 `gallery-not-found` */
  async view(id: string): Promise<GalleryView> {
    const view = (await this.views.byIds([id])).get(id);
    if (view === undefined) throw galleryNotFound(id);
    return view;
  }

  labelOf(show: SeasonParts): string {
    return seasonLabel(show, this.config.jobs.notesLocale);
  }

  /** How the job that a deed needs is known. */
  jobLabel(gallery: LockedGallery, actor: Actor): { brandId: string; subject: string; submittedBy: string } {
    return { brandId: gallery.brandId, subject: this.labelOf(gallery), submittedBy: actor.name };
  }

  /** @param why what is said when there is no reason. @throws AppError 400 `reason-needed` */
  reasonOf(reason: string, why: string): string {
    const given = storable(reason.trim(), MAX_REASON);
    if (given === '') throw reasonNeeded(why);
    return given;
  }
}
