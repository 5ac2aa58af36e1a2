import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fingerprintOf, open, seal } from './secret-box.js';

const KEY = Buffer.alloc(32, 1);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((array) => Buffer.from(array));

describe('the secret box', () => {
  it('opens for the key and the owner that it was sealed for, and no other', () => {
    fc.assert(
      fc.property(bytes, (secret) => {
        const box = seal(KEY, secret, 'crawler 1');
        expect(open(KEY, box, 'crawler 1')).toEqual(secret);
        expect(() => open(KEY, box, 'crawler 2')).toThrow(/cannot be decrypted/);
        expect(() => open(Buffer.alloc(32, 2), box, 'crawler 1')).toThrow(/cannot be decrypted/);
      }),
    );
  });

  it('opens no box of which one bit or the end is missing', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat({ max: 7 }), (secret, place, bit) => {
        const box = seal(KEY, secret, 'crawler 1');
        expect(() => open(KEY, box.subarray(0, place % box.length), 'crawler 1')).toThrow(/cannot be decrypted/);
        box[place % box.length]! ^= 1 << bit;
        expect(() => open(KEY, box, 'crawler 1')).toThrow(/cannot be decrypted/);
      }),
    );
  });

  it('never makes the same box twice, and always the same fingerprint', () => {
    const secret = Buffer.alloc(32, 3);
    expect(seal(KEY, secret, 'x')).not.toEqual(seal(KEY, secret, 'x'));
    expect(fingerprintOf(KEY, secret)).toEqual(fingerprintOf(KEY, secret));
    expect(fingerprintOf(KEY, secret)).not.toEqual(fingerprintOf(Buffer.alloc(32, 2), secret));
  });
});
