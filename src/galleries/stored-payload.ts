import { JobError } from '../jobs/job-error.js';
import { messageOf, storable } from '../lib/text.js';
import { ShapeReader } from '../lib/shape-reader.js';
import type { BrandReference } from '../platform/intake/intake-type.js';
import { readBrand, readRunwayShow, readStreetGallery, type CrawlPayload } from './crawl-payload.js';

/** Old rows hold the `data` alone, without an envelope; those of the door hold the signed body. */
export function dataOf(payload: string): { type: string | undefined; data: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(payload, cleaned);
  } catch (error) {
    throw JobError.permanent('payload_unreadable', `The payload is not JSON: ${messageOf(error)}`, error);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw JobError.permanent('payload_unreadable', 'The payload is not an object.');
  }
  const { type, data } = body as { type?: unknown; data?: unknown };
  return typeof type === 'string' ? { type, data } : { type: undefined, data: body };
}

/** The door refuses what no column can store; old rows never came by it, and may hold such text escaped. */
function cleaned(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storable(value, Number.POSITIVE_INFINITY) : value;
}

/**
 * The crawl that a job's payload describes, by the same reading as the door's.
 * @throws JobError `payload_unreadable`, permanent
 */
export function crawlOf(payload: string, currentYear: number): CrawlPayload {
  const { type, data } = dataOf(payload);
  try {
    return isStreet(type, data)
      ? readStreetGallery(data, currentYear, 0).value
      : readRunwayShow(data, currentYear, 0).value;
  } catch (error) {
    throw JobError.permanent('payload_unreadable', messageOf(error), error);
  }
}

/**
 * The brand that a job's payload names, whether or not the rest of it can be read: the pictures of a row that was done
 * long ago are not looked at again. null for street style, which belongs to no brand.
 * @throws JobError `payload_unreadable`, permanent
 */
export function brandOfStored(payload: string): BrandReference | null {
  const { type, data } = dataOf(payload);
  return isStreet(type, data) ? null : readBrand(ShapeReader.of(data, '/data'));
}

/** An old row has no type; whatever names no brand there was street style or is a runway show that says so itself. */
function isStreet(type: string | undefined, data: unknown): boolean {
  if (type !== undefined) return type === 'street.gallery';
  const { kind, gallery_type: galleryType, category } = data as Record<string, unknown>;
  return [kind, galleryType].includes('street') || category === 'street_style';
}
