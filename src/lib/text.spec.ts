import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasUnstorable, messageOf, storable } from './text.js';

const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 });

describe('text that a column can store', () => {
  it('has no NUL and no half of a surrogate pair', () => {
    expect(['a\0', '\ud83d', 'a\udc60b', '\udc60\ud83d'].map(hasUnstorable)).toEqual([true, true, true, true]);
    expect(['', '秀 👠', 'a\tb\n'].map(hasUnstorable)).toEqual([false, false, false]);
  });

  it('is made of any text, and stays what it was when it was storable', () => {
    expect(storable('a\0b\ud83d')).toBe('a\uFFFDb\uFFFD');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(hasUnstorable(storable(text))).toBe(false);
        if (!hasUnstorable(text)) expect(storable(text)).toBe(text);
      }),
    );
  });

  it('is cut to its limit, never inside a character, and says so', () => {
    expect(storable('abcdef', 4)).toBe('abc…');
    expect(storable('ab👠👠', 4)).toBe('ab…');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const cut = storable(text, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(hasUnstorable(cut)).toBe(false);
      }),
    );
  });
});

describe('what a thrown value says', () => {
  it.each<[unknown, string]>([
    [new Error('broken'), 'broken'],
    [new TypeError(), 'TypeError'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [{ code: 1 }, '[object Object]'],
    [new AggregateError([new Error('one'), 'two']), 'one; two'],
    [new Error('a\0b'), 'a\uFFFDb'],
  ])('is storable text: %p', (thrown, said) => {
    expect(messageOf(thrown)).toBe(said);
  });

  it('is found for whatever can be thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(hasUnstorable(messageOf(thrown))).toBe(false);
      }),
    );
  });
});
