import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appErrorOf } from '../../test/harness/errors.js';
import { decodeCursor, decodeIdCursor, encodeCursor } from './keyset-cursor.js';

describe('a cursor', () => {
  it('comes back as it was, and fits an address', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), (key) => {
        const cursor = encodeCursor(key);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, key.length)).toEqual(key);
      }),
    );
  });

  it('carries ids that no number of JavaScript holds', () => {
    expect(decodeIdCursor(encodeCursor(['9223372036854775807']))).toBe('9223372036854775807');
  });

  it.each([
    '',
    'nonsense',
    encodeCursor(['1', '2']),
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('{"0":"1"}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ])('that is none of ours is refused: %s', (cursor) => {
    const { code, status } = appErrorOf(() => decodeCursor(cursor, 1));
    expect({ code, status }).toEqual({ code: 'cursor-invalid', status: 400 });
  });

  it.each(['0', '-1', '1.5', 'x', '', '9223372036854775808'])('is no id’s: %s', (id) => {
    expect(appErrorOf(() => decodeIdCursor(encodeCursor([id]))).code).toBe('cursor-invalid');
  });

  it('refuses whatever text it is given, and never breaks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(appErrorOf(() => decodeCursor(text, 99)).code).toBe('cursor-invalid');
      }),
    );
  });
});
