import { describe, expect, it } from '@jest/globals';
import { CATEGORIES, DEFAULT_CATEGORY, isCategoryOf } from './categories.js';
import { MARKETS } from './markets.js';
import { CATEGORY_PATTERNS, TERM_PATTERNS } from './patterns.js';
import { tokenize } from './tokens.js';
import { MARKET_LEXICON } from './wording.js';

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function folded(text: string): string {
  return tokenize(text)
    .map((token) => token.text)
    .join(' ');
}

describe('the tables of the taxonomy', () => {
  it('name every category and market once, in codes that can stand in a URL', () => {
    expect(repeated(CATEGORIES.map(({ code }) => code))).toEqual([]);
    expect(repeated(MARKETS.map(({ code }) => code))).toEqual([]);
    expect(MARKETS.filter(({ code }) => !/^[a-z]+(?:-[a-z]+)*$/u.test(code))).toEqual([]);
    expect(CATEGORIES.filter(({ code }) => !/^[a-z]+(?:_[a-z]+)*$/u.test(code))).toEqual([]);
  });

  it('give no alias to two markets', () => {
    const owners = new Map<string, string>();
    for (const { code, zh, en, aliases } of MARKETS) {
      for (const alias of [code, zh, en, ...aliases].map(folded)) {
        expect({ alias, market: owners.get(alias) ?? code }).toEqual({ alias, market: code });
        owners.set(alias, code);
      }
    }
  });

  it('find each market by its code, labels and aliases', () => {
    for (const row of MARKETS) {
      for (const alias of [row.code, row.zh, row.en, ...row.aliases]) {
        expect({ alias, code: MARKET_LEXICON.whole(alias)?.code }).toEqual({ alias, code: row.code });
      }
    }
  });

  it('have words only for categories that exist, and no word twice', () => {
    expect(CATEGORY_PATTERNS.filter(({ category }) => !CATEGORIES.some(({ code }) => code === category))).toEqual([]);
    expect(repeated(CATEGORY_PATTERNS.flatMap(({ words }) => words).map(folded))).toEqual([]);
    expect(repeated(TERM_PATTERNS.flatMap(({ words }) => words).map(folded))).toEqual([]);
  });

  it('have a default that its kind of gallery may have', () => {
    expect(isCategoryOf('runway', DEFAULT_CATEGORY.runway)).toBe(true);
    expect(isCategoryOf('street', DEFAULT_CATEGORY.street)).toBe(true);
  });
});
