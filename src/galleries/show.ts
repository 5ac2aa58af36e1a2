import { aliasKey } from '../lib/alias-key.js';
import { JobError } from '../jobs/job-error.js';
import { seasonLabel, type LabelLocale } from '../taxonomy/labels.js';
import { readSeason, type CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { CrawlPayload } from './crawl-payload.js';

/** A gallery's natural key: two crawls with the same one are the same show. */
export interface GalleryKey {
  /** '0' for street style. */
  brandId: string;
  year: number | null;
  term: Term | null;
  category: string;
  market: string | null;
  /** What tells street-style galleries of one season and city apart; null for shows. */
  detail: string | null;
}

/** A crawl as the archive understands it. */
export interface Show {
  payload: CrawlPayload;
  key: GalleryKey;
  categorySource: CategorySource;
  warnings: string[];
}

/**
 * Finds out which show a crawl is about.
 * @param brand the brand and every name it goes by; undefined for street style
 */
export function readShow(
  payload: CrawlPayload,
  brand: { id: string; names: readonly string[] } | undefined,
  currentYear: number,
): Show {
  const { kind, season, title, source, hints } = payload;
  const reading = readSeason(
    { kind, season, title, url: source.url, brandNames: brand?.names ?? [], hints },
    currentYear,
  );
  const { year, term, category, market } = reading;
  return {
    payload,
    key: {
      brandId: brand?.id ?? '0',
      year,
      term,
      category,
      market,
      detail: kind === 'street' ? streetDetail(payload) : null,
    },
    categorySource: reading.categorySource,
    warnings: reading.warnings.map(({ field, detail }) => `/data/${field}: ${detail}`),
  };
}

/** A runway show without a year or a term cannot be filed; a street-style gallery can, and is flagged. */
export function hasSeason({ payload, key }: Show): boolean {
  return payload.kind === 'street' || (key.year !== null && key.term !== null);
}

/** The text that no season was found in, for whoever has to mend it. */
export function seasonText({ season, title }: CrawlPayload): string {
  return [season, title]
    .filter((text) => text !== undefined)
    .join(' / ')
    .slice(0, 200);
}

/** @throws JobError `season_unparsed`, permanent */
export function assertSeason(show: Show): void {
  if (hasSeason(show)) return;
  throw JobError.permanent('season_unparsed', `No year and season in "${seasonText(show.payload)}".`);
}

export function subjectOf({ key }: Show, locale: LabelLocale): string {
  return seasonLabel(key, locale);
}

/** The key as one text, for the job's row: the same for two crawls of one show. */
export function keyText({ brandId, year, term, category, market, detail }: GalleryKey): string {
  return [
    detail === null ? 'runway' : 'street',
    brandId,
    year ?? '',
    term ?? '',
    category,
    market ?? '',
    detail ?? '',
  ].join(':');
}

/** What {@link keyText} begins with for every show of a brand. */
export function subjectPrefixOf(brandId: string): string {
  return `runway:${brandId}:`;
}

function streetDetail({ audience, day, title }: CrawlPayload): string {
  return [audience ?? 'all', day ?? '', aliasKey(title ?? '') ?? ''].join('|').slice(0, 400);
}
