import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appErrorOf } from '../../test/harness/errors.js';
import { CATEGORIES } from '../taxonomy/categories.js';
import { TERMS } from '../taxonomy/terms.js';
import { changedShow, differencesOf, type ShowChanges, type ShowParts } from './show-changes.js';

const SHOW: ShowParts = { year: 2026, term: 'fall', category: 'rtw', market: 'paris' };
const change = (changes: ShowChanges, kind: 'runway' | 'street' = 'runway'): ShowParts =>
  changedShow(kind, SHOW, changes, 2026);

describe('a show that an editor corrects', () => {
  it('stays as it is where nothing is said', () => {
    expect(change({})).toEqual(SHOW);
    expect(change({ category: null })).toEqual(SHOW);
  });

  it('takes category and market by any of their names', () => {
    expect(change({ category: '男装', market: 'Milan' })).toEqual({ ...SHOW, category: 'menswear', market: 'milan' });
  });

  it.each([null, 'none', 'None'])('has no market when that is taken away by %s', (market) => {
    expect(change({ market })).toEqual({ ...SHOW, market: null });
  });

  it('needs a season, unless it is street style', () => {
    expect(appErrorOf(() => change({ term: null })).code).toBe('season-needed');
    expect(appErrorOf(() => change({ year: null })).code).toBe('season-needed');
    expect(change({ year: null, term: null }, 'street')).toEqual({ ...SHOW, year: null, term: null });
  });

  it('refuses what no table knows, all of it at once', () => {
    const { code, errors } = appErrorOf(() => change({ year: 1800, category: 'hats', market: 'atlantis' }));
    expect([code, errors.map(({ pointer }) => pointer)]).toEqual([
      'overrides-invalid',
      ['/year', '/category', '/market'],
    ]);
    expect(appErrorOf(() => change({ category: 'menswear' }, 'street')).code).toBe('overrides-invalid');
  });

  it('is told by its differences, and changing it back gives what it was', () => {
    const part = fc.record({
      year: fc.integer({ min: 1980, max: 2028 }),
      term: fc.constantFrom(...TERMS),
      category: fc.constantFrom(...CATEGORIES.map(({ code }) => code)),
      market: fc.constantFrom('paris', 'milan', null),
    });
    fc.assert(
      fc.property(part, part, (before, after) => {
        const changed = changedShow('runway', before, after, 2026);
        expect(changed).toEqual(after);
        expect(changedShow('runway', changed, before, 2026)).toEqual(before);
        expect(differencesOf(before, after) === '').toBe(JSON.stringify(before) === JSON.stringify(after));
      }),
    );
    expect(differencesOf(SHOW, { ...SHOW, category: 'couture', market: null })).toBe(
      'category: rtw → couture, market: paris → –',
    );
  });
});
