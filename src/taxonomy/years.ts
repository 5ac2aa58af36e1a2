import type { Hit } from './lexicon.js';
import { COUNTED_THINGS } from './patterns.js';
import type { Term } from './terms.js';
import type { Token } from './tokens.js';

/** Both ends included. Nothing outside is read as a year: neither a house's founding nor a picture's number. */
export interface YearRange {
  readonly from: number;
  readonly to: number;
}

/**
 * How a number came to be a year, the surest first:
 * `beside` it touches the season's word ("Fall 2024", SS24, 17年早春) · `named` four digits anywhere · `spaced` two digits
 * after the word ("Spring 24") · `bare` a path segment of its own · `dated` part of a calendar date.
 */
export const CERTAINTIES = ['beside', 'named', 'spaced', 'bare', 'dated'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface YearCandidate {
  /** As written: two digits or four. */
  readonly first: string;
  /** "2024-2025" and "23/24" name two years, one season apart. */
  readonly isPair: boolean;
  readonly certainty: Certainty;
}

export const FIRST_YEAR = 1980;

/** A collection is announced at most two calendar years ahead. */
export function yearRange(currentYear: number): YearRange {
  return { from: FIRST_YEAR, to: currentYear + 2 };
}

export function isYearIn(range: YearRange, year: number): boolean {
  return Number.isInteger(year) && year >= range.from && year <= range.to;
}

/**
 * The year of the surest candidate that lies in the range. Of two years spring and fall take the first (Automne/Hiver
 * 2024-2025), resort and pre-fall the second (2016/17 高级手工坊): that is how houses label them.
 */
export function pickYear(
  candidates: readonly YearCandidate[],
  term: Term | null,
  range: YearRange,
  allowed: readonly Certainty[] = CERTAINTIES,
): number | null {
  for (const certainty of allowed) {
    for (const candidate of candidates) {
      if (candidate.certainty !== certainty) continue;
      const year = centuryOf(candidate.first, range) + (candidate.isPair && isPreCollection(term) ? 1 : 0);
      if (isYearIn(range, year)) return year;
    }
  }
  return null;
}

/**
 * @param marks where the text's season words stand; a year that touches one is surer than the first in the text
 *   ("Since 1984: Fall 2024")
 */
export function yearsOf(tokens: readonly Token[], marks: readonly Hit<unknown>[]): YearCandidate[] {
  const edges = edgesOf(tokens, marks);
  const years: YearCandidate[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.kind !== 'number' || (token.text.length !== 2 && token.text.length !== 4)) continue;
    if (token.text.length === 4 && !/^(?:19|20)/u.test(token.text)) continue;
    if (isDecade(tokens, at)) continue;
    const isDated = isDate(tokens, at);
    const isPair = !isDated && isFollowedByNextYear(tokens, at);
    const last = isPair ? at + 1 : at;
    const certainty = isDated ? 'dated' : certaintyOf(tokens, at, last, edges);
    if (certainty && (token.text.length === 4 || !isDated)) years.push({ first: token.text, isPair, certainty });
    at = last;
  }
  return years;
}

interface Edges {
  /** Token → the season's word begins there (or after 年). */
  readonly beginning: ReadonlyMap<number, Hit<unknown>>;
  /** Token → the season's word ends with it. */
  readonly ending: ReadonlyMap<number, Hit<unknown>>;
}

function edgesOf(tokens: readonly Token[], marks: readonly Hit<unknown>[]): Edges {
  const beginning = new Map<number, Hit<unknown>>();
  const ending = new Map<number, Hit<unknown>>();
  for (const mark of marks) {
    const first = tokens[mark.from]!;
    if (first.kind !== 'cjk' || /^(?:|年|年度|年的)$/u.test(first.text.slice(0, mark.start)))
      beginning.set(mark.from, mark);
    if (mark.end === first.text.length || mark.to - mark.from > 1) ending.set(mark.to - 1, mark);
  }
  return { beginning, ending };
}

/** "Founded in 1984: Fall 2024": the first of these years is no neighbour of the season. */
const SEPARATES = /[:;|·•。]/u;

function certaintyOf(tokens: readonly Token[], at: number, last: number, edges: Edges): Certainty | null {
  const after = edges.beginning.get(last + 1);
  const before = edges.ending.get(at - 1);
  const gapAfter = tokens[last + 1]?.gap ?? '';
  const gapBefore = tokens[at]!.gap;
  if (tokens[at]!.text.length === 4) {
    return (after && !SEPARATES.test(gapAfter)) || (before && !SEPARATES.test(gapBefore)) ? 'beside' : 'named';
  }

  if (after && (gapAfter === '' || gapBefore.endsWith("'") || (isShort(tokens, after) && /^[-_/.]$/u.test(gapAfter)))) {
    return 'beside';
  }
  if (!before || countsThings(tokens[last + 1])) return null;
  return /^ ?'?$/u.test(gapBefore) && gapBefore !== ' ' ? 'beside' : /^[ \-_/.]$/u.test(gapBefore) ? 'spaced' : null;
}

/** SS, FW, A/I: made to be written with digits. Words are not: "10-spring-trends" is no 2010. */
function isShort(tokens: readonly Token[], mark: Hit<unknown>): boolean {
  return mark.to - mark.from === 1 && tokens[mark.from]!.text.replace('/', '').length <= 2;
}

/** "Spring 24 looks", 秋冬20张图. */
function countsThings(next: Token | undefined): boolean {
  return next !== undefined && ((next.kind === 'cjk' && next.gap === '') || COUNTED_THINGS.includes(next.text));
}

/** "the 1990s", 1990年代. */
function isDecade(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (!next) return false;
  return (next.text === 's' && /^'?$/u.test(next.gap)) || (next.gap === '' && next.text.startsWith('年代'));
}

/** 2012-01-19, 19.01.2012, 2012年1月. */
function isDate(tokens: readonly Token[], at: number): boolean {
  const [two, one, next, third] = [tokens[at - 2], tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  const isDash = (token: Token | undefined): boolean => token !== undefined && /^[-./]$/u.test(token.gap);
  const isUpTo = (token: Token | undefined, limit: number): boolean =>
    token?.kind === 'number' && token.text.length <= 2 && Number(token.text) >= 1 && Number(token.text) <= limit;
  if (isUpTo(next, 12) && isUpTo(third, 31) && isDash(next) && isDash(third)) return true;
  if (isUpTo(two, 31) && isUpTo(one, 31) && isDash(one) && isDash(tokens[at])) return true;
  return next?.text === '年' && isUpTo(third, 12) && (tokens[at + 3]?.text.startsWith('月') ?? false);
}

function isFollowedByNextYear(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at]!, tokens[at + 1]];
  if (next?.kind !== 'number' || !/^ ?[-/] ?$/u.test(next.gap)) return false;
  const following = String(Number(token.text) + 1);
  return (
    next.text === following.padStart(token.text.length, '0') ||
    (next.text.length === 2 && next.text === following.slice(-2))
  );
}

/** Two digits belong to the latest century that the range allows: 89 is 1989. */
function centuryOf(digits: string, range: YearRange): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return 2000 + year <= range.to ? 2000 + year : 1900 + year;
}

function isPreCollection(term: Term | null): boolean {
  return term === 'resort' || term === 'pre_fall';
}
