import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';

/** Two things, one of each brand, of which one brand may have only one. */
export interface BrandConflict {
  /** What they are, as people read it: the season of a show. */
  label: string;
  /** The gallery of the brand that would become a part of the other. */
  galleryId: string;
  otherGalleryId: string;
}

/** A merge that is being carried out. */
export interface BrandMove {
  from: { id: string; name: string };
  into: { id: string; name: string };
  /** Who merges them, by name. */
  actor: string;
}

/**
 * What a room that keeps things of brands has to know of their merging and deleting. The brands' rows are locked while it
 * is asked, so whoever takes `BrandsService.lock` before writing for a brand never meets a move half done.
 */
export interface BrandReferencesContract {
  /** What stands in the way of a merge; a hundred of them at most. */
  conflicts(tx: EntityManager, from: string, into: string): Promise<BrandConflict[]>;
  /** How many things a merge would move. */
  count(tx: EntityManager, brandId: string): Promise<number>;
  move(tx: EntityManager, move: BrandMove): Promise<void>;
  /** What keeps the brand from being deleted, in words: "12 shows". */
  uses(tx: EntityManager, brandId: string): Promise<string[]>;
  /** What the subject keys of its jobs begin with, where those name the brand. */
  subjectPrefix(brandId: string): string;
}

/** Marks a provider that knows what its room keeps of brands; the merging of brands finds it by itself. */
export const BrandReferences = DiscoveryService.createDecorator();
