import { JobError } from '../jobs/job-error.js';
import { AppError } from '../lib/app-error.js';
import { decimalId, isDecimalId } from '../lib/decimal-id.js';
import { CATEGORIES, type Category, type GalleryKind } from '../taxonomy/categories.js';
import { readHints } from '../taxonomy/hints.js';
import { isTerm, type Term } from '../taxonomy/terms.js';
import { yearRange } from '../taxonomy/years.js';
import type { CrawlPayload } from './crawl-payload.js';
import { readShow, type Show } from './show.js';

/** What is to become of a crawl, where a person and not the rule decides it. */
export const CRAWL_DECISIONS = ['take', 'own_show'] as const;
export type CrawlDecision = (typeof CRAWL_DECISIONS)[number];

/** What a person decided against a crawl's payload. What is not there was not decided. */
export interface CrawlOverrides {
  /** Decimal. */
  brandId?: string;
  year?: number;
  term?: Term;
  category?: Category;
  /** A code; null: the show has no market. */
  market?: string | null;
  decision?: CrawlDecision;
  /** The gallery that the crawl was skipped into: `take` writes it over, `own_show` makes another. */
  galleryId?: string;
}

/** As a person gives them. What is left out stays as it was decided before, null takes it back. */
export interface GivenOverrides {
  /** It is on the job's row since, so it stays until another is named. */
  brandId?: string | null | undefined;
  year?: number | null | undefined;
  term?: string | null | undefined;
  /** A category, or a market, by its code or any of its names. */
  category?: string | null | undefined;
  market?: string | null | undefined;
}

const SEASON = ['year', 'term', 'category', 'market'] as const;
/** How a person says that a show has no market. */
export const NO_MARKET_CODE = 'none';

/**
 * What stands when a person has given these.
 * @throws AppError 400 `overrides-invalid` with every problem's field, `id-invalid`; 422 `brand-not-allowed`
 */
export function overridesWith(
  before: CrawlOverrides,
  given: GivenOverrides,
  kind: GalleryKind,
  currentYear: number,
): CrawlOverrides {
  const after: CrawlOverrides = { ...before };
  const asked = given.brandId?.trim() ?? '';
  if (asked !== '') {
    if (kind === 'street') {
      throw new AppError('brand-not-allowed', 'Street style belongs to no brand. Leave the brand out.', {
        status: 422,
      });
    }
    after.brandId = decimalId(asked);
  }
  const { hints, warnings } = readHints(given, kind, yearRange(currentYear));
  if (warnings.length > 0) {
    const errors = warnings.map(({ field }) => ({ pointer: `/${field}`, detail: expected(field, kind, currentYear) }));
    throw new AppError('overrides-invalid', errors.map(({ detail }) => detail).join(' '), { status: 400, errors });
  }
  for (const field of SEASON) if (given[field] === null) delete after[field];
  if (hints.year !== null) after.year = hints.year;
  if (hints.term !== null) after.term = hints.term;
  if (hints.category !== null) after.category = hints.category;
  if (hints.market !== null) after.market = hints.market;
  // The words for no market give no hint: a person who writes one means it.
  else if (typeof given.market === 'string' && given.market.trim() !== '') after.market = null;
  return after;
}

/** Whether a person said anything of how the crawl is to be read. */
export function givesAnything(given: GivenOverrides): boolean {
  return [given.brandId, ...SEASON.map((field) => given[field])].some((value) => value !== undefined);
}

/** As the job's row keeps them. */
export function overridesText(overrides: CrawlOverrides): string {
  return JSON.stringify(overrides);
}

/**
 * As the job's row has them; none for a row without.
 * @throws JobError `overrides_unreadable`, permanent
 */
export function overridesOf(text: string | null): CrawlOverrides {
  if (text === null) return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
  if (!isOverrides(found)) throw unreadable();
  return found;
}

/**
 * The show that a crawl is about, as {@link readShow} reads it and with what a person decided on top. What was decided
 * helps to read the rest, as a hint does, and then stands, also where it would not do as a hint any more.
 */
export function readShowWith(
  overrides: CrawlOverrides,
  payload: CrawlPayload,
  brand: { id: string; names: readonly string[] } | undefined,
  currentYear: number,
): Show {
  const { year, term, category, market } = overrides;
  const decided = Object.fromEntries(
    Object.entries({ year, term, category, market }).filter(([, value]) => value !== undefined),
  );
  const show = readShow({ ...payload, hints: { ...payload.hints, ...decided } }, brand, currentYear);
  return {
    ...show,
    payload,
    key: { ...show.key, ...decided },
    categorySource: category === undefined ? show.categorySource : 'editor',
  };
}

/** What was decided of the reading, for whoever shows it: null for what was not. */
export interface DecidedOverrides {
  brandId: string | null;
  year: number | null;
  term: Term | null;
  category: Category | null;
  market: string | null;
}

/** @returns null when nothing was decided of the reading */
export function decidedOverrides(text: string | undefined): DecidedOverrides | null {
  const { brandId = null, year = null, term = null, category = null, market } = overridesOf(text ?? null);
  const decided = { brandId, year, term, category, market: market === null ? NO_MARKET_CODE : (market ?? null) };
  return Object.values(decided).every((value) => value === null) ? null : decided;
}

/** In words, for the log: "year 2026, category menswear". */
export function overridesInWords({ brandId, year, term, category, market }: CrawlOverrides): string {
  const words = { brand: brandId, year, term, category, market: market === null ? NO_MARKET_CODE : market };
  return Object.entries(words)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function expected(field: (typeof SEASON)[number], kind: GalleryKind, currentYear: number): string {
  const { from, to } = yearRange(currentYear);
  const categories = CATEGORIES.filter(({ kinds }) => kinds.includes(kind)).map(({ code }) => code);
  const words = {
    year: `The year must lie between ${from} and ${to}.`,
    term: 'The term must be spring, fall, resort or pre_fall.',
    category: `The category must be one of ${categories.join(', ')}.`,
    market: `No city or country is known by that name. Write "${NO_MARKET_CODE}" for a show without one.`,
  };
  return words[field];
}

function isOverrides(found: unknown): found is CrawlOverrides {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
  const { brandId, year, term, category, market, decision, galleryId } = found as Record<string, unknown>;
  const isId = (value: unknown): boolean => value === undefined || (typeof value === 'string' && isDecimalId(value));
  return (
    isId(brandId) &&
    isId(galleryId) &&
    (year === undefined || Number.isInteger(year)) &&
    (term === undefined || isTerm(term)) &&
    (category === undefined || typeof category === 'string') &&
    (market === undefined || market === null || typeof market === 'string') &&
    (decision === undefined || (CRAWL_DECISIONS as readonly unknown[]).includes(decision))
  );
}

function unreadable(cause?: unknown): JobError {
  return JobError.permanent('overrides_unreadable', 'What a person decided about this crawl cannot be read.', cause);
}
