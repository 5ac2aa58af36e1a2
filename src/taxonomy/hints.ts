import { CATEGORIES, type Category, type GalleryKind, isCategoryOf } from './categories.js';
import { NO_MARKET } from './markets.js';
import { isTerm, type Term } from './terms.js';
import { prepare } from './tokens.js';
import { CATEGORY_LEXICON, MARKET_LEXICON, TERM_LEXICON } from './wording.js';
import { isYearIn, type YearRange } from './years.js';

/** As a payload has them: nothing is known about them yet. */
export interface RawHints {
  readonly year?: unknown;
  readonly term?: unknown;
  readonly category?: unknown;
  readonly market?: unknown;
}

export interface Hints {
  readonly year: number | null;
  readonly term: Term | null;
  readonly category: Category | null;
  readonly market: string | null;
}

export interface SeasonWarning {
  readonly field: 'year' | 'term' | 'category' | 'market';
  readonly detail: string;
}

/**
 * Hints that can be used, and a warning for each that cannot. null, undefined and "" are not given, and so are the
 * words for no market ("None", "all"). A term, category or market may come as its code, a label or any of its words.
 */
export function readHints(
  raw: RawHints,
  kind: GalleryKind,
  range: YearRange,
): { hints: Hints; warnings: SeasonWarning[] } {
  const warnings: SeasonWarning[] = [];
  const take = <T>(
    field: SeasonWarning['field'],
    read: (value: unknown) => T | undefined,
    expected: string,
  ): T | null => {
    const value = raw[field];
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return null;
    const found = read(value);
    if (found !== undefined) return found;
    warnings.push({ field, detail: `${shown(value)} is not ${expected}; the hint was ignored` });
    return null;
  };
  const hints = {
    year: take('year', (value) => yearOf(value, range), `a year from ${range.from} to ${range.to}`),
    term: take('term', termOf, 'one of spring, fall, resort, pre_fall'),
    category: take('category', (value) => categoryOf(value, kind), `a category of ${kind} galleries`),
    market: isNoMarket(raw.market) ? null : take('market', marketOf, 'a market known here'),
  };
  return { hints, warnings };
}

function yearOf(value: unknown, range: YearRange): number | undefined {
  const year = typeof value === 'string' && /^\s*\d{4}\s*$/u.test(value) ? Number(value) : value;
  return typeof year === 'number' && isYearIn(range, year) ? year : undefined;
}

function termOf(value: unknown): Term | undefined {
  if (typeof value !== 'string') return undefined;
  return isTerm(value) ? value : TERM_LEXICON.whole(value)?.term;
}

function categoryOf(value: unknown, kind: GalleryKind): Category | undefined {
  if (typeof value !== 'string') return undefined;
  const wanted = prepare(value).trim();
  const row = CATEGORIES.find(({ code, zh, en }) => [code, zh, en].some((name) => prepare(name) === wanted));
  const code = row?.code ?? CATEGORY_LEXICON.whole(value)?.category;
  return code !== undefined && isCategoryOf(kind, code) ? code : undefined;
}

function marketOf(value: unknown): string | undefined {
  return typeof value === 'string' ? MARKET_LEXICON.whole(value)?.code : undefined;
}

function isNoMarket(value: unknown): boolean {
  return typeof value === 'string' && NO_MARKET.includes(prepare(value).trim());
}

/** The value as a person may read it in a warning: short, and safe to store as text. */
function shown(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
  }
  const text = [
    ...String(value)
      .slice(0, 200)
      .replace(/[\p{Surrogate}\p{Control}]/gu, ''),
  ];
  return `“${text.slice(0, 40).join('')}${text.length > 40 ? '…' : ''}”`;
}
