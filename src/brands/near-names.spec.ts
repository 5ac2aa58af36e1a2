import { describe, expect, it } from '@jest/globals';
import { aliasKey } from '../lib/alias-key.js';
import { bigramsOf, NearBrands, nearNames } from './near-names.js';

const candidates = [
  'Burberry',
  'Burberry Prorsum',
  'Balenciaga',
  'Balmain',
  'Gucci',
  'Gücci',
  '盖娅传说',
  '99%IS-',
].map((name) => ({ name, alias: name, aliasKey: aliasKey(name) ?? '' }));
const near = (text: string) => nearNames(aliasKey(text) ?? '', candidates);

describe('near names', () => {
  it('find a slip of the finger, at the beginning of a name too', () => {
    expect(near('Balenciga')).toEqual(['Balenciaga']);
    expect(near('Valmain')).toEqual(['Balmain']);
  });

  it('find the house in a longer name and the longer name of a house', () => {
    expect(near('Burberry London Limited')).toContain('Burberry');
    expect(near('Prorsum')).toEqual(['Burberry Prorsum']);
  });

  it('work for scripts without cases', () => {
    expect(near('盖娅传')).toEqual(['盖娅传说']);
  });

  it('are none for a name like no other', () => {
    expect(near('Xylophon')).toEqual([]);
  });

  it('put the nearest first and leave out the rest when there are many', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      name: `House ${'x'.repeat(index)}`,
      alias: '',
      aliasKey: `house${'x'.repeat(index)}`,
    }));
    expect(nearNames('housexxx', many, 3)).toEqual(['House xxx', 'House xxxx', 'House xx']);
  });

  it('compare pairs of letters, and a single letter as it is', () => {
    expect(bigramsOf('gucci')).toEqual(['gu', 'uc', 'cc', 'ci']);
    expect(bigramsOf('a')).toEqual(['a']);
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    expect(bigramsOf(alphabet)).toHaveLength(12);
    expect(bigramsOf(alphabet).at(-1)).toBe('xy');
  });
});

describe('near brands', () => {
  const index = new NearBrands(
    candidates.map(({ aliasKey: key }, place) => ({ aliasKey: key, brandId: String(place + 1) })),
  );
  const ids = (text: string) => index.of(aliasKey(text) ?? '');

  it('are those of the near names, the nearest first, each once', () => {
    expect(ids('Balenciga')).toEqual(['3']);
    expect(ids('Burberry London Limited')).toEqual(['1']);
    expect(ids('gucci')).toEqual(['5', '6']);
    expect(ids('盖娅传')).toEqual(['7']);
    expect(ids('Burberry Prorsun')).toEqual(['2', '1']);
  });

  it('are none for a name like no other, and for no name', () => {
    expect(ids('Xylophon')).toEqual([]);
    expect(ids('???')).toEqual([]);
    expect(new NearBrands([]).of('gucci')).toEqual([]);
  });

  it('are found among 20,000 for a page of a hundred names without keeping anybody waiting', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({
      aliasKey: `house${n * 7919}studio`,
      brandId: String(n + 1),
    }));
    const started = performance.now();
    const crowd = new NearBrands(many);
    for (let n = 0; n < 100; n++) expect(crowd.of(`house${n * 7919}studo`)[0]).toBe(String(n + 1));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
