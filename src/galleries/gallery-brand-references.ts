import { Inject } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type BrandConflict,
  type BrandMove,
  BrandReferences,
  type BrandReferencesContract,
} from '../brands/brand-references.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { seasonLabel } from '../taxonomy/labels.js';
import { BrandGalleriesRepository } from './brand-galleries.repository.js';
import { subjectPrefixOf } from './show.js';

const MAX_CONFLICTS = 100;

/** What the archive keeps of a brand: galleries, the keys and the sources that they are found by. */
@BrandReferences()
export class GalleryBrandReferences implements BrandReferencesContract {
  constructor(
    private readonly galleries: BrandGalleriesRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async conflicts(tx: EntityManager, from: string, into: string): Promise<BrandConflict[]> {
    const keys = await this.galleries.sharedKeys(tx, from, into, MAX_CONFLICTS);
    return keys.map(({ galleryId, otherGalleryId, ...season }) => ({
      label: seasonLabel(season, this.config.jobs.notesLocale),
      galleryId,
      otherGalleryId,
    }));
  }

  async count(tx: EntityManager, brandId: string): Promise<number> {
    return (await this.galleries.usesOf(tx, brandId)).galleries;
  }

  move(tx: EntityManager, { from, into, actor }: BrandMove): Promise<void> {
    return this.galleries.move(tx, from.id, into.id, actor, `${from.name} → ${into.name}`);
  }

  async uses(tx: EntityManager, brandId: string): Promise<string[]> {
    const { galleries, deleted, keys } = await this.galleries.usesOf(tx, brandId);
    if (galleries > 0) return [`${galleries} ${galleries === 1 ? 'show' : 'shows'} (${deleted} in the trash)`];
    return keys > 0 ? ['keys of shows'] : [];
  }

  subjectPrefix(brandId: string): string {
    return subjectPrefixOf(brandId);
  }
}
