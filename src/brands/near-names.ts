/** A name that may be meant, with its alias key. */
export interface NameCandidate {
  alias: string;
  aliasKey: string;
  /** The name of the brand it belongs to. */
  name: string;
}

/** A name's alias key, and the brand that it means. */
export interface ComparedName {
  aliasKey: string;
  brandId: string;
}

// Enough to find a name by, few enough to look for each in every alias there is.
const MAX_BIGRAMS = 12;

// Nobody's name is longer, and the comparison takes time by the product of both lengths.
const MAX_KEY = 64;
const LIKE_ENOUGH = 0.6;

// So many names that share pairs of letters are compared closely.
const MAX_CLOSE = 50;

/**
 * Pairs of neighbouring characters: what two names that differ by a slip of the finger still share. Of a long name some,
 * spread over all of it.
 */
export function bigramsOf(key: string): string[] {
  const pairs = pairsOf(key);
  const step = Math.max(1, pairs.length / MAX_BIGRAMS);
  return pairs.filter((_, index) => index === 0 || Math.floor(index / step) > Math.floor((index - 1) / step));
}

function pairsOf(key: string): string[] {
  const letters = [...key].slice(0, MAX_KEY);
  if (letters.length < 2) return letters;
  return [...new Set(letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`))];
}

/**
 * Names of brands that `key` may be a misspelling, a beginning or an extension of: best first, each brand's name once.
 */
export function nearNames(key: string, candidates: readonly NameCandidate[], limit = 5): string[] {
  const scored = candidates
    .map((candidate) => ({ name: candidate.name, score: likeness(key, candidate.aliasKey) }))
    .filter(({ score }) => score >= LIKE_ENOUGH)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return [...new Set(scored.map(({ name }) => name))].slice(0, limit);
}

/** Names by the pairs of letters in them: for many questions at once, where the database would read all names for each. */
export class NearBrands {
  private readonly byPair = new Map<string, number[]>();

  constructor(private readonly names: readonly ComparedName[]) {
    names.forEach(({ aliasKey }, place) => {
      for (const pair of pairsOf(aliasKey)) {
        const places = this.byPair.get(pair);
        if (places === undefined) this.byPair.set(pair, [place]);
        else places.push(place);
      }
    });
  }

  /** Ids of the brands that `key` may mean, best first. */
  of(key: string, limit = 5): string[] {
    const shared = new Map<number, number>();
    for (const pair of bigramsOf(key)) {
      for (const place of this.byPair.get(pair) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
    }
    const scored = [...shared]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, MAX_CLOSE)
      .flatMap(([place]) => this.names[place] ?? [])
      .map(({ aliasKey, brandId }) => ({ brandId, score: likeness(key, aliasKey) }))
      .filter(({ score }) => score >= LIKE_ENOUGH)
      .sort((a, b) => b.score - a.score || Number(a.brandId) - Number(b.brandId));
    return [...new Set(scored.map(({ brandId }) => brandId))].slice(0, limit);
  }
}

/** 1 for the same key, 0 for keys with nothing in common. */
function likeness(a: string, b: string): number {
  const [left, right] = [[...a].slice(0, MAX_KEY), [...b].slice(0, MAX_KEY)];
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left];
  const edited = 1 - distance(left, right) / longer.length;
  // "burberry" in "burberryprorsum": a part of a name counts, though not as much as a slip, and not by chance.
  const contained = shorter.length >= 3 && longer.join('').includes(shorter.join('')) ? 0.7 : 0;
  return Math.max(edited, contained);
}

/** Levenshtein's edit distance, in one row of memory. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, index) => index + 1);
  a.forEach((letter, index) => {
    let left = index + 1;
    let diagonal = index;
    row = b.map((other, column) => {
      const above = row[column] ?? 0;
      left = Math.min(left + 1, above + 1, diagonal + (letter === other ? 0 : 1));
      diagonal = above;
      return left;
    });
  });
  return row.at(-1) ?? a.length;
}
