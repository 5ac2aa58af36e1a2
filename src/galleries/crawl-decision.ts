import type { CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { CrawlDecision } from './crawl-overrides.js';
import type { Show } from './show.js';

export const GALLERY_STATUSES = ['pending_review', 'published', 'rejected'] as const;
export type GalleryStatus = (typeof GALLERY_STATUSES)[number];

/** A gallery that may be the crawl's show, as far as the decision needs it. Times are unix seconds, 0 for none. */
export interface FoundGallery {
  id: string;
  status: GalleryStatus;
  deletedAt: number;
  revision: number;
  year: number | null;
  term: Term | null;
  category: string;
  categorySource: CategorySource;
  pictureCount: number;
  /** How it was found: by the page or id it came from, by its natural key, or because a person named it. */
  by: 'source' | 'key' | 'person';
  /** The key that matched, for a payload without a market. */
  market: string | null;
}

export type Decision =
  | { action: 'create' }
  | { action: 'overwrite'; gallery: FoundGallery }
  | { action: 'skip_existing'; gallery: FoundGallery }
  | { action: 'skip_deleted'; gallery: FoundGallery }
  | { action: 'refuse'; why: Refusal };

/** Why a person's decision cannot be carried out. */
export type Refusal = 'gallery_gone' | 'gallery_deleted' | 'show_exists';

/** Which of the galleries that were found is the show, if any: its source first, then its natural key. */
export function chooseGallery(show: Show, found: readonly FoundGallery[]): FoundGallery | undefined {
  const bySource = found.find((gallery) => gallery.by === 'source' && sourceCounts(show, gallery));
  if (bySource !== undefined) return bySource;
  const byKey = found.filter((gallery) => gallery.by === 'key');
  const exact = byKey.find((gallery) => gallery.market === show.key.market);
  if (exact !== undefined || show.key.market !== null) return exact;
  // A payload that does not say where: only if there is one place where it can have been.
  return new Set(byKey.map((gallery) => gallery.id)).size === 1 ? byKey[0] : undefined;
}

/**
 * What is to be done with the crawl, given the gallery that it is about.
 * @param directive what a person decided: `take` writes over whatever the review says, and the trash alone stops it;
 *   `own_show` makes a gallery or nothing
 */
export function decide(gallery: FoundGallery | undefined, directive?: CrawlDecision): Decision {
  if (directive === 'take') return decideTake(gallery);
  if (directive === 'own_show') return gallery === undefined ? { action: 'create' } : refuse('show_exists');
  if (gallery === undefined) return { action: 'create' };
  if (gallery.deletedAt > 0) return { action: 'skip_deleted', gallery };
  if (gallery.status === 'rejected') return { action: 'overwrite', gallery };
  return { action: 'skip_existing', gallery };
}

function decideTake(gallery: FoundGallery | undefined): Decision {
  if (gallery === undefined) return refuse('gallery_gone');
  return gallery.deletedAt > 0 ? refuse('gallery_deleted') : { action: 'overwrite', gallery };
}

function refuse(why: Refusal): Decision {
  return { action: 'refuse', why };
}

/** Whether a skip may have swallowed another show: the category was a guess, and no picture is the same. */
export function isSuspect(show: Show, gallery: FoundGallery, sharedPictures: number): boolean {
  const guessed = show.categorySource === 'default' || gallery.categorySource === 'default';
  return gallery.by === 'key' && show.payload.kind === 'runway' && guessed && sharedPictures === 0;
}

/**
 * A page counts only when the season agrees, since some crawlers send one listing page for all shows; and two categories
 * that were both read and differ are two shows.
 */
function sourceCounts({ key, categorySource }: Show, gallery: FoundGallery): boolean {
  const sameSeason = gallery.year === key.year && gallery.term === key.term;
  const guessed = categorySource === 'default' || gallery.categorySource === 'default';
  return sameSeason && (guessed || gallery.category === key.category);
}
