import { COED, type Category, type GalleryKind, isCategoryOf } from './categories.js';
import { type Hit, Lexicon } from './lexicon.js';
import { MARKETS, type MarketRow, PUBLICATIONS } from './markets.js';
import { CATEGORY_PATTERNS, type CategoryPattern, TERM_PATTERNS, type TermPattern } from './patterns.js';
import { type Term, TERMS } from './terms.js';
import type { Token } from './tokens.js';
import { type YearCandidate, yearsOf } from './years.js';

/** The tables made searchable, once. */
export const TERM_LEXICON = new Lexicon<TermPattern>(
  TERM_PATTERNS.flatMap((row) => row.words.map((word) => [word, row] as const)),
);

export const CATEGORY_LEXICON = new Lexicon<CategoryPattern>(
  CATEGORY_PATTERNS.flatMap((row) => row.words.map((word) => [word, row] as const)),
);

export const MARKET_LEXICON = new Lexicon<MarketRow>(
  MARKETS.flatMap((row) => [row.code, row.zh, row.en, ...row.aliases].map((alias) => [alias, row] as const)),
);

/** What one stretch of text says, before anything is weighed against other texts. */
export interface Wording {
  readonly term: Term | null;
  readonly years: readonly YearCandidate[];
  readonly category: Category | null;
  readonly market: string | null;
  /** Where the words stood; who reads paths asks how much of a segment they fill. */
  readonly hits: readonly Hit<unknown>[];
}

export function wordingOf(tokens: readonly Token[], kind: GalleryKind): Wording {
  const marks = TERM_LEXICON.find(tokens).filter((hit) => termCounts(tokens, hit));
  const term = TERMS.find((candidate) => marks.some(({ value }) => value.term === candidate)) ?? null;
  const years = yearsOf(
    tokens,
    marks.filter(({ value }) => value.term === term),
  );
  const categories = CATEGORY_LEXICON.find(tokens).filter(({ value }) => isCategoryOf(kind, value.category));
  const markets = MARKET_LEXICON.find(tokens).filter((hit) => marketCounts(tokens, hit));
  return {
    term,
    years,
    category: highestCategory(categories),
    market: (markets.find((hit) => isFashionWeekOf(tokens, hit)) ?? markets[0])?.value.code ?? null,
    hits: [...marks, ...categories, ...markets],
  };
}

function termCounts(tokens: readonly Token[], hit: Hit<TermPattern>): boolean {
  const { digits, before } = hit.value;
  if (before !== undefined) {
    const rest =
      tokens[hit.from]!.text.slice(hit.end) +
      tokens
        .slice(hit.to, hit.to + 4)
        .map(textOf)
        .join('');
    return rest.slice(0, 4 + before.length).includes(before);
  }
  if (digits === undefined) return true;
  const [own, next] = [tokens[hit.from]!, tokens[hit.to]];
  return numberBeside(tokens[hit.from - 1], own.gap, digits) || numberBeside(next, next?.gap ?? '', digits);
}

function numberBeside(neighbour: Token | undefined, gap: string, digits: 'beside' | 'glued'): boolean {
  if (neighbour?.kind !== 'number') return false;
  const { length } = neighbour.text;
  return digits === 'glued' ? length === 2 && /^[-']?$/u.test(gap) : (length === 2 || length === 4) && gap.length <= 1;
}

function highestCategory(hits: readonly Hit<CategoryPattern>[]): Category | null {
  const found = new Set(hits.map(({ value }) => value.category));
  if (hits.some(({ value }) => value.marks === 'men') && hits.some(({ value }) => value.marks === 'women'))
    found.add(COED);
  return CATEGORY_PATTERNS.find(({ category }) => found.has(category))?.category ?? null;
}

function marketCounts(tokens: readonly Token[], hit: Hit<MarketRow>): boolean {
  if (isFashionWeekOf(tokens, hit)) return true;
  const [before, own] = [tokens[hit.from - 1], tokens[hit.from]!];
  if (before && PUBLICATIONS.includes(before.text) && /^[ -]$/u.test(own.gap)) return false;
  // A country in Chinese mostly says where a brand is from (意大利品牌): it has to end its run or go before a season.
  if (own.kind !== 'cjk' || hit.value.kind === 'city') return true;
  return hit.end === own.text.length || /^(?:春|秋|早|站)/u.test(own.text.slice(hit.end));
}

function isFashionWeekOf(tokens: readonly Token[], hit: Hit<MarketRow>): boolean {
  const own = tokens[hit.from]!;
  if (own.kind === 'cjk') return /^(?:国际|國際)?(?:时装周|時裝周|時裝週)/u.test(own.text.slice(hit.end));
  return tokens[hit.to]?.text === 'fashion' && tokens[hit.to + 1]?.text === 'week';
}

function textOf(token: Token): string {
  return token.text;
}
