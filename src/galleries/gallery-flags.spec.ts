import { describe, expect, it } from '@jest/globals';
import { flagsOf, type Flaggable } from './gallery-flags.js';

const FINE: Flaggable = {
  categorySource: 'season',
  missingCount: 0,
  expectedCount: 40,
  pictureCount: 40,
  suspect: false,
};

describe('the flags of a gallery', () => {
  it.each<[string, Partial<Flaggable>, boolean, string[]]>([
    ['nothing', {}, false, []],
    ['a count that nobody gave', { expectedCount: null }, false, []],
    ['more pictures than expected', { expectedCount: 30 }, false, []],
    ['a guess', { categorySource: 'default' }, false, ['guessed_category']],
    ['an editor’s word', { categorySource: 'editor' }, false, []],
    ['a picture that could not be fetched', { missingCount: 1 }, false, ['partial']],
    ['fewer pictures than the page had', { expectedCount: 41 }, false, ['partial']],
    ['a crawl that may have been another show', { suspect: true }, false, ['suspect']],
    ['a picture that another gallery has', {}, true, ['shared_pictures']],
    [
      'everything',
      { categorySource: 'default', missingCount: 1, suspect: true },
      true,
      ['guessed_category', 'partial', 'suspect', 'shared_pictures'],
    ],
  ])('are raised by %s', (_, over, shares, flags) => {
    expect(flagsOf({ ...FINE, ...over }, shares)).toEqual(flags);
  });
});
