import { describe, expect, it } from '@jest/globals';
import { aliasKey } from '../lib/alias-key.js';
import { bigramsOf, nearNames } from './near-names.js';

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
