import { AppError } from '../lib/app-error.js';
import { ShapeReader } from '../lib/shape-reader.js';
import type { BrandReference, Normalised } from '../platform/intake/intake-type.js';
import type { GalleryKind } from '../taxonomy/categories.js';

export const AUDIENCES = ['women', 'men', 'all'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const PICTURE_KINDS = ['look', 'detail', 'beauty', 'backstage', 'front_row', 'atmosphere', 'other'] as const;
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

/** Characters. */
export const MAX_LOOK = 8;

/** What is taken; the door's documentation is made of the same. Lengths are of UTF-16 units. */
export const CRAWL_LIMITS = {
  brandHashid: { max: 64 },
  brand: { max: 120 },
  season: { max: 120 },
  title: { max: 300 },
  firstYear: 1980,
  yearsAhead: 2,
  images: 1_000,
  expectedImages: 5_000,
  extraBytes: 8_192,
  site: { max: 64 },
  url: 2_048,
  externalId: { max: 128 },
  look: { max: MAX_LOOK },
  caption: { max: 500, cut: true },
  credit: { max: 200, cut: true },
  pixels: 1_000_000,
  lastDay: 31,
  photographer: { max: 200, cut: true },
  brandsSeen: 50,
} as const;
const LIMITS = CRAWL_LIMITS;

/**
 * Reads `data` of a `runway.show`.
 * @param leastImages 1 at the door; 0 for old rows, whose empty payloads are jobs without work
 * @throws AppError 422 `schema-invalid` with every problem's pointer
 */
export function readRunwayShow(data: unknown, currentYear: number, leastImages = 1): Normalised<CrawlPayload> {
  const read = ShapeReader.of(data, '/data');
  const brand = readBrand(read);
  if (Object.keys(brand).length === 0 && read.problems.length === 0 && leastImages > 0) {
    read.complain('brand', 'one of brand_hashid, brand_id and brand is needed');
  }
  const payload = { kind: 'runway' as const, brand, ...readCommon(read, currentYear, leastImages) };
  if (read.raw('season') === undefined && read.raw('title') === undefined && payload.images.length > 0) {
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
  assign(payload, 'day', read.integer('day', 1, LIMITS.lastDay));
  assign(payload, 'photographer', read.text('photographer', LIMITS.photographer));
  read.list('brands_seen', 0, LIMITS.brandsSeen, (entry, name) =>
    typeof entry === 'string' && entry.length <= LIMITS.brandHashid.max
      ? entry
      : read.complain(name, 'must be a brand hashid'),
  );
  if (read.raw('title') === undefined && payload.images.length > 0) read.complain('title', 'is needed');
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
    images: read.list('images', leastImages, LIMITS.images, (entry, name) => readPicture(read, entry, name)),
  };
  assign(payload, 'season', read.text('season', LIMITS.season));
  assign(payload, 'title', read.text('title', LIMITS.title));
  assign(payload, 'showDate', read.day('show_date', LIMITS.firstYear, currentYear + LIMITS.yearsAhead));
  assign(payload, 'expectedImages', read.integer('expected_images', 0, LIMITS.expectedImages));
  const cover = read.raw('cover');
  if (cover !== undefined) assign(payload, 'cover', readPicture(read, cover, 'cover'));
  checkExtra(read);
  return payload;
}

/** Kept with the signed body and read by nobody here; only what it weighs is our business. */
function checkExtra(read: ShapeReader): void {
  const extra = read.raw('extra');
  if (extra === undefined || read.inner(extra, 'extra') === undefined) return;
  if (Buffer.byteLength(JSON.stringify(extra)) > LIMITS.extraBytes) {
    read.complain('extra', `must have at most ${LIMITS.extraBytes} bytes`);
  }
}

/** 0 and "0" are how some crawlers say "none". */
export function readBrand(read: ShapeReader): BrandReference {
  const brand: BrandReference = {};
  assign(brand, 'hashid', notZero(read.text('brand_hashid', LIMITS.brandHashid)));
  assign(brand, 'name', notZero(read.text('brand', LIMITS.brand)));
  const id = read.raw('brand_id');
  if (id === undefined || id === 0 || id === '0') return brand;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) brand.id = String(id);
  else if (typeof id === 'string' && /^\d{1,19}$/.test(id)) brand.id = id;
  else read.complain('brand_id', 'must be a whole number, or its digits as a text');
  return brand;
}

export function readSource(read: ShapeReader): CrawlSource {
  const source: CrawlSource = {};
  assign(source, 'site', read.text('site', LIMITS.site));
  assign(source, 'url', read.url('url', LIMITS.url));
  assign(source, 'externalId', read.text('external_id', LIMITS.externalId));
  read.warnOfUnknown();
  return source;
}

function readPicture(parent: ShapeReader, entry: unknown, name: string): SentPicture | undefined {
  if (typeof entry === 'string') {
    const url = readAddress(parent, entry, name);
    return url === undefined ? undefined : { url };
  }
  const read = parent.inner(entry, name);
  if (read === undefined) return undefined;
  const url = read.url('url', LIMITS.url);
  if (url === undefined) {
    if (read.raw('url') === undefined) read.complain('url', 'is needed');
    return undefined;
  }
  const picture: SentPicture = { url };
  assign(picture, 'look', readLook(read));
  assign(picture, 'kind', read.choice('kind', PICTURE_KINDS));
  assign(picture, 'caption', read.text('caption', LIMITS.caption));
  assign(picture, 'credit', read.text('credit', LIMITS.credit));
  assign(picture, 'externalId', read.text('external_id', LIMITS.externalId));
  assign(picture, 'width', read.integer('width', 0, LIMITS.pixels));
  read.integer('height', 0, LIMITS.pixels);
  read.warnOfUnknown();
  return picture;
}

/** An address that stands in a list by itself. */
export function readAddress(parent: ShapeReader, entry: string, name: string): string | undefined {
  if (entry.length > LIMITS.url) return parent.complain(name, `must have at most ${LIMITS.url} characters`);
  return parent.checkUrl(entry.trim(), name);
}

/** 12, "12" and "12A" are how pages number their looks. */
function readLook(read: ShapeReader): string | undefined {
  if (typeof read.raw('look') !== 'number') return read.text('look', LIMITS.look);
  return read.integer('look', 0, 10 ** MAX_LOOK - 1)?.toString();
}

function finished(read: ShapeReader, value: CrawlPayload): Normalised<CrawlPayload> {
  read.finish();
  return { value, warnings: read.warnings };
}

function notZero(text: string | undefined): string | undefined {
  return text === '0' ? undefined : text;
}

/** Sets a member only when there is a value: an absent member and an undefined one would be two shapes of one thing. */
function assign<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value;
}
