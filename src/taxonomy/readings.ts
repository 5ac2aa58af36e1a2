import { type GalleryKind, STREET_STYLE } from './categories.js';
import { coversAll, Lexicon } from './lexicon.js';
import { OTHER_NAMES } from './patterns.js';
import { type Token, tokenize, tokenizeApart } from './tokens.js';
import { type Wording, wordingOf } from './wording.js';

/** What one source says: a text, or the path of a URL. */
export type Reading = Pick<Wording, 'term' | 'years' | 'category' | 'market'>;

/** The names to take out of a text before anything is looked for in it. */
export type Names = Lexicon<true>;

const OTHERS: Names = namesOf(OTHER_NAMES);

/** Path words that say nothing by themselves but go with those that do: /paris-fashion-week/, /couture-shows/. */
const FILLERS = new Lexicon<true>(
  'fashion week weeks show shows collection collections runway runways catwalk the in at of and moda mode défilé défilés sfilate sfilata'
    .split(' ')
    .map((word) => [word, true] as const),
);

const NOTHING: Reading = { term: null, years: [], category: null, market: null };

/** Each name also as slugs write it: "Rag & Bone" is `rag-and-bone`, "L'Atelier S/S" is `latelier-s-s`. */
export function namesOf(names: readonly string[]): Names {
  const spellings = names.flatMap((name) => [
    name,
    name.replace(/[&+]/gu, ' and '),
    name.replaceAll('/', ' '),
    name.replace(/['’]/gu, ''),
    name.replaceAll('/', ' ').replace(/['’]/gu, ''),
  ]);
  return new Lexicon<true>([...new Set(spellings)].map((name) => [name, true] as const));
}

export function readText(text: string | undefined, names: Names, kind: GalleryKind): Reading {
  if (text === undefined) return NOTHING;
  const { said, quoted } = tokenizeApart(text);
  const outside = wordingOf(withoutNames(said, names), kind);
  const inside = wordingOf(withoutNames(quoted, names), kind);
  return {
    term: outside.term ?? inside.term,
    years: outside.years.length > 0 ? outside.years : inside.years,
    category: outside.category ?? inside.category,
    // Never out of a quotation: a theme's city is the one that the collection dreams of.
    market: outside.market,
  };
}

/**
 * A path, segment by segment, since most segments speak of something else: a slug of another brand (`tokyo-james`), an
 * article's number. A segment is heard if it names a term, or if season words and path words are all it holds
 * (`menswear`, `paris-fashion-week`); street style is heard anywhere. The segment that has term and year
 * (`copenhagen-fall-2026`) goes before the others. Years that are a segment of their own are `bare`, and those of
 * /2024/03/ are `dated`: the day of publishing, which for a spring collection is a year early.
 */
export function readUrl(url: string | undefined, names: Names, kind: GalleryKind): Reading {
  if (url === undefined) return NOTHING;
  const segments = segmentsOf(url);
  const heard = segments
    .map((tokens, index) => hear(withoutNames(tokens, names), kind, isPublishingYear(segments, index)))
    .filter((wording) => wording !== null)
    .sort((a, b) => weight(b) - weight(a));
  return {
    term: heard.find(({ term }) => term !== null)?.term ?? null,
    years: heard.flatMap(({ years }) => years),
    category: (heard.find(isStreet) ?? heard.find(({ category }) => category !== null))?.category ?? null,
    market: heard.find(({ market }) => market !== null)?.market ?? null,
  };
}

function hear(tokens: readonly Token[], kind: GalleryKind, isDated: boolean): Reading | null {
  const wording = wordingOf(tokens, kind);
  const isBare = tokens.length === 1 && tokens[0]!.kind === 'number';
  if (isBare || isDated) {
    const certainty = isDated ? 'dated' : 'bare';
    return { ...NOTHING, years: wording.years.map((year) => ({ ...year, certainty })) };
  }
  if (wording.term !== null) return wording;
  const words = tokens.filter(({ kind: is }) => is === 'word' || is === 'cjk');
  const isAllSeason = words.length > 0 && coversAll(words, [...wordingOf(words, kind).hits, ...FILLERS.find(words)]);
  if (isAllSeason) return wording;
  return isStreet(wording) ? wording : null;
}

function isStreet({ category }: Reading): boolean {
  return category === STREET_STYLE;
}

/** Sorting is stable: among equals the path's order stays. */
function weight({ term, years }: Reading): number {
  return (term !== null ? 2 : 0) + (years.length > 0 ? 1 : 0);
}

/** The segment of a year that a month's follows. */
function isPublishingYear(segments: readonly Token[][], index: number): boolean {
  const [year, month] = [segments[index], segments[index + 1]];
  return (
    year?.length === 1 &&
    year[0]!.kind === 'number' &&
    month?.length === 1 &&
    month[0]!.kind === 'number' &&
    /^(?:0?[1-9]|1[0-2])$/u.test(month[0]!.text)
  );
}

function segmentsOf(url: string): Token[][] {
  return url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/iu, '')
    .replace(/[?#].*$/su, '')
    .split('/')
    .map((segment) => tokenize(decoded(segment)))
    .filter((tokens) => tokens.length > 0);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function withoutNames(tokens: readonly Token[], names: Names): Token[] {
  return OTHERS.takeOut(names.takeOut(tokens));
}
