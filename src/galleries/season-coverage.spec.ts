import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTerm } from '../taxonomy/terms.js';
import {
  coverageOf,
  COVERAGE_STATES,
  coveringCategories,
  type CoverageCell,
  type CrawlSeen,
  hasAnything,
  lookedAtSeasons,
  type ShowsSeen,
} from './season-coverage.js';

const FALL = { year: 2026, term: 'fall' as const };

const shows = (state: ShowsSeen['state'], more: Partial<ShowsSeen> = {}): ShowsSeen => ({
  ...FALL,
  category: 'rtw',
  state,
  count: 1,
  newestId: '10',
  updatedAt: 100,
  ...more,
});

const crawl = (state: CrawlSeen['state'], more: Partial<CrawlSeen> = {}): CrawlSeen => ({
  subjectKey: 'runway:1:2026:fall:rtw:paris:',
  state,
  recordId: '20',
  at: 200,
  ...more,
});

function cellOf(found: readonly (ShowsSeen | CrawlSeen)[], category = 'rtw', season = FALL): CoverageCell {
  const [cell] = coverageOf(
    [season],
    [category],
    found.filter((one): one is ShowsSeen => 'count' in one),
    found.filter((one): one is CrawlSeen => 'subjectKey' in one),
  );
  if (cell === undefined) throw new Error('There is no cell');
  return cell;
}

const stateOf = (...found: (ShowsSeen | CrawlSeen)[]) => cellOf(found).state;

describe('the state of a show', () => {
  it('is that of the one that came furthest', () => {
    const all = [
      shows('published'),
      shows('pending_review'),
      crawl('in_progress'),
      crawl('failed'),
      shows('rejected'),
      crawl('skipped'),
      shows('deleted'),
      shows('published', { year: 2025 }),
    ];
    // Whatever is left when the furthest is taken away, one after the other.
    expect(all.map((_, from) => stateOf(...all.slice(from).reverse()))).toEqual([
      'published',
      'pending_review',
      'in_progress',
      'failed',
      'rejected',
      'skipped',
      'deleted',
      'missing',
    ]);
    expect(stateOf()).toBe('none');
  });

  it('is failed only when nothing came and nobody decided since', () => {
    expect(stateOf(crawl('failed'))).toBe('failed');
    for (const state of ['rejected', 'deleted'] as const) {
      expect(stateOf(crawl('failed', { at: 99 }), shows(state))).toBe(state);
      expect(stateOf(crawl('failed', { at: 100 }), shows(state))).toBe(state);
      expect(stateOf(crawl('failed', { at: 101 }), shows(state))).toBe('failed');
    }
  });

  it('is skipped only while the show is deleted', () => {
    expect(stateOf(crawl('skipped'), shows('deleted'))).toBe('skipped');
    expect(stateOf(crawl('skipped'), shows('rejected'))).toBe('rejected');
    expect(stateOf(crawl('skipped'))).toBe('none');
  });

  it('is missing when one of three years before had such a show, and says which', () => {
    const earlier = (year: number, state: ShowsSeen['state'] = 'published') => cellOf([shows(state, { year })]);
    expect(earlier(2025)).toMatchObject({ state: 'missing', lastYear: 2025, galleryId: null, galleryCount: 0 });
    expect(earlier(2023)).toMatchObject({ state: 'missing', lastYear: 2023 });
    expect(earlier(2022).state).toBe('none');
    expect(earlier(2027).state).toBe('none');
    expect(earlier(2025, 'pending_review').state).toBe('missing');
    expect(earlier(2025, 'rejected').state).toBe('none');
    expect(earlier(2025, 'deleted').state).toBe('none');
    expect(stateOf(shows('published', { year: 2025, term: 'spring' }))).toBe('none');
    expect(stateOf(shows('published', { year: 2025, category: 'couture' }))).toBe('none');
    const both = [shows('published', { year: 2024 }), shows('published', { year: 2023 })];
    expect(cellOf(both).lastYear).toBe(2024);
  });

  it('comes with the gallery or the record that it is told from, and with how many galleries there are', () => {
    const found = [
      shows('published', { newestId: '7', count: 2 }),
      shows('rejected', { newestId: '9' }),
      shows('deleted', { newestId: '11', count: 5 }),
    ];
    expect(cellOf(found)).toMatchObject({ state: 'published', galleryId: '7', galleryCount: 3, recordId: null });
    expect(cellOf([shows('deleted')])).toMatchObject({ state: 'deleted', galleryId: '10', galleryCount: 0 });
    const failures = [crawl('failed', { recordId: '999' }), crawl('failed', { recordId: '1000' })];
    expect(cellOf(failures)).toMatchObject({ state: 'failed', galleryId: null, recordId: '1000' });
    expect(cellOf([...failures].reverse()).recordId).toBe('1000');
  });

  it.each([
    'street:0:2026:fall:rtw:paris:all||x',
    '',
    'runway',
    'runway:1::fall:rtw::',
    'runway:1:2026::rtw::',
    'runway:1:2026:autumn:rtw::',
    'runway:1:20x6:fall:rtw::',
  ])('is not told from a crawl about "%s"', (subjectKey) => {
    expect(stateOf(crawl('failed', { subjectKey }))).toBe('none');
  });
});

describe('a co-ed show', () => {
  const coed = (state: ShowsSeen['state'], more: Partial<ShowsSeen> = {}) =>
    shows(state, { category: 'coed', ...more });

  it('answers for ready-to-wear and menswear, and for nothing else', () => {
    for (const category of ['rtw', 'menswear']) {
      expect(cellOf([coed('published')], category)).toMatchObject({
        category,
        state: 'published',
        via: 'coed',
        galleryId: '10',
        galleryCount: 1,
      });
    }
    expect(cellOf([coed('published')], 'coed')).toMatchObject({ state: 'published', via: null });
    for (const category of ['couture', 'bridal']) {
      expect(cellOf([coed('published')], category)).toMatchObject({ state: 'none', via: null });
    }
    expect(cellOf([shows('published'), shows('published', { category: 'menswear' })], 'coed').state).toBe('none');
  });

  it('stands back behind one of its own that came as far', () => {
    const own = shows('published', { newestId: '1' });
    expect(cellOf([coed('published'), own])).toMatchObject({ via: null, galleryId: '1', galleryCount: 1 });
    expect(cellOf([coed('rejected'), own])).toMatchObject({ state: 'published', via: null });
    expect(cellOf([coed('published'), crawl('failed')])).toMatchObject({ state: 'published', via: 'coed' });
  });

  it('is missing, and what failed is told, through it as well', () => {
    expect(cellOf([coed('published', { year: 2025 })], 'menswear')).toMatchObject({
      state: 'missing',
      via: 'coed',
      lastYear: 2025,
    });
    const subjectKey = 'runway:1:2026:fall:coed::';
    expect(cellOf([crawl('failed', { subjectKey })], 'menswear')).toMatchObject({
      state: 'failed',
      via: 'coed',
      recordId: '20',
    });
  });

  it('is looked for with those that it answers for', () => {
    expect(coveringCategories(['rtw', 'menswear', 'couture'])).toEqual(['rtw', 'coed', 'menswear', 'couture']);
    expect(coveringCategories(['bridal'])).toEqual(['bridal']);
  });
});

describe('cells', () => {
  it('stand season by season, and category by category within', () => {
    const spring = { year: 2027, term: 'spring' as const };
    const cells = coverageOf([FALL, spring], ['rtw', 'couture'], [], []);
    expect(cells.map(({ year, term, category }) => [year, term, category])).toEqual([
      [2026, 'fall', 'rtw'],
      [2026, 'fall', 'couture'],
      [2027, 'spring', 'rtw'],
      [2027, 'spring', 'couture'],
    ]);
    expect(hasAnything(cells)).toBe(false);
    expect(hasAnything(coverageOf([FALL, spring], ['couture', 'rtw'], [shows('deleted')], []))).toBe(true);
  });

  it('need three years before each season, each once', () => {
    const seasons = lookedAtSeasons([FALL, { year: 2025, term: 'fall' }]);
    expect(seasons.map(({ year }) => year).sort()).toEqual([2022, 2023, 2024, 2025, 2026]);
    expect(seasons.every(({ term }) => isTerm(term))).toBe(true);
  });

  const seasonOf = fc.record({ year: fc.integer({ min: 2022, max: 2027 }), term: fc.constantFrom('fall', 'spring') });
  const categoryOf = fc.constantFrom('rtw', 'menswear', 'coed', 'couture');
  const showsOf = fc
    .tuple(
      seasonOf,
      categoryOf,
      fc.constantFrom<ShowsSeen['state']>('published', 'pending_review', 'rejected', 'deleted'),
      fc.record({ count: fc.integer({ min: 1, max: 3 }), newestId: fc.nat().map(String), updatedAt: fc.nat(9) }),
    )
    .map(([season, category, state, more]) => ({ ...(season as typeof FALL), category, state, ...more }));
  const crawlOf = fc
    .tuple(seasonOf, categoryOf, fc.constantFrom<CrawlSeen['state']>('in_progress', 'failed', 'skipped'), fc.nat(9))
    .map(([{ year, term }, category, state, at]) => ({
      subjectKey: `runway:1:${year}:${term}:${category}::`,
      state,
      recordId: String(at + 1),
      at,
    }));

  it('never fall back when more came, and do not depend on the order in which it is told', () => {
    const rank = ({ state }: CoverageCell) => COVERAGE_STATES.indexOf(state);
    fc.assert(
      fc.property(
        fc.array(showsOf, { maxLength: 12 }),
        fc.array(crawlOf, { maxLength: 12 }),
        fc.constantFrom('published', 'pending_review'),
        (some, crawls, state) => {
          const read = (all: ShowsSeen[]) => coverageOf([FALL], ['rtw', 'menswear', 'coed', 'couture'], all, crawls);
          const cells = read(some);
          const states = cells.map((cell) => cell.state);
          expect(
            coverageOf([FALL], ['rtw', 'menswear', 'coed', 'couture'], [...some].reverse(), [...crawls].reverse()).map(
              (cell) => cell.state,
            ),
          ).toEqual(states);
          const more = read([...some, shows(state, { category: 'coed' })]);
          cells.forEach((cell, place) => expect(rank(more[place] ?? cell)).toBeLessThanOrEqual(rank(cell)));
          for (const cell of cells) {
            const isOfGallery = ['published', 'pending_review', 'rejected', 'deleted'].includes(cell.state);
            const isOfRecord = ['in_progress', 'failed', 'skipped'].includes(cell.state);
            expect([cell.galleryId !== null, cell.recordId !== null]).toEqual([isOfGallery, isOfRecord]);
            expect(cell.lastYear !== null).toBe(cell.state === 'missing');
            if (cell.via !== null) expect(['rtw', 'menswear']).toContain(cell.category);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
