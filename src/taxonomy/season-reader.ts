import { type Category, DEFAULT_CATEGORY, type GalleryKind } from './categories.js';
import { type Hints, type RawHints, readHints, type SeasonWarning } from './hints.js';
import { namesOf, type Reading, readText, readUrl } from './readings.js';
import type { Term } from './terms.js';
import { type Certainty, pickYear, type YearRange, yearRange } from './years.js';

/**
 * Where a category was found. `default` is a guess, and is shown to the reviewer as one; `editor` is what a person said,
 * which no reading gives.
 */
export type CategorySource = 'hint' | 'url' | 'season' | 'title' | 'default' | 'editor';

export interface SeasonInput {
  readonly kind: GalleryKind;
  readonly season?: string | undefined;
  readonly title?: string | undefined;
  /** The page the pictures come from. Only its path is read. */
  readonly url?: string | undefined;
  /**
   * Names, aliases and slug of the brand; taken out of season, title and path before anything is looked for, since names
   * hold markets (Tokyo James), terms and categories (RVNG Couture). Empty for street style.
   */
  readonly brandNames: readonly string[];
  /** As the payload has them. A valid one wins over all texts, another is ignored with a warning. */
  readonly hints?: RawHints | undefined;
}

export interface SeasonReading {
  /** null: no year from 1980 to currentYear + 2 was found. */
  year: number | null;
  term: Term | null;
  category: Category;
  categorySource: CategorySource;
  market: string | null;
  warnings: SeasonWarning[];
}

/** Years that a text gives on purpose; a path's bare number and a calendar date may mean something else. */
const FIRM: readonly Certainty[] = ['beside', 'named', 'spaced'];

/**
 * Season, category and market of a show, out of what a crawler sent. Pure and total: any text gives a reading, at worst
 * one of nulls and the default category; the caller decides whether that is enough.
 *
 * Category and market come from the first source that has them: hint, URL path, season, title. Year and term belong
 * together, so the first source with *both* gives both (fall from a path and 2025 from the title might be two different
 * seasons); only if there is none do they come from different sources.
 *
 * @param currentYear years outside 1980 … currentYear + 2 are not read
 */
export function readSeason(input: SeasonInput, currentYear: number): SeasonReading {
  const range = yearRange(currentYear);
  const { hints, warnings } = readHints(input.hints ?? {}, input.kind, range);
  const names = namesOf(input.brandNames);
  const url = readUrl(input.url, names, input.kind);
  const season = readText(input.season, names, input.kind);
  const title = readText(input.title, names, input.kind);

  return {
    ...settleSeason(hints, { url, season, title }, range),
    ...settleCategory(input.kind, hints, { url, season, title }),
    market: hints.market ?? url.market ?? season.market ?? title.market,
    warnings,
  };
}

interface Readings {
  readonly url: Reading;
  readonly season: Reading;
  readonly title: Reading;
}

function settleSeason(
  hints: Hints,
  { url, season, title }: Readings,
  range: YearRange,
): Pick<SeasonReading, 'year' | 'term'> {
  const sources = [url, season, title];
  const seasonOf = (reading: Reading): { year: number | null; term: Term | null } => {
    const term = hints.term ?? reading.term;
    return { term, year: pickYear(reading.years, term, range, FIRM) };
  };
  const whole = sources.filter((reading) => reading.term !== null && seasonOf(reading).year !== null);
  // A hint for one half prefers the source that agrees with it: the title's 2026 for the hint `resort`, when the title
  // speaks of resort and the season of fall.
  const chosen =
    whole.find(
      (reading) =>
        (hints.term === null || reading.term === hints.term) &&
        (hints.year === null || seasonOf(reading).year === hints.year),
    ) ?? whole[0];
  if (chosen) {
    const { year, term } = seasonOf(chosen);
    return { year: hints.year ?? year, term };
  }

  const term = hints.term ?? firstOf(sources, (reading) => reading.term);
  const year =
    hints.year ??
    firstOf(sources, (reading) => pickYear(reading.years, term, range, FIRM)) ??
    firstOf([season, title], (reading) => pickYear(reading.years, term, range, ['dated'])) ??
    pickYear(url.years, term, range, ['bare']) ??
    // The day of publishing is no season's year: spring collections are published the autumn before. Without a term it
    // only says when, which is what a street-style gallery needs.
    (term === null ? pickYear(url.years, term, range, ['dated']) : null);
  return { year, term };
}

function settleCategory(
  kind: GalleryKind,
  hints: Hints,
  readings: Readings,
): Pick<SeasonReading, 'category' | 'categorySource'> {
  if (hints.category !== null) return { category: hints.category, categorySource: 'hint' };
  for (const categorySource of ['url', 'season', 'title'] as const) {
    const { category } = readings[categorySource];
    if (category !== null) return { category, categorySource };
  }
  return { category: DEFAULT_CATEGORY[kind], categorySource: 'default' };
}

function firstOf<T>(readings: readonly Reading[], read: (reading: Reading) => T | null): T | null {
  for (const reading of readings) {
    const found = read(reading);
    if (found !== null) return found;
  }
  return null;
}
