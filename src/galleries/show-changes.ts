import { AppError } from '../lib/app-error.js';
import type { Category, GalleryKind } from '../taxonomy/categories.js';
import type { Term } from '../taxonomy/terms.js';
import { overridesWith } from './crawl-overrides.js';

/** Which show a gallery is, beside its brand. */
export interface ShowParts {
  year: number | null;
  term: Term | null;
  category: Category;
  market: string | null;
}

/** What is to be different; what is left out stays. A category, or a market, by its code or any of its names. */
export interface ShowChanges {
  /** null takes year and term away, which only street style can do without. */
  year?: number | null | undefined;
  term?: string | null | undefined;
  category?: string | null | undefined;
  /** null, or "none", takes it away. */
  market?: string | null | undefined;
}

/**
 * The show that a gallery is once these are changed.
 * @throws AppError 400 `overrides-invalid` with every problem's field, 422 `season-needed`
 */
export function changedShow(kind: GalleryKind, show: ShowParts, changes: ShowChanges, currentYear: number): ShowParts {
  const read = overridesWith({}, changes, kind, currentYear);
  const changed = {
    year: changes.year === undefined ? show.year : (read.year ?? null),
    term: changes.term === undefined ? show.term : (read.term ?? null),
    category: read.category ?? show.category,
    market: changes.market === undefined ? show.market : (read.market ?? null),
  };
  if (kind === 'runway' && (changed.year === null || changed.term === null)) {
    throw new AppError('season-needed', 'A show needs a year and a season. Only street style can do without.', {
      status: 422,
    });
  }
  return changed;
}

/** "category: rtw → couture, market: – → paris"; empty when they are the same. */
export function differencesOf(before: ShowParts, after: ShowParts): string {
  return (['year', 'term', 'category', 'market'] as const)
    .filter((part) => before[part] !== after[part])
    .map((part) => `${part}: ${before[part] ?? '–'} → ${after[part] ?? '–'}`)
    .join(', ');
}
