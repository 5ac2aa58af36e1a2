import type { CrawlPayload } from '../../src/galleries/crawl-payload.js';

type Fields = Record<string, unknown>;

/** Where the pictures of a payload are, when nothing is fetched in the test. */
const NOWHERE = 'https://pictures.example';

/** `data` of a `runway.show` that is accepted: two looks of Maison Éclair. */
export function runwayData(over: Fields = {}): Fields {
  return { brand: 'Maison Éclair', season: 'Fall 2026 Ready-to-Wear', market: 'paris', images: looks(2), ...over };
}

/** `data` of a `street.gallery` that is accepted. */
export function streetData(over: Fields = {}): Fields {
  return { title: 'Street style, Paris, Spring 2026, day 3', market: 'paris', day: 3, images: looks(2), ...over };
}

/** A signed body, as the door keeps it on the job's row. */
export function message(type: 'runway.show' | 'street.gallery', data: Fields): Fields {
  return { type, timestamp: '2026-11-30T08:00:00Z', data };
}

/** Pictures captioned "Look 1" … "Look n". @param base folder of their addresses */
export function looks(count: number, base = NOWHERE): Fields[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `${base}/look-${index + 1}.jpg`,
    caption: `Look ${index + 1}`,
  }));
}

/** A payload as the house works with it, for the rules that come after its reading. */
export function crawlPayload(over: Partial<CrawlPayload> = {}): CrawlPayload {
  return {
    kind: 'runway',
    brand: { name: 'Maison Éclair' },
    season: 'Fall 2026 Ready-to-Wear',
    hints: { year: undefined, term: undefined, category: undefined, market: 'paris' },
    source: {},
    images: [{ url: `${NOWHERE}/look-1.jpg`, caption: 'Look 1' }],
    ...over,
  };
}
