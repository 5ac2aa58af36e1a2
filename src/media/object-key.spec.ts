import { describe, expect, it } from '@jest/globals';
import { isObjectKey, objectKey, pictureKeyOf, thumbnailKey } from './object-key.js';

const KEY = objectKey('runway', '12', 3, '0123456789abcdef'.repeat(4), 'jpg');

describe('an object key', () => {
  it('says whose slot it is and what bytes are in it', () => {
    expect(KEY).toBe('runway/12/3-0123456789abcdef.jpg');
  });

  it('of a thumbnail is beside its picture’s, and leads back to it', () => {
    expect(thumbnailKey(KEY)).toBe('runway/12/3-0123456789abcdef.jpg.thumb.webp');
    expect([isObjectKey(thumbnailKey(KEY)), pictureKeyOf(thumbnailKey(KEY)), pictureKeyOf(KEY)]).toEqual([
      true,
      KEY,
      KEY,
    ]);
  });

  it.each([
    '',
    'runway/12/3.jpg',
    '../12/3-0123456789abcdef.jpg',
    'runway/../3-0123456789abcdef.jpg',
    'runway/12/3-0123456789abcdef.jpg/x',
    'runway/12/3-0123456789abcdef.jpg.exe',
    'runway/12/3-0123456789abcdef.jpg.thumb.webp.thumb.webp',
    'runway/12/3-0123456789abcdef.jpg\n',
  ])('is not %j', (key) => {
    expect(isObjectKey(key)).toBe(false);
  });
});
