import { COED, MENSWEAR, RTW, type Category } from '../taxonomy/categories.js';
import { isTerm, type Term } from '../taxonomy/terms.js';

/**
 * What became of a brand's show, the furthest first. Where a season has several (in two cities, or a co-ed one beside),
 * the furthest is the cell's.
 */
export const COVERAGE_STATES = [
  'published',
  'pending_review',
  'in_progress',
  'failed',
  'rejected',
  'skipped',
  'deleted',
  'missing',
  'none',
] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

/** How many years before a season are looked at to tell whether a show is missing. */
export const EARLIER_YEARS = 3;

export interface Season {
  year: number;
  term: Term;
}

/** Shows of one brand, season and category that are in one state. */
export interface ShowsSeen extends Season {
  category: Category;
  state: 'published' | 'pending_review' | 'rejected' | 'deleted';
  count: number;
  newestId: string;
  /** Of the one that was changed last, unix seconds. */
  updatedAt: number;
}

/** The newest crawl of a show that waits or runs, failed, or was turned away since the show is deleted. */
export interface CrawlSeen {
  subjectKey: string;
  state: 'in_progress' | 'failed' | 'skipped';
  recordId: string;
  /** When it came to that, unix seconds. */
  at: number;
}

export interface CoverageCell extends Season {
  category: Category;
  state: CoverageState;
  /** The category that answers for this one; null when it does itself. */
  via: Category | null;
  galleryId: string | null;
  galleryCount: number;
  recordId: string | null;
  lastYear: number | null;
}

/** A co-ed show is a brand's ready-to-wear and its menswear. The other way round two shows are no co-ed one. */
const COVERED_BY: Readonly<Record<Category, readonly Category[]>> = {
  [RTW]: [RTW, COED],
  [MENSWEAR]: [MENSWEAR, COED],
};

/** The categories whose shows may answer for one of these. */
export function coveringCategories(categories: readonly Category[]): Category[] {
  return [...new Set(categories.flatMap(coveredBy))];
}

/** The seasons themselves, and the years before in which their absence would be noticed. */
export function lookedAtSeasons(seasons: readonly Season[]): Season[] {
  const years = Array.from({ length: EARLIER_YEARS + 1 }, (_, back) => back);
  const all = seasons.flatMap(({ year, term }) => years.map((back) => ({ year: year - back, term })));
  return [...new Map(all.map((season) => [`${season.year}:${season.term}`, season])).values()];
}

/** One brand's cells, season by season, and category by category within. */
export function coverageOf(
  seasons: readonly Season[],
  categories: readonly Category[],
  shows: readonly ShowsSeen[],
  crawls: readonly CrawlSeen[],
): CoverageCell[] {
  const seen = new Map<string, Seen>();
  const at = (key: string): Seen => {
    const found = seen.get(key) ?? { shows: [], crawls: [] };
    seen.set(key, found);
    return found;
  };
  for (const show of shows) at(placeOf(show, show.category)).shows.push(show);
  for (const crawl of crawls) {
    const place = placeOfKey(crawl.subjectKey);
    if (place !== undefined) at(place).crawls.push(crawl);
  }
  return seasons.flatMap((season) => categories.map((category) => cellOf(season, category, seen)));
}

export function hasAnything(cells: readonly CoverageCell[]): boolean {
  return cells.some(({ state }) => state !== 'none');
}

interface Seen {
  shows: ShowsSeen[];
  crawls: CrawlSeen[];
}

type Found = Pick<CoverageCell, 'state' | 'galleryId' | 'galleryCount' | 'recordId' | 'lastYear'>;

const NOTHING: Found = { state: 'none', galleryId: null, galleryCount: 0, recordId: null, lastYear: null };

function coveredBy(category: Category): readonly Category[] {
  return COVERED_BY[category] ?? [category];
}

function placeOf({ year, term }: Season, category: Category): string {
  return `${year}:${term}:${category}`;
}

/** @param key as `keyText` writes it; of street style, and of crawls from before, there is no place */
function placeOfKey(key: string): string | undefined {
  const [kind, , year = '', term, category = ''] = key.split(':');
  if (kind !== 'runway' || !/^\d+$/.test(year) || !isTerm(term)) return undefined;
  return placeOf({ year: Number(year), term }, category);
}

function cellOf(season: Season, category: Category, seen: ReadonlyMap<string, Seen>): CoverageCell {
  const answers = coveredBy(category).map((one) => ({
    via: one === category ? null : one,
    ...foundAt(season, one, seen),
  }));
  // Of two that came equally far, its own: it stands first.
  const furthest = answers.reduce((best, next) => (rank(next.state) < rank(best.state) ? next : best));
  return { ...season, category, ...furthest, via: furthest.state === 'none' ? null : furthest.via };
}

function foundAt(season: Season, category: Category, seen: ReadonlyMap<string, Seen>): Found {
  const { shows, crawls } = seen.get(placeOf(season, category)) ?? { shows: [], crawls: [] };
  const galleryCount = shows.reduce((sum, { state, count }) => sum + (state === 'deleted' ? 0 : count), 0);
  const found: Found[] = [
    ...shows.map(({ state, newestId }) => ({ ...NOTHING, state, galleryCount, galleryId: newestId })),
    ...crawls
      .filter((crawl) => counts(crawl, shows))
      .sort((a, b) => Number(BigInt(b.recordId) - BigInt(a.recordId)))
      .map(({ state, recordId }) => ({ ...NOTHING, state, galleryCount, recordId })),
  ];
  if (found.length > 0) return found.reduce((best, next) => (rank(next.state) < rank(best.state) ? next : best));
  const lastYear = lastYearOf(season, category, seen);
  return lastYear === null ? NOTHING : { ...NOTHING, state: 'missing', lastYear };
}

/**
 * A failure is forgotten once the show is there, or somebody decided about it later; and a crawl that was turned away
 * for a show that is deleted says nothing any more once that is restored.
 */
function counts({ state, at }: CrawlSeen, shows: readonly ShowsSeen[]): boolean {
  if (state === 'failed') return shows.every(({ updatedAt }) => at > updatedAt);
  return state === 'in_progress' || shows.some((show) => show.state === 'deleted');
}

function lastYearOf({ year, term }: Season, category: Category, seen: ReadonlyMap<string, Seen>): number | null {
  for (let earlier = year - 1; earlier >= year - EARLIER_YEARS; earlier--) {
    const shows = seen.get(placeOf({ year: earlier, term }, category))?.shows ?? [];
    if (shows.some(({ state }) => state === 'published' || state === 'pending_review')) return earlier;
  }
  return null;
}

function rank(state: CoverageState): number {
  return COVERAGE_STATES.indexOf(state);
}
