import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CATEGORIES, RTW } from './categories.js';
import { seasonLabel } from './labels.js';
import { MARKETS } from './markets.js';
import { type SeasonReading, readSeason } from './season-reader.js';
import { TERMS } from './terms.js';

const NOW = 2026;

interface Facts {
  year: number;
  term: (typeof TERMS)[number];
  category: string;
  market: string | null;
}

const facts: fc.Arbitrary<Facts> = fc.record({
  year: fc.integer({ min: 1980, max: NOW + 2 }),
  term: fc.constantFrom(...TERMS),
  category: fc.constantFrom(...CATEGORIES.map(({ code }) => code)),
  market: fc.option(fc.constantFrom(...MARKETS.map(({ code }) => code))),
});

const WORDS = {
  en: {
    spring: ['Spring', 'Spring/Summer', 'S/S', 'SS'],
    fall: ['Fall', 'Autumn-Winter', 'F/W', 'AW'],
    resort: ['Resort', 'Cruise', 'Pre-Spring'],
    pre_fall: ['Pre-Fall', 'pre fall', 'PREFALL'],
    rtw: ['Ready-to-Wear', 'RTW', 'Womenswear'],
    menswear: ['Menswear', "Men's"],
    couture: ['Couture', 'Haute Couture'],
    bridal: ['Bridal'],
    coed: ['Co-ed', "Men's and Women's"],
    street_style: ['Street Style'],
  },
  fr: {
    spring: ['Printemps-Été', 'printemps/été'],
    fall: ['Automne/Hiver', 'Automne–Hiver'],
    resort: ['Croisière'],
    pre_fall: ['Pré-automne', 'Métiers d’art'],
    rtw: ['prêt-à-porter', 'Femme'],
    menswear: ['Homme', 'mode masculine'],
    couture: ['haute couture'],
    bridal: ['robes de mariée'],
    coed: ['homme et femme'],
    street_style: ['style de rue'],
  },
  it: {
    spring: ['Primavera/Estate'],
    fall: ['Autunno-Inverno', 'autunno inverno'],
    resort: ['Crociera'],
    pre_fall: ['Pre-Fall'],
    rtw: ['prêt-à-porter', 'moda donna'],
    menswear: ['moda uomo', 'maschile'],
    couture: ['Alta Moda', 'alta sartoria'],
    bridal: ['sposa'],
    coed: ['uomo e donna'],
    street_style: ['street style'],
  },
  zh: {
    spring: ['春夏'],
    fall: ['秋冬'],
    resort: ['早春', '度假系列'],
    pre_fall: ['早秋', '手工坊'],
    rtw: ['高级成衣', '女装'],
    menswear: ['男装', '男裝'],
    couture: ['高级定制', '高級訂製', '高定'],
    bridal: ['婚纱'],
    coed: ['男女同场', '男装女装'],
    street_style: ['街拍'],
  },
} as const;

/** A text that says the facts, in one language, its parts in any order and with any separator. */
const composed = facts.chain((said) =>
  fc
    .record({
      lang: fc.constantFrom('en', 'fr', 'it', 'zh'),
      termWord: fc.nat(),
      categoryWord: fc.nat(),
      alias: fc.nat(),
      separator: fc.constantFrom(' ', ' - ', ' | ', ', ', '_', '\u00a0', '\n', ' — ', ' · '),
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      yearFirst: fc.boolean(),
    })
    .map(({ lang, termWord, categoryWord, alias, separator, order, yearFirst }) => {
      const words = WORDS[lang];
      const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? '';
      const term = pick(words[said.term], termWord);
      const market = MARKETS.find(({ code }) => code === said.market);
      const season = yearFirst ? `${said.year} ${term}` : `${term} ${said.year}`;
      const parts = [
        season,
        pick(words[said.category as keyof typeof words], categoryWord),
        market ? pick([market.code, market.zh, market.en, ...market.aliases], alias) : '',
      ];
      const text = order.map((index) => parts[index]).filter(Boolean);
      return { said, text: text.join(separator) };
    }),
);

/** Names made of the very words that are looked for, and of one that no list knows. */
const brand = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...['Paris', 'Tokyo', 'London', 'New', 'York', 'Spring', 'Fall', 'Resort', 'Couture', 'Homme', 'Femme', 'Men'],
        ...['Donna', 'Uomo', 'Bridal', 'Street', 'Style', 'Pre', '1990', '24', '&', 'S/S', 'Été', "Men's"],
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom('Zyx', 'Qvist', 'Brûlé', '盖娅传说'),
    fc.boolean(),
  )
  .map(([words, own, isFirst]) => (isFirst ? [own, ...words] : [...words, own]).join(' '));

function known({ year, term, category, market }: SeasonReading): Facts {
  return { year, term, category, market } as Facts;
}

describe('reading a season, whatever the text', () => {
  it('reads what a composed text says', () => {
    fc.assert(
      fc.property(composed, fc.constantFrom('season', 'title'), ({ said, text }, field) => {
        const reading = readSeason({ kind: 'runway', brandNames: [], [field]: text }, NOW);
        expect(known(reading)).toEqual(said);
        expect(reading.categorySource).toBe(field);
      }),
      { numRuns: 1500 },
    );
  });

  it('reads its own labels back, in both languages', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('zh-CN' as const, 'en' as const), (said, locale) => {
        const reading = readSeason({ kind: 'runway', brandNames: [], title: seasonLabel(said, locale) }, NOW);
        expect(known(reading)).toEqual(said);
      }),
      { numRuns: 1500 },
    );
  });

  it('reads a slug made of the facts, in the path as in the text', () => {
    fc.assert(
      fc.property(facts, brand, ({ year, term, market }, name) => {
        const slug = [market, term.replace('_', '-'), year].filter(Boolean).join('-');
        const brandSlug = name.replace(/'/gu, '').replace(/[ /]+/gu, '-').toLowerCase();
        const url = `https://example.org/fashion-shows/${slug}/${encodeURIComponent(brandSlug)}`;
        const reading = readSeason({ kind: 'runway', brandNames: [name], url }, NOW);
        expect(known(reading)).toEqual({ year, term, category: RTW, market });
        expect(reading.categorySource).toBe('default');
      }),
    );
  });

  it('is not moved by the words of a brand name, wherever the name stands', () => {
    fc.assert(
      fc.property(composed, brand, fc.constantFrom('before', 'after', 'both'), ({ said, text }, name, where) => {
        const title = [where !== 'after' && name, text, where !== 'before' && name].filter(Boolean).join(' ');
        expect(known(readSeason({ kind: 'runway', brandNames: [name], title }, NOW))).toEqual(said);
      }),
      { numRuns: 1500 },
    );
  });

  it('gives a reading inside its ranges for any text at all', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      composed.map(({ text }) => text),
    );
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom('runway' as const, 'street' as const),
          season: fc.option(any, { nil: undefined }),
          title: fc.option(any, { nil: undefined }),
          url: fc.option(fc.oneof(any, fc.webUrl()), { nil: undefined }),
          brandNames: fc.array(any, { maxLength: 3 }),
          hints: fc.record({
            year: fc.anything(),
            term: fc.anything(),
            category: fc.anything(),
            market: fc.anything(),
          }),
        }),
        (input) => {
          const reading = readSeason(input, NOW);
          expect(reading.year === null || (reading.year >= 1980 && reading.year <= NOW + 2)).toBe(true);
          expect(reading.term === null || TERMS.includes(reading.term)).toBe(true);
          expect(CATEGORIES.find(({ code }) => code === reading.category)?.kinds).toContain(input.kind);
          expect(reading.market === null || MARKETS.some(({ code }) => code === reading.market)).toBe(true);
          expect(readSeason(input, NOW)).toEqual(reading);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['one letter', 'a'],
    ['opening quotes', '《«「"'],
    ['slashes', 's/s/'],
    ['half phrases', 'ready to '],
    ['Chinese', '早高级定度假'],
    ['digits', '20'],
    ['years', '2024-25 '],
    ['accents', 'e\u0301\u0301'],
    ['spaces', ' \t\u00a0'],
    ['percent signs', '%E6%'],
    ['brand words', 'zyx '],
  ])('takes time in proportion to the length: %s', (_name, piece) => {
    const seconds = (length: number): number => {
      const text = piece.repeat(length / piece.length);
      const input = { kind: 'runway' as const, season: text, title: text, url: `https://example.org/${text}` };
      const began = process.hrtime.bigint();
      readSeason({ ...input, brandNames: ['Zyx Zyx Zyx', 'Zyx', `${'Zyx '.repeat(30)}`] }, NOW);
      return Number(process.hrtime.bigint() - began) / 1e9;
    };
    seconds(20_000);
    // A quadratic reader needs minutes for this; the bound leaves room for a busy machine.
    expect(seconds(400_000)).toBeLessThan(10);
  });
});
