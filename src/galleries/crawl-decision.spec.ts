import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { crawlPayload } from '../../test/harness/payloads.js';
import { TERMS } from '../taxonomy/terms.js';
import { chooseGallery, decide, GALLERY_STATUSES, isSuspect, type FoundGallery } from './crawl-decision.js';
import type { Show } from './show.js';

/** A crawl of the fall 2026 ready-to-wear show in Paris. */
const show = (key: Partial<Show['key']> = {}, over: Partial<Show> = {}): Show => ({
  payload: crawlPayload(),
  key: { brandId: '7', year: 2026, term: 'fall', category: 'rtw', market: 'paris', detail: null, ...key },
  categorySource: 'season',
  warnings: [],
  ...over,
});

/** The gallery of that very show, found by its key. */
const gallery = (over: Partial<FoundGallery> = {}): FoundGallery => ({
  id: '1',
  status: 'pending_review',
  deletedAt: 0,
  revision: 1,
  year: 2026,
  term: 'fall',
  category: 'rtw',
  categorySource: 'season',
  pictureCount: 45,
  by: 'key',
  market: 'paris',
  ...over,
});

const chosen = (crawl: Show, ...found: FoundGallery[]): string | undefined => chooseGallery(crawl, found)?.id;

describe('the source', () => {
  it('is asked before the key', () => {
    expect(chosen(show(), gallery(), gallery({ id: '2', by: 'source', market: 'milan' }))).toBe('2');
  });

  it('counts only when year and term agree: a listing page is the source of many shows', () => {
    expect(chosen(show(), gallery({ by: 'source', year: 2025 }))).toBeUndefined();
    expect(chosen(show(), gallery({ by: 'source', term: 'spring' }))).toBeUndefined();
    expect(chosen(show(), gallery({ by: 'source', year: 2025 }), gallery({ id: '2' }))).toBe('2');
  });

  it('does not count for another category, unless one of the two was guessed', () => {
    const couture = gallery({ by: 'source', category: 'couture' });
    expect(chosen(show(), couture)).toBeUndefined();
    expect(chosen(show({}, { categorySource: 'default' }), couture)).toBe('1');
    expect(chosen(show(), gallery({ by: 'source', category: 'couture', categorySource: 'default' }))).toBe('1');
  });

  it('finds street style that has no season either', () => {
    const street = show({ brandId: '0', year: null, term: null, category: 'street_style' });
    expect(chosen(street, gallery({ by: 'source', year: null, term: null, category: 'street_style' }))).toBe('1');
  });
});

describe('the natural key', () => {
  it('holds with its market, or is another show', () => {
    expect(chosen(show(), gallery())).toBe('1');
    expect(chosen(show(), gallery({ market: 'milan' }))).toBeUndefined();
    expect(chosen(show(), gallery({ market: null }))).toBeUndefined();
    expect(chosen(show(), gallery({ market: 'milan' }), gallery({ id: '2' }))).toBe('2');
  });

  it('without a market matches the only gallery that has the other four columns', () => {
    expect(chosen(show({ market: null }), gallery())).toBe('1');
    expect(chosen(show({ market: null }), gallery(), gallery({ market: 'milan' }))).toBe('1');
    expect(chosen(show({ market: null }), gallery(), gallery({ id: '2', market: 'milan' }))).toBeUndefined();
  });

  it('without a market prefers the gallery that has none either', () => {
    expect(chosen(show({ market: null }), gallery(), gallery({ id: '2', market: null }))).toBe('2');
  });
});

describe('what is done', () => {
  it.each<[string, FoundGallery | undefined, string]>([
    ['nothing was found', undefined, 'create'],
    ['it waits for review', gallery(), 'skip_existing'],
    ['it is published', gallery({ status: 'published' }), 'skip_existing'],
    ['it was rejected', gallery({ status: 'rejected' }), 'overwrite'],
    ['it is deleted', gallery({ deletedAt: 1 }), 'skip_deleted'],
    ['it was published and is deleted', gallery({ status: 'published', deletedAt: 1 }), 'skip_deleted'],
    ['it was rejected and is deleted', gallery({ status: 'rejected', deletedAt: 1 }), 'skip_deleted'],
  ])('when %s: %j → %s', (_, found, action) => {
    expect(decide(found)).toEqual(found === undefined ? { action } : { action, gallery: found });
  });
});

describe('what a person decided', () => {
  it('is to take the crawl: whatever the review says, but not out of the trash', () => {
    for (const status of GALLERY_STATUSES) {
      const found = gallery({ by: 'person', status });
      expect(decide(found, 'take')).toEqual({ action: 'overwrite', gallery: found });
      expect(decide({ ...found, deletedAt: 1 }, 'take')).toEqual({ action: 'refuse', why: 'gallery_deleted' });
    }
    expect(decide(undefined, 'take')).toEqual({ action: 'refuse', why: 'gallery_gone' });
  });

  it('is to make a show of its own: where there is none, not even a deleted or a rejected one', () => {
    expect(decide(undefined, 'own_show')).toEqual({ action: 'create' });
    for (const found of [gallery(), gallery({ status: 'rejected' }), gallery({ deletedAt: 1 })]) {
      expect(decide(found, 'own_show')).toEqual({ action: 'refuse', why: 'show_exists' });
    }
  });
});

describe('a skip', () => {
  it('is suspect when a category was guessed and no picture is the same', () => {
    expect(isSuspect(show({}, { categorySource: 'default' }), gallery(), 0)).toBe(true);
    expect(isSuspect(show(), gallery({ categorySource: 'default' }), 0)).toBe(true);
  });

  it('is not, when pictures are shared, both categories were read, the source found it, or it is street style', () => {
    const guessed = show({}, { categorySource: 'default' });
    expect(isSuspect(guessed, gallery(), 1)).toBe(false);
    expect(isSuspect(show(), gallery(), 0)).toBe(false);
    expect(isSuspect(guessed, gallery({ by: 'source' }), 0)).toBe(false);
    const street = show({}, { categorySource: 'default', payload: crawlPayload({ kind: 'street' }) });
    expect(isSuspect(street, gallery(), 0)).toBe(false);
  });
});

describe('whatever is found', () => {
  const market = fc.constantFrom('paris', 'milan', null);
  const found = fc.record({
    id: fc.constantFrom('1', '2', '3'),
    status: fc.constantFrom(...GALLERY_STATUSES),
    deletedAt: fc.constantFrom(0, 1_700_000_000),
    revision: fc.constant(1),
    year: fc.constantFrom(2025, 2026),
    term: fc.constantFrom(...TERMS),
    category: fc.constantFrom('rtw', 'couture'),
    categorySource: fc.constantFrom('season' as const, 'default' as const),
    pictureCount: fc.nat(60),
    by: fc.constantFrom('source' as const, 'key' as const),
    market,
  });
  const crawl = fc.record({ market, categorySource: fc.constantFrom('season' as const, 'default' as const) });

  it('only a live rejected gallery is written over, and a deleted one is never brought back', () => {
    fc.assert(
      fc.property(crawl, fc.array(found, { maxLength: 5 }), ({ market: where, categorySource }, galleries) => {
        const crawled = show({ market: where }, { categorySource });
        const one = chooseGallery(crawled, galleries);
        const { action } = decide(one);
        expect(action === 'overwrite').toBe(one?.status === 'rejected' && one.deletedAt === 0);
        expect(action === 'skip_deleted').toBe(one !== undefined && one.deletedAt > 0);
        expect(action === 'create').toBe(one === undefined);
      }),
    );
  });

  it('a gallery of another season is never chosen by its source, nor one of another market by its key', () => {
    fc.assert(
      fc.property(crawl, fc.array(found, { maxLength: 5 }), ({ market: where, categorySource }, galleries) => {
        const crawled = show({ market: where }, { categorySource });
        const one = chooseGallery(crawled, galleries);
        if (one === undefined) return;
        expect(galleries).toContain(one);
        if (one.by === 'source') expect([one.year, one.term]).toEqual([2026, 'fall']);
        else if (where !== null) expect(one.market).toBe(where);
      }),
    );
  });
});
