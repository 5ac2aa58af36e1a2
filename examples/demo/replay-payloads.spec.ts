import { describe, expect, it } from '@jest/globals';
import { pictureIdentity } from '../../src/media/picture-identity.js';
import { brandNameOf, missingBrands, onOrigin, prepared, readPayloads } from './replay-payloads.js';

const ORIGIN = 'http://127.0.0.1:18092';
const PHOTO = 'https://assets.vogue.com/photos/68244af7d33e04ddaf3d792c';

function identityOnOrigin(url: string): string {
  return pictureIdentity(onOrigin(url, ORIGIN));
}

describe('a picture’s address on the origin', () => {
  it('keeps path and query', () => {
    expect(onOrigin(`${PHOTO}/master/w_2560%2Cc_limit/1.jpg?x=1#top`, ORIGIN)).toBe(
      `${ORIGIN}/photos/68244af7d33e04ddaf3d792c/master/w_2560%2Cc_limit/1.jpg?x=1`,
    );
    expect(onOrigin('http://a.example:8080//b/c.png', ORIGIN)).toBe(`${ORIGIN}/a.example:8080/b/c.png`);
  });

  it.each([
    [`${PHOTO}/master/w_2560/1.jpg`, `${PHOTO}/master/w_1280/1.jpg`],
    ['https://a.example/uploads/1-300x200.jpg', 'https://a.example/uploads/1.jpg'],
    ['https://a.example/1.jpg?w=100', 'http://a.example/1.jpg'],
  ])('leaves two sizes of one photo one photo: %s', (one, other) => {
    expect(pictureIdentity(one)).toBe(pictureIdentity(other));
    expect(identityOnOrigin(one)).toBe(identityOnOrigin(other));
  });

  it.each([
    [`${PHOTO}/1.jpg`, 'https://assets.vogue.com/photos/68244af4ee29cfa439a9ac2d/1.jpg'],
    ['https://a.example/1.jpg', 'https://b.example/1.jpg'],
    ['https://a.example/1.jpg', 'https://a.example:8080/1.jpg'],
  ])('leaves two photos two photos: %s', (one, other) => {
    expect(identityOnOrigin(one)).not.toBe(identityOnOrigin(other));
  });

  it('leaves what is no address for the door to refuse', () => {
    expect(onOrigin('look 1', ORIGIN)).toBe('look 1');
  });
});

describe('a body that is replayed', () => {
  const body = {
    type: 'runway.show',
    timestamp: '2026-08-01T00:00:00Z',
    data: {
      brand: 'Maison Éclair',
      brand_id: 12,
      brand_hashid: 'abcd1234',
      season: 'Fall 2026',
      source: { url: 'https://pages.example/1' },
      cover: 'https://a.example/0.jpg',
      images: ['https://a.example/1.jpg', { url: 'https://a.example/2.jpg', caption: 'Look 2' }, 7],
    },
  };

  it('has its pictures on the origin and its brand by name alone, and is the same otherwise', () => {
    expect(prepared({ line: 1, body }, ORIGIN)).toEqual({
      type: 'runway.show',
      timestamp: '2026-08-01T00:00:00Z',
      data: {
        brand: 'Maison Éclair',
        season: 'Fall 2026',
        source: { url: 'https://pages.example/1' },
        cover: `${ORIGIN}/a.example/0.jpg`,
        images: [`${ORIGIN}/a.example/1.jpg`, { url: `${ORIGIN}/a.example/2.jpg`, caption: 'Look 2' }, 7],
      },
    });
  });

  it.each([
    [{ brand: ' Row ' }, 'Row'],
    [{ brand: '', brand_hashid: 'abcd1234' }, 'abcd1234'],
    [{ brand: '0', brand_hashid: null, brand_id: 12 }, 'Brand 12'],
    [{ brand_id: '0' }, undefined],
    [{}, undefined],
  ])('names its brand: %j', (data, name) => {
    expect(brandNameOf(data)).toBe(name);
  });

  it('needs each brand once, unless one is known by any spelling', () => {
    const named = (brand: string) => ({ line: 1, body: { data: { brand } } });
    const payloads = ['Rag Bone', 'La DoubleJ', 'la doublej', 'Étro', '!!'].map(named);
    expect(missingBrands(payloads, ['RAG & BONE', 'rag bone', 'x'])).toEqual(['La DoubleJ', 'Étro']);
  });
});

describe('a file of payloads', () => {
  it('is read line by line, and says which lines are none', () => {
    const text = '\uFEFF{"type":"runway.show","data":{"brand":"A"}}\r\n\n{"data":[]}\nnot json\n{"data":{}}';
    expect(readPayloads(text)).toEqual({
      payloads: [
        { line: 1, body: { type: 'runway.show', data: { brand: 'A' } } },
        { line: 5, body: { data: {} } },
      ],
      unreadable: [
        { line: 3, problem: 'is no object with "data"' },
        { line: 4, problem: 'is not JSON' },
      ],
    });
  });
});
