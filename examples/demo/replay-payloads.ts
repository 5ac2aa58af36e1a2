import { aliasKey } from '../../src/lib/alias-key.js';

/** An intake body out of a file. */
export interface Payload {
  /** Its line in the file, from 1. */
  line: number;
  body: { type?: unknown; data: Record<string, unknown> } & Record<string, unknown>;
}

export interface UnreadableLine {
  line: number;
  problem: string;
}

/** Reads one body a line; empty lines and a BOM are passed over. */
export function readPayloads(text: string): { payloads: Payload[]; unreadable: UnreadableLine[] } {
  const payloads: Payload[] = [];
  const unreadable: UnreadableLine[] = [];
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .forEach((raw, index) => {
      if (raw.trim() === '') return;
      const line = index + 1;
      try {
        const body: unknown = JSON.parse(raw);
        if (isObject(body) && isObject(body['data'])) payloads.push({ line, body: { ...body, data: body['data'] } });
        else unreadable.push({ line, problem: 'is no object with "data"' });
      } catch {
        unreadable.push({ line, problem: 'is not JSON' });
      }
    });
  return { payloads, unreadable };
}

/**
 * A picture's address on the origin. What its identity is made of stays: a photo's 24 hex digits count at the path's
 * beginning on any host, every other path is told apart by its host, which therefore goes before it.
 */
export function onOrigin(url: string, origin: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  const path = pathname.replace(/^\/{2,}/, '/');
  return /^\/photos\/[0-9a-f]{24}(\/|$)/i.test(path) ? origin + path + search : `${origin}/${host}${path}${search}`;
}

/** The body with every picture on the origin, and its brand by name. */
export function prepared({ body }: Payload, origin: string): Record<string, unknown> {
  const { images, cover, ...data } = body.data;
  const name = brandNameOf(data);
  // Ids and hashids are another archive's: here they would mean nobody, or somebody else.
  const { brand_id: _id, brand_hashid: _hashid, ...brandless } = data;
  return {
    ...body,
    data: {
      ...(name === undefined ? data : { ...brandless, brand: name }),
      ...(images !== undefined && {
        images: Array.isArray(images) ? images.map((entry) => moved(entry, origin)) : images,
      }),
      ...(cover !== undefined && { cover: moved(cover, origin) }),
    },
  };
}

/** The brand that a body names; one that has only an id of its archive gets a name made of that. */
export function brandNameOf(data: Record<string, unknown>): string | undefined {
  const [name, hashid, id] = ['brand', 'brand_hashid', 'brand_id'].map((field) => textOf(data[field]));
  return name ?? hashid ?? (id === undefined ? undefined : `Brand ${id}`);
}

/** Which of the brands that the bodies name are not there under any of the known names; each once. */
export function missingBrands(payloads: readonly Payload[], known: readonly string[]): string[] {
  const keys = new Set(known.map(aliasKey));
  const missing: string[] = [];
  for (const { body } of payloads) {
    const name = brandNameOf(body.data);
    const key = name === undefined ? undefined : aliasKey(name);
    if (name === undefined || key === undefined || keys.has(key)) continue;
    keys.add(key);
    missing.push(name);
  }
  return missing;
}

function moved(picture: unknown, origin: string): unknown {
  if (typeof picture === 'string') return onOrigin(picture.trim(), origin);
  if (!isObject(picture) || typeof picture['url'] !== 'string') return picture;
  return { ...picture, url: onOrigin(picture['url'].trim(), origin) };
}

/** 0 and "0" are how some crawlers say "none". */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text === '0' ? undefined : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
