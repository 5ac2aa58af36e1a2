import { describe, expect, it } from '@jest/globals';
import { jobErrorOf } from '../../test/harness/errors.js';
import { crawlPayload } from '../../test/harness/payloads.js';
import type { CrawlPayload } from './crawl-payload.js';
import { assertSeason, hasSeason, keyText, readShow, subjectOf, subjectPrefixOf, type Show } from './show.js';

const ECLAIR = { id: '7', names: ['Maison Éclair'] };
const NO_HINTS = { year: undefined, term: undefined, category: undefined, market: undefined };

const runway = (over: Partial<CrawlPayload> = {}, brand = ECLAIR): Show => readShow(crawlPayload(over), brand, 2026);
const street = (over: Partial<CrawlPayload> = {}): Show =>
  readShow(crawlPayload({ kind: 'street', brand: {}, title: 'Paris street style', ...over }), undefined, 2026);

describe('a crawl as the archive understands it', () => {
  it('has the brand and what its texts say in its key', () => {
    expect(runway()).toMatchObject({
      key: { brandId: '7', year: 2026, term: 'fall', category: 'rtw', market: 'paris', detail: null },
      categorySource: 'season',
      warnings: [],
    });
  });

  it('has a guessed category marked as one', () => {
    expect(runway({ season: 'Fall 2026' })).toMatchObject({ key: { category: 'rtw' }, categorySource: 'default' });
  });

  it('does not take the brand’s own words for a category', () => {
    const show = runway({ season: 'RVNG Couture Fall 2026' }, { id: '9', names: ['RVNG Couture'] });
    expect(show).toMatchObject({ key: { category: 'rtw' }, categorySource: 'default' });
  });

  it('names the hints that it could not use', () => {
    expect(runway({ hints: { ...NO_HINTS, market: 'Mars' } }).warnings).toEqual([
      '/data/market: “Mars” is not a market known here; the hint was ignored',
    ]);
  });

  it('is shown as people read it', () => {
    expect(subjectOf(runway(), 'zh-CN')).toBe('2026 秋冬 · 高级成衣 · 巴黎');
    expect(subjectOf(runway(), 'en')).toBe('Fall 2026 · Ready-to-wear · Paris');
  });
});

describe('its key as text', () => {
  it('is the same for two crawls of one show, however they say it', () => {
    const other = runway({ season: undefined, title: '2026秋冬 高级成衣', hints: { ...NO_HINTS, market: '巴黎' } });
    expect(keyText(other.key).startsWith(subjectPrefixOf(other.key.brandId))).toBe(true);
    expect(keyText(other.key)).toBe(keyText(runway().key));
  });

  it.each<[string, Show]>([
    ['brand', runway({}, { id: '8', names: [] })],
    ['year', runway({ season: 'Fall 2025 Ready-to-Wear' })],
    ['term', runway({ season: 'Spring 2026 Ready-to-Wear' })],
    ['category', runway({ season: 'Fall 2026 Menswear' })],
    ['market', runway({ hints: { ...NO_HINTS, market: 'milan' } })],
    ['no market', runway({ hints: NO_HINTS })],
    ['kind', street()],
  ])('is another one for another %s', (_, show) => {
    expect(keyText(show.key)).not.toBe(keyText(runway().key));
  });
});

describe('street style', () => {
  it('belongs to no brand, and is told apart by audience, day and title', () => {
    const texts = [
      street(),
      street({ day: 3 }),
      street({ day: 4 }),
      street({ audience: 'men' }),
      street({ title: 'Milan street style' }),
    ].map((show) => keyText(show.key));
    expect(new Set(texts).size).toBe(5);
    expect(street().key.brandId).toBe('0');
  });

  it('is the same in another spelling of the title, and for everybody unless it says for whom', () => {
    const texts = [street(), street({ title: 'PARIS – Street Style!' }), street({ audience: 'all' })];
    expect(new Set(texts.map((show) => keyText(show.key))).size).toBe(1);
  });

  it('may lack a season', () => {
    const show = street({ season: undefined, title: 'Around the shows' });
    expect(show.key).toMatchObject({ year: null, term: null, category: 'street_style' });
    expect(hasSeason(show)).toBe(true);
    expect(() => assertSeason(show)).not.toThrow();
  });
});

describe('a runway show without a season', () => {
  it.each([
    ['neither', 'Collection'],
    ['no year', 'Fall'],
    ['no term', '2026'],
  ])('fails its job for good, with the text in the error: %s', (_, season) => {
    const show = runway({ season, title: 'Some title' });
    const { nature, code, message } = jobErrorOf(() => assertSeason(show));
    expect({ nature, code }).toEqual({ nature: 'permanent', code: 'season_unparsed' });
    expect(message).toContain(`"${season} / Some title"`);
  });

  it('is none when year and term are given as hints', () => {
    expect(hasSeason(runway({ season: 'Collection', hints: { ...NO_HINTS, year: 2026, term: 'fall' } }))).toBe(true);
  });
});
