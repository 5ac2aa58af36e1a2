import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Hashids from 'hashids';
import type { Config } from '../platform/config/config.js';
import type { SettingFingerprints } from '../platform/database/setting-fingerprints.js';
import { BrandHashids } from './brand-hashids.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890';

function made(salt = 'a salt', minLength = 8): BrandHashids {
  const config = { hashids: { salt, minLength, alphabet: ALPHABET } } as Config;
  return new BrandHashids(config, undefined as unknown as SettingFingerprints);
}

const anyId = fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }).map(String);

describe('the hashids of brands', () => {
  it('are those that any other hashids library makes of the same salt', () => {
    expect(made().encode('612')).toBe(new Hashids('a salt', 8, ALPHABET).encode(612));
    // From the library's own documentation.
    expect(made('this is my salt', 8).encode('1')).toBe('gB0NV05e');
  });

  it('lead back to every id that a bigint can hold', () => {
    const hashids = made();
    fc.assert(fc.property(anyId, (id) => hashids.decode(hashids.encode(id)) === id));
  });

  it('may have space around them, and case matters', () => {
    const hashids = made();
    const hashid = hashids.encode('7');
    expect(hashids.decode(` ${hashid}\n`)).toBe('7');
    expect(hashids.decode(hashid.toUpperCase())).toBeUndefined();
  });

  it('do not exist for 0, for two numbers, or for an id that is no bigint', () => {
    const hashids = made();
    const library = new Hashids('a salt', 8, ALPHABET);
    expect(library.encode(0)).not.toBe('');
    for (const text of [library.encode(0), library.encode([1, 2]), library.encode(9_223_372_036_854_775_808n)]) {
      expect(hashids.decode(text)).toBeUndefined();
    }
  });

  it('are never read out of a text that no id encodes to', () => {
    const hashids = made();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...ALPHABET) })), (text) => {
        const id = hashids.decode(text);
        return id === undefined || hashids.encode(id) === text.trim();
      }),
      { numRuns: 2000 },
    );
    expect(hashids.decode('')).toBeUndefined();
    expect(hashids.decode('é🌹')).toBeUndefined();
  });

  it('of another salt lead to no id that an archive has: few to any, and those to enormous ones', () => {
    const [ours, theirs] = [made('ours'), made('theirs')];
    const strays = Array.from({ length: 500 }, (_, index) => ours.decode(theirs.encode(String(index + 1))));
    const decoded = strays.filter((id) => id !== undefined);
    expect(decoded.length).toBeLessThan(10);
    expect(decoded.filter((id) => Number(id) < 1e9)).toEqual([]);
  });
});
