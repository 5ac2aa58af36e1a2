import { isDecimalId } from '../lib/decimal-id.js';
import { hasUnstorable } from '../lib/text.js';
import { aliasKey, slugOf } from '../lib/alias-key.js';
import type { AliasSource } from './brand-alias.entity.js';

/** A brand as it is put into the catalogue. */
export interface BrandEntry {
  /** Decimal; undefined: found by its slug, or given the next free id. */
  id: string | undefined;
  hashid: string | undefined;
  name: string;
  nameZh: string | undefined;
  slug: string;
  /** Whether the slug was given; one that was made of the name may be changed to be unique. */
  slugIsGiven: boolean;
  aliases: { alias: string; aliasKey: string; source: AliasSource }[];
}

/** What is wrong with one entry, for the person who wrote it. */
export class BrandEntryError extends Error {}

const MAX_LENGTH = 200;

/** One line of an import file. @throws BrandEntryError */
export function parseBrandLine(line: string): BrandEntry {
  // Whatever was no UTF-8 in the file was read as this character.
  if (line.includes('\uFFFD')) throw new BrandEntryError('the line is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new BrandEntryError('the line is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BrandEntryError('the line is not a JSON object');
  }
  return brandEntryOf(value as Record<string, unknown>);
}

/**
 * Reads `{id?, hashid?, name, name_zh?, slug?, aliases?}`; null and blank count as left out, other members are ignored.
 * @throws BrandEntryError
 */
export function brandEntryOf(value: Readonly<Record<string, unknown>>): BrandEntry {
  const name = textOf('name', value['name']);
  if (name === undefined) throw new BrandEntryError('"name" is missing');
  const nameZh = textOf('name_zh', value['name_zh']);
  const givenSlug = textOf('slug', value['slug']);
  if (givenSlug !== undefined && /[\s/?#]/.test(givenSlug)) {
    throw new BrandEntryError('"slug" must not hold spaces or any of / ? #');
  }
  const slug = givenSlug ?? slugOf(name) ?? name;
  return {
    id: idOf(value['id']),
    hashid: textOf('hashid', value['hashid']),
    name,
    nameZh,
    slug,
    slugIsGiven: givenSlug !== undefined,
    aliases: [
      aliasOf(name, 'name'),
      ...(nameZh === undefined ? [] : [aliasOf(nameZh, 'name_zh')]),
      aliasOf(slug, 'slug'),
      ...textsOf('aliases', value['aliases']).map((alias) => aliasOf(alias, 'alias')),
    ],
  };
}

/** A further name of a brand. @throws BrandEntryError */
export function aliasEntryOf(alias: string): BrandEntry['aliases'][number] {
  const text = textOf('alias', alias);
  if (text === undefined) throw new BrandEntryError('"alias" is missing');
  return aliasOf(text, 'alias');
}

function aliasOf(alias: string, source: AliasSource): BrandEntry['aliases'][number] {
  const key = aliasKey(alias);
  if (key === undefined) throw new BrandEntryError(`"${alias}" has no letter and no digit, so nobody could look it up`);
  return { alias, aliasKey: key, source };
}

function idOf(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (id === 0 || id === '0') throw new BrandEntryError('"id" is 0, which stands for "no brand"');
  if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)) {
    throw new BrandEntryError('"id" is too large for a JSON number; write it as a string');
  }
  const text = typeof id === 'number' || typeof id === 'string' ? String(id).trim() : '';
  if (!isDecimalId(text)) throw new BrandEntryError('"id" is not a whole number above 0');
  return text;
}

function textsOf(member: string, list: unknown): string[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new BrandEntryError(`"${member}" is not a list`);
  return list.map((text) => textOf(member, text)).filter((text) => text !== undefined);
}

function textOf(member: string, text: unknown): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== 'string') throw new BrandEntryError(`"${member}" is not a text`);
  const trimmed = text.trim();
  if (hasUnstorable(trimmed)) throw new BrandEntryError(`"${member}" holds a character that no database can store`);
  if (trimmed.length > MAX_LENGTH) throw new BrandEntryError(`"${member}" is longer than ${MAX_LENGTH} characters`);
  return trimmed === '' ? undefined : trimmed;
}
