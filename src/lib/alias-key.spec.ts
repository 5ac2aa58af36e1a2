import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aliasKey, slugOf } from './alias-key.js';

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });

describe('the alias key', () => {
  it.each([
    ['(DI)VISION', 'division'],
    ['99%IS-', '99is'],
    ['S=YZ', 'syz'],
    ['WHO IS IT?', 'whoisit'],
    ['Y/PROJECT', 'yproject'],
    ['KUDOS / SODUK', 'kudossoduk'],
    ['1205', '1205'],
    ['B+ UMIT BENAN', 'bumitbenan'],
    ['盖娅传说', '盖娅传说'],
    ['Maison Éclair', 'maisoneclair'],
    ['Maison E\u0301clair', 'maisoneclair'],
    ['Ｇｕｃｃｉ', 'gucci'],
    ['burberry-prorsum', 'burberryprorsum'],
    ['İpek', 'ipek'],
  ])('of %s is %s', (name, key) => {
    expect(aliasKey(name)).toBe(key);
  });

  it.each(['', '   ', '???', '—', '\u0301', '🌹'])('does not exist for %j, which names nothing', (name) => {
    expect(aliasKey(name)).toBeUndefined();
    expect(slugOf(name)).toBeUndefined();
  });

  it('consists of letters and digits, and is its own key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = aliasKey(text);
        if (key === undefined) return;
        expect(key).toMatch(/^[\p{L}\p{N}]+$/u);
        expect(aliasKey(key)).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the Unicode form or on what stands between the letters', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        expect(aliasKey(text.normalize(form))).toBe(aliasKey(text));
        expect(aliasKey(` ${text}!`)).toBe(aliasKey(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the case of letters that have one small and one capital form', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcxyzéñøжя09 &-') }), (text) => {
        expect(aliasKey(text.toUpperCase())).toBe(aliasKey(text));
      }),
    );
  });

  it('is shared by a name and its slug', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const slug = slugOf(name);
        expect(slug === undefined ? undefined : aliasKey(slug)).toBe(aliasKey(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a slug', () => {
  it.each([
    ['The Row', 'the-row'],
    ['(DI)VISION', 'di-vision'],
    ['B+ UMIT BENAN', 'b-umit-benan'],
    ['99%IS-', '99-is'],
    ['盖娅传说', '盖娅传说'],
  ])('of %s is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
