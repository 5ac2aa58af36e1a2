import { ShapeReader } from '../lib/shape-reader.js';
import type { Normalised } from '../platform/intake/intake-type.js';
import {
  CRAWL_LIMITS,
  readAddress,
  readBrand,
  readSource,
  type CrawlPayload,
  type CrawlSource,
} from './crawl-payload.js';

/** How a crawler asks for a show: as it would send it, or by the page alone that it found. */
export interface AskedShow {
  by: 'show' | 'source';
  payload: CrawlPayload;
}

export const MAX_SHOWS = 200;

/**
 * Reads `data` of a `show.known`.
 * @throws AppError 422 `schema-invalid` with every problem's pointer
 */
export function readAskedShows(data: unknown): Normalised<AskedShow[]> {
  const read = ShapeReader.of(data, '/data');
  const value = read.list('shows', 1, MAX_SHOWS, (entry, name) => readShow(read, entry, name));
  read.finish();
  return { value, warnings: read.warnings };
}

function readShow(parent: ShapeReader, entry: unknown, name: string): AskedShow | undefined {
  if (typeof entry === 'string') {
    const url = readAddress(parent, entry, name);
    return url === undefined ? undefined : { by: 'source', payload: payloadOf({ url }) };
  }
  const read = parent.inner(entry, name);
  if (read === undefined) return undefined;
  const source = read.object('source');
  const payload = payloadOf(source === undefined ? {} : readSource(source));
  payload.brand = readBrand(read);
  const season = read.text('season', CRAWL_LIMITS.season);
  const title = read.text('title', CRAWL_LIMITS.title);
  if (season !== undefined) payload.season = season;
  if (title !== undefined) payload.title = title;
  for (const hint of ['year', 'term', 'category', 'market'] as const) payload.hints[hint] = read.raw(hint);
  read.warnOfUnknown();

  const hasWhen = season !== undefined || title !== undefined || hasYearAndTerm(payload);
  if (Object.keys(payload.brand).length > 0 && hasWhen) return { by: 'show', payload };
  if (payload.source.url !== undefined || payload.source.externalId !== undefined) return { by: 'source', payload };
  return parent.complain(name, 'names no show: give a brand with season, title, or year and term; or a source');
}

function hasYearAndTerm({ hints }: CrawlPayload): boolean {
  return hints.year !== undefined && hints.term !== undefined;
}

function payloadOf(source: CrawlSource): CrawlPayload {
  const hints = { year: undefined, term: undefined, category: undefined, market: undefined };
  return { kind: 'runway', brand: {}, hints, source, images: [] };
}
