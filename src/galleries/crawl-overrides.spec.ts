import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appErrorOf, jobErrorOf } from '../../test/harness/errors.js';
import { crawlPayload } from '../../test/harness/payloads.js';
import { CATEGORIES } from '../taxonomy/categories.js';
import { MARKETS } from '../taxonomy/markets.js';
import { TERMS } from '../taxonomy/terms.js';
import {
  decidedOverrides,
  givesAnything,
  overridesInWords,
  overridesOf,
  overridesText,
  overridesWith,
  readShowWith,
  type CrawlOverrides,
  type GivenOverrides,
} from './crawl-overrides.js';
import type { CrawlPayload } from './crawl-payload.js';
import { readShow } from './show.js';

const YEAR = 2026;
const ECLAIR = { id: '7', names: ['Maison Éclair'] };
const given = (over: GivenOverrides, before: CrawlOverrides = {}): CrawlOverrides =>
  overridesWith(before, over, 'runway', YEAR);

describe('what a person gives', () => {
  it('is understood by codes and by any name', () => {
    expect(given({ brandId: ' 12 ', year: 2024, term: 'fall', category: '高级定制', market: 'São Paulo' })).toEqual({
      brandId: '12',
      year: 2024,
      term: 'fall',
      category: 'couture',
      market: 'sao-paulo',
    });
  });

  it('is added to what was decided before; null takes back', () => {
    const before: CrawlOverrides = { brandId: '7', year: 2024, category: 'rtw', market: null, decision: 'own_show' };
    expect(given({ term: 'fall' }, before)).toEqual({ ...before, term: 'fall' });
    expect(given({ year: null, category: null, market: null }, before)).toEqual({
      brandId: '7',
      decision: 'own_show',
    });
    expect(given({ brandId: null }, before)).toEqual(before);
  });

  it('may be that there is no market, which is not the same as to say nothing of it', () => {
    for (const market of ['none', 'None', ' all ', '无']) expect(given({ market })).toEqual({ market: null });
    for (const market of [undefined, null, '', '  ']) expect(given({ market })).toEqual({});
  });

  it('is refused with all that is wrong, in words that help', () => {
    const error = appErrorOf(() => given({ year: 1979, term: 'soon', category: 'shoes', market: 'Atlantis' }));
    expect(error).toMatchObject({
      code: 'overrides-invalid',
      status: 400,
      errors: [{ pointer: '/year' }, { pointer: '/term' }, { pointer: '/category' }, { pointer: '/market' }],
    });
    expect(error.message).toContain('between 1980 and 2028');
    expect(error.message).toContain('couture');
    expect(appErrorOf(() => given({ year: 2029 })).code).toBe('overrides-invalid');
    expect(appErrorOf(() => given({ brandId: 'x' })).code).toBe('id-invalid');
  });

  it('for street style is no brand, and no category of shows', () => {
    const street = (over: GivenOverrides): CrawlOverrides => overridesWith({}, over, 'street', YEAR);
    expect(appErrorOf(() => street({ brandId: '7' })).code).toBe('brand-not-allowed');
    expect(appErrorOf(() => street({ category: 'couture' })).code).toBe('overrides-invalid');
    expect(street({ year: 2025, market: 'milan' })).toEqual({ year: 2025, market: 'milan' });
  });

  it('is nothing when all is left out, and something when it takes back', () => {
    expect(givesAnything({})).toBe(false);
    expect(givesAnything({ brandId: undefined, year: undefined })).toBe(false);
    expect(givesAnything({ year: null })).toBe(true);
    expect(givesAnything({ market: 'none' })).toBe(true);
  });
});

describe('what the row keeps', () => {
  it('is none on a row without, and refused when nobody here can have written it', () => {
    expect(overridesOf(null)).toEqual({});
    for (const text of [
      '',
      'x',
      '[]',
      'null',
      '{"year":"2026"}',
      '{"term":"soon"}',
      '{"brandId":7}',
      '{"decision":"x"}',
    ]) {
      expect(jobErrorOf(() => overridesOf(text))).toMatchObject({ code: 'overrides_unreadable', nature: 'permanent' });
    }
  });

  it('is shown without what is none of the reading', () => {
    expect(decidedOverrides(undefined)).toBeNull();
    expect(decidedOverrides('{"decision":"take","galleryId":"3"}')).toBeNull();
    expect(decidedOverrides('{"year":2026,"market":null}')).toEqual({
      brandId: null,
      year: 2026,
      term: null,
      category: null,
      market: 'none',
    });
    expect(overridesInWords({ brandId: '7', term: 'fall', market: null, decision: 'take' })).toBe(
      'brand 7, term fall, market none',
    );
  });
});

describe('a crawl with what was decided on top', () => {
  it('is read as before where nothing was', () => {
    const payload = crawlPayload();
    expect(readShowWith({}, payload, ECLAIR, YEAR)).toEqual(readShow(payload, ECLAIR, YEAR));
  });

  it('has a category that is no guess', () => {
    const show = readShowWith({ category: 'rtw' }, crawlPayload({ season: 'Fall 2026' }), ECLAIR, YEAR);
    expect(show).toMatchObject({ key: { category: 'rtw' }, categorySource: 'editor' });
  });

  it('takes the rest from where it fits: the title’s term for the year that was decided', () => {
    const payload = crawlPayload({ season: 'Fall 2025', title: 'Resort 2026' });
    expect(readShowWith({ year: 2026 }, payload, ECLAIR, YEAR).key).toMatchObject({ year: 2026, term: 'resort' });
  });

  it('has no market where it was decided that there is none, whatever the payload says', () => {
    expect(readShowWith({ market: null }, crawlPayload(), ECLAIR, YEAR).key.market).toBeNull();
  });

  it('stands where it would not do as a hint any more', () => {
    const overrides = { year: 2031, category: 'swimwear', market: 'atlantis' };
    expect(readShowWith(overrides, crawlPayload(), ECLAIR, YEAR).key).toMatchObject(overrides);
  });
});

describe('whatever is decided', () => {
  const decided: fc.Arbitrary<CrawlOverrides> = fc.record(
    {
      brandId: fc.constantFrom('7', '8'),
      year: fc.integer({ min: 1980, max: YEAR + 2 }),
      term: fc.constantFrom(...TERMS),
      category: fc.constantFrom(...CATEGORIES.filter(({ kinds }) => kinds.includes('runway')).map(({ code }) => code)),
      market: fc.constantFrom(null, ...MARKETS.map(({ code }) => code)),
      decision: fc.constantFrom('take' as const, 'own_show' as const),
      galleryId: fc.constantFrom('1', '2'),
    },
    { requiredKeys: [] },
  );
  const words = fc.constantFrom(
    'Fall 2025',
    'Resort 2026 Tokyo',
    'Spring Couture',
    'Menswear 2024',
    'Paris',
    '',
    '早秋',
  );
  const hint = fc.oneof(fc.constantFrom<unknown>(undefined, null, 2024, 'couture', 'milan', 'none', 'spring'), words);
  const payload: fc.Arbitrary<CrawlPayload> = fc
    .record({
      season: words,
      title: words,
      hints: fc.record({ year: hint, term: hint, category: hint, market: hint }),
    })
    .map((over) => crawlPayload(over));

  it('is kept as it is', () => {
    fc.assert(fc.property(decided, (overrides) => expect(overridesOf(overridesText(overrides))).toEqual(overrides)));
  });

  it('beats every word and every hint of the payload, and what was not decided stays the payload’s', () => {
    fc.assert(
      fc.property(decided, payload, (overrides, crawl) => {
        const show = readShowWith(overrides, crawl, ECLAIR, YEAR);
        const { year, term, category, market } = overrides;
        for (const [part, value] of Object.entries({ year, term, category, market })) {
          if (value !== undefined) expect(show.key).toMatchObject({ [part]: value });
        }
        expect(show.categorySource === 'editor').toBe(category !== undefined);
        expect(show.payload).toBe(crawl);
        const before = readShow(crawl, ECLAIR, YEAR).key;
        if (market === undefined) expect(show.key.market).toBe(before.market);
        if (category === undefined) expect(show.key.category).toBe(before.category);
      }),
    );
  });

  it('is understood again when it is given as it was shown', () => {
    fc.assert(
      fc.property(decided, ({ decision: _, galleryId: __, ...overrides }) => {
        const shown = decidedOverrides(overridesText(overrides));
        if (shown === null) return expect(overrides).toEqual({});
        expect(given(shown)).toEqual(overrides);
      }),
    );
  });
});
