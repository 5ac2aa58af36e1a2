import { describe, expect, it } from '@jest/globals';
import { jobErrorOf } from '../../test/harness/errors.js';
import { looks, message, runwayData, streetData } from '../../test/harness/payloads.js';
import type { CrawlPayload } from './crawl-payload.js';
import { crawlOf } from './stored-payload.js';

const crawl = (payload: unknown): CrawlPayload => crawlOf(JSON.stringify(payload), 2026);

describe('a payload of the door', () => {
  it('is read as its type says', () => {
    expect(crawl(message('runway.show', runwayData()))).toMatchObject({
      kind: 'runway',
      brand: { name: 'Maison Éclair' },
    });
    expect(crawl(message('street.gallery', streetData()))).toMatchObject({ kind: 'street', brand: {}, day: 3 });
  });
});

describe('a payload from before, which has no type', () => {
  it('is read as the data itself, by the same field names', () => {
    const data = {
      brand_hashid: 'aB3',
      brand_id: 0,
      season: '2026秋冬',
      title: '盖娅传说',
      images: ['https://p.example/1.jpg'],
    };
    expect(crawl(data)).toEqual({
      kind: 'runway',
      brand: { hashid: 'aB3' },
      season: '2026秋冬',
      title: '盖娅传说',
      hints: { year: undefined, term: undefined, category: undefined, market: undefined },
      source: {},
      images: [{ url: 'https://p.example/1.jpg' }],
    });
  });

  it.each([{ kind: 'street' }, { gallery_type: 'street' }, { category: 'street_style' }])(
    'is street style when it says %j',
    (mark) => {
      expect(crawl({ ...streetData(), ...mark }).kind).toBe('street');
    },
  );

  it('may have no pictures, and then needs nothing else', () => {
    for (const empty of [{}, { images: [] }, { images: null, brand_hashid: 'aB3' }, { kind: 'street' }]) {
      expect(crawl(empty).images).toEqual([]);
    }
  });

  it('may name no brand: the job’s row may know it', () => {
    expect(crawl({ season: 'Fall 2026', images: looks(1) })).toMatchObject({ brand: {} });
  });

  it('has text cleaned that no column could store', () => {
    const payload = crawlOf(
      '{"title":"a\\u0000b\\ud83d","images":[{"url":"https://p.example/1.jpg","caption":"\\udc60"}]}',
      2026,
    );
    expect(payload.title).toBe('a\uFFFDb\uFFFD');
    expect(payload.images[0]?.caption).toBe('\uFFFD');
  });
});

describe('a payload that cannot be read', () => {
  it.each([
    ['is empty', ''],
    ['is cut', '{"season": "Fall 2026", "ima'],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['is text', '"show"'],
    ['has pictures of another shape', '{"season":"Fall 2026","images":"https://p.example/1.jpg"}'],
    ['has pictures and neither season nor title', '{"images":["https://p.example/1.jpg"]}'],
    ['has a type and no data', '{"type":"runway.show"}'],
    ['is street style with a brand', '{"type":"street.gallery","data":{"brand":"Dior","title":"x","images":[]}}'],
  ])('fails its job for good: one that %s', (_, payload) => {
    const { nature, code, message: sentence } = jobErrorOf(() => crawlOf(payload, 2026));
    expect({ nature, code }).toEqual({ nature: 'permanent', code: 'payload_unreadable' });
    expect(sentence).not.toBe('');
  });
});
