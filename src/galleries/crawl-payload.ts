import { AppError } from '../lib/app-error.js';
import { ShapeReader } from '../lib/shape-reader.js';
import type { BrandReference, Normalised } from '../platform/intake/intake-type.js';
import type { GalleryKind } from '../taxonomy/categories.js';

export const AUDIENCES = ['women', 'men', 'all'] as const;
export type Audience = (typeof AUDIENCES)[number];

const PICTURE_KINDS = ['look', 'detail', 'beauty', 'backstage', 'front_row', 'atmosphere', 'other'] as const;
export type SentPictureKind = (typeof PICTURE_KINDS)[number];

/** A picture as a crawler names it. */
export interface SentPicture {
  url: string;
  kind?: SentPictureKind;
  look?: string;
  caption?: string;
  credit?: string;
  externalId?: string;
  /** Pixels, as the page says; tells the larger of two sizes of one photo. */
  width?: number;
}

export interface CrawlSource {
  site?: string;
  url?: string;
  externalId?: string;
}

/** What a crawl says about one show or one street-style gallery, in the shape that the house works with. */
export interface CrawlPayload {
  kind: GalleryKind;
  brand: BrandReference;
  season?: string;
  title?: string;
  /** Year, term, category and market as sent; taxonomy takes what is valid. */
  hints: Record<'year' | 'term' | 'category' | 'market', unknown>;
  /** `YYYY-MM-DD` */
  showDate?: string;
  source: CrawlSource;
  cover?: SentPicture;
  images: SentPicture[];
  expectedImages?: number;
  audience?: Audience;
  /** Of the fashion week, 1–31. */
  day?: number;
  photographer?: string;
}

const MAX_IMAGES = 1_000;
const MAX_EXTRA_BYTES = 8_192;
const FIRST_YEAR = 1980;

/**
 * Reads `data` of a `runway.show`.
 * @param leastImages 1 at the door; 0 for old rows, whose empty payloads are jobs without work
 * @throws AppError 422 `schema-invalid` with every problem's pointer
 */
export function readRunwayShow(data: unknown, currentYear: number, leastImages = 1): Normalised<CrawlPayload> {
  const read = ShapeReader.of(data, '/data');
  const brand = readBrand(read);
  const payload = { kind: 'runway' as const, brand, ...readCommon(read, currentYear, leastImages) };
  if (Object.keys(brand).length === 0 && leastImages > 0) {
    read.complain('brand', 'one of brand_hashid, brand_id and brand is needed');
  }
  if (payload.season === undefined && payload.title === undefined && payload.images.length > 0) {
    read.complain('season', 'one of season and title is needed');
  }
  return finished(read, payload);
}

/**
 * Reads `data` of a `street.gallery`.
 * @throws AppError 422 `schema-invalid`, `brand-not-allowed`
 */
export function readStreetGallery(data: unknown, currentYear: number, leastImages = 1): Normalised<CrawlPayload> {
  const read = ShapeReader.of(data, '/data');
  const brand = readBrand(read);
  if (Object.keys(brand).length > 0) {
    throw new AppError(
      'brand-not-allowed',
      'A street-style gallery belongs to no brand. Leave brand, brand_id and brand_hashid out; name the brands seen in brands_seen.',
      { status: 422, errors: [{ pointer: '/data/brand', detail: 'is not allowed here' }] },
    );
  }
  const payload: CrawlPayload = { kind: 'street', brand: {}, ...readCommon(read, currentYear, leastImages) };
  assign(payload, 'audience', read.choice('audience', AUDIENCES));
  assign(payload, 'day', read.integer('day', 1, 31));
  assign(payload, 'photographer', read.text('photographer', { max: 200, cut: true }));
  read.list('brands_seen', 0, 50, (entry, name) =>
    typeof entry === 'string' && entry.length <= 64 ? entry : read.complain(name, 'must be a brand hashid'),
  );
  if (payload.title === undefined && payload.images.length > 0) read.complain('title', 'is needed');
  return finished(read, payload);
}

function readCommon(read: ShapeReader, currentYear: number, leastImages: number): Omit<CrawlPayload, 'kind' | 'brand'> {
  const source = read.object('source');
  const payload: Omit<CrawlPayload, 'kind' | 'brand'> = {
    hints: {
      year: read.raw('year'),
      term: read.raw('term'),
      category: read.raw('category'),
      market: read.raw('market'),
    },
    source: source === undefined ? {} : readSource(source),
    images: read.list('images', leastImages, MAX_IMAGES, (entry, name) => readPicture(read, entry, name)),
  };
  assign(payload, 'season', read.text('season', { max: 120 }));
  assign(payload, 'title', read.text('title', { max: 300 }));
  assign(payload, 'showDate', read.day('show_date', FIRST_YEAR, currentYear + 2));
  assign(payload, 'expectedImages', read.integer('expected_images', 0, 5_000));
  const cover = read.raw('cover');
  if (cover !== undefined) assign(payload, 'cover', readPicture(read, cover, 'cover'));
  const extra = read.raw('extra');
  if (extra !== undefined && JSON.stringify(extra).length > MAX_EXTRA_BYTES) {
    read.complain('extra', `must have at most ${MAX_EXTRA_BYTES} bytes`);
  }
  return payload;
}

/** 0 and "0" are how some crawlers say "none". */
function readBrand(read: ShapeReader): BrandReference {
  const brand: BrandReference = {};
  assign(brand, 'hashid', notZero(read.text('brand_hashid', { max: 64 })));
  assign(brand, 'name', notZero(read.text('brand', { max: 120 })));
  const id = read.raw('brand_id');
  if (id === undefined || id === 0 || id === '0') return brand;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) brand.id = String(id);
  else if (typeof id === 'string' && /^\d{1,19}$/.test(id)) brand.id = id;
  else read.complain('brand_id', 'must be a whole number, or its digits as a text');
  return brand;
}

function readSource(read: ShapeReader): CrawlSource {
  const source: CrawlSource = {};
  assign(source, 'site', read.text('site', { max: 64 }));
  assign(source, 'url', read.url('url', 2_048));
  assign(source, 'externalId', read.text('external_id', { max: 128 }));
  read.warnOfUnknown();
  return source;
}

function readPicture(parent: ShapeReader, entry: unknown, name: string): SentPicture | undefined {
  if (typeof entry === 'string') {
    if (entry.length > 2_048) return parent.complain(name, 'must have at most 2048 characters');
    const url = parent.checkUrl(entry.trim(), name);
    return url === undefined ? undefined : { url };
  }
  const read = parent.inner(entry, name);
  if (read === undefined) return undefined;
  const url = read.url('url', 2_048);
  if (url === undefined) {
    if (read.raw('url') === undefined) read.complain('url', 'is needed');
    return undefined;
  }
  const picture: SentPicture = { url };
  const look = read.raw('look');
  assign(picture, 'look', typeof look === 'number' ? String(look) : read.text('look', { max: 8 }));
  assign(picture, 'kind', read.choice('kind', PICTURE_KINDS));
  assign(picture, 'caption', read.text('caption', { max: 500, cut: true }));
  assign(picture, 'credit', read.text('credit', { max: 200, cut: true }));
  assign(picture, 'externalId', read.text('external_id', { max: 128 }));
  assign(picture, 'width', read.integer('width', 0, 1_000_000));
  read.integer('height', 0, 1_000_000);
  read.warnOfUnknown();
  return picture;
}

function finished(read: ShapeReader, value: CrawlPayload): Normalised<CrawlPayload> {
  read.warnOfUnknown();
  if (read.problems.length > 0) {
    const [first] = read.problems;
    throw new AppError(
      'schema-invalid',
      `The message's data is not of the right shape: ${first?.pointer} ${first?.detail}${read.problems.length > 1 ? `, and ${read.problems.length - 1} more` : ''}.`,
      { status: 422, errors: read.problems },
    );
  }
  return { value, warnings: read.warnings };
}

function notZero(text: string | undefined): string | undefined {
  return text === '0' ? undefined : text;
}

/** Sets a member only when there is a value: an absent member and an undefined one would be two shapes of one thing. */
function assign<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value;
}
