import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { BrandsService } from '../brands/brands.service.js';
import { Clock } from '../platform/clock/clock.js';
import { GalleriesRepository } from './galleries.repository.js';
import { GalleryDeeds } from './gallery-deeds.js';
import { GalleryEditorRepository, type EditedPicture } from './gallery-editor.repository.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import type { GalleryView } from './gallery-read.repository.js';
import {
  assertNotDeleted,
  galleryChanged,
  galleryNotFound,
  lastPicture,
  noCover,
  noSuchPlace,
  showExists,
} from './gallery-refusals.js';
import { GalleryReviewRepository, type LockedGallery } from './gallery-review.repository.js';
import { nameOf } from './picture-verdict.js';
import { changedShow, differencesOf, type ShowChanges } from './show-changes.js';
import type { GalleryKey } from './show.js';

/** What editors put right in a gallery: which show it is, which of its pictures are seen, and which one comes first. */
@Injectable()
export class GalleryEditor {
  constructor(
    private readonly editing: GalleryEditorRepository,
    private readonly review: GalleryReviewRepository,
    private readonly galleries: GalleriesRepository,
    private readonly finder: GalleryFinderRepository,
    private readonly brands: BrandsService,
    private readonly deeds: GalleryDeeds,
    private readonly clock: Clock,
  ) {}

  /**
   * Corrects season, category or market. The old key stays, so that a crawl that knows no better does not make a twin. A
   * category that is given is an editor's word from then on, also when it is the one that was guessed.
   * @param revision the one that the editor looked at; without, whatever it is by now
   * @throws AppError 409 `gallery-changed`, `show-exists`, `gallery-deleted`; 400 `overrides-invalid`; 422 `season-needed`; 404
   */
  async change(actor: Actor, id: string, changes: ShowChanges, revision?: number): Promise<GalleryView> {
    const brandId = await this.editing.brandOf(id);
    if (brandId === undefined) throw galleryNotFound(id);
    return this.deeds.run(
      actor,
      id,
      'changed',
      async (tx, gallery) => {
        assertNotDeleted(gallery);
        if (gallery.brandId !== brandId || gallery.revision !== (revision ?? gallery.revision)) {
          throw galleryChanged(gallery, this.deeds.labelOf(gallery));
        }
        return this.correct(tx, gallery, changes);
      },
      (tx) => this.lockShows(tx, brandId),
    );
  }

  /** A hidden picture is for those alone who are signed in, and is no cover. @throws AppError 404, 409 `last-picture` */
  hidePicture(actor: Actor, id: string, position: number, hidden: boolean): Promise<GalleryView> {
    return this.deeds.run(actor, id, hidden ? 'picture_hidden' : 'picture_shown', async (tx, gallery) => {
      const picture = await this.pictureOf(tx, gallery, position);
      if (picture.hidden === hidden) return undefined;
      await this.editing.setHidden(tx, id, position, hidden);
      const wasSeen = hidden && picture.state === 'stored' && gallery.status === 'published';
      if (wasSeen && !(await this.review.hasVisible(tx, id))) throw lastPicture(id);
      return nameOf(picture);
    });
  }

  /** @throws AppError 404 `picture-not-found`, 409 `picture-not-shown` */
  chooseCover(actor: Actor, id: string, position: number): Promise<GalleryView> {
    return this.deeds.run(actor, id, 'cover_chosen', async (tx, gallery) => {
      const picture = await this.pictureOf(tx, gallery, position);
      if (picture.hidden) throw noCover(nameOf(picture), 'hidden');
      if (picture.state !== 'stored') throw noCover(nameOf(picture), 'not_there');
      return (await this.editing.chooseCover(tx, id, position)) ? nameOf(picture) : undefined;
    });
  }

  /** As crawls do before they look and write, and before the gallery's own lock: who of them comes second sees the other's work. */
  private async lockShows(tx: EntityManager, brandId: string): Promise<void> {
    if (brandId === '0') await this.galleries.lockStreetStyle(tx);
    // A brand that was merged meanwhile has the gallery no more, which is noticed on the locked row.
    else await this.brands.lock(tx, brandId);
  }

  private async correct(tx: EntityManager, gallery: LockedGallery, changes: ShowChanges): Promise<string | undefined> {
    const { id, kind, brandId } = gallery;
    const show = changedShow(kind, gallery, changes, this.clock.now().getUTCFullYear());
    const categorySource = changes.category ? 'editor' : gallery.categorySource;
    const differences = differencesOf(gallery, show);
    if (differences === '' && categorySource === gallery.categorySource) return undefined;
    const key = { ...show, brandId, detail: await this.editing.keyDetail(tx, id, gallery) };
    await this.assertFree(tx, id, key);
    await this.galleries.addKey(tx, id, key);
    await this.editing.correct(tx, id, show, categorySource);
    return differences || `category: ${show.category}`;
  }

  private async assertFree(tx: EntityManager, id: string, key: GalleryKey): Promise<void> {
    const found = await this.finder.candidates(key, undefined, tx);
    const other = found.find((gallery) => gallery.id !== id && gallery.market === key.market);
    if (other !== undefined) throw showExists(other, this.deeds.labelOf(key));
  }

  private async pictureOf(tx: EntityManager, gallery: LockedGallery, position: number): Promise<EditedPicture> {
    assertNotDeleted(gallery);
    const picture = await this.editing.picture(tx, gallery.id, position);
    if (picture === undefined) throw noSuchPlace(gallery.id, position);
    return picture;
  }
}
