import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Page, pageOf } from '../platform/graphql/connection.js';
import type { KnownBrand } from '../platform/intake/intake-type.js';
import type { BrandAlias } from './brand-alias.entity.js';
import type { Brand, BrandStatus } from './brand.entity.js';
import { bigramsOf, type ComparedName, type NameCandidate } from './near-names.js';

/** Brands found under ids and alias keys; a merged one is answered as its survivor. */
export interface FoundBrands {
  byId: ReadonlyMap<string, KnownBrand>;
  byKey: ReadonlyMap<string, readonly KnownBrand[]>;
}

export const BRAND_SORTS = ['slug', 'newest'] as const;
export type BrandSort = (typeof BRAND_SORTS)[number];

/** Brands by what they are called, or the one that is meant by its hashid. */
export interface BrandSearch {
  /** Letters and digits that a name holds in a row. */
  key: string;
  /** Or all of these, in whatever order; null to ask for no words. */
  words: readonly string[] | null;
  id: string | undefined;
}

export interface BrandPage {
  first: number;
  sort: BrandSort;
  /** Sort key of the last row of the page before: slug, or creation and id. */
  after?: readonly string[] | undefined;
  search?: BrandSearch | undefined;
  /** undefined: active ones, and whichever the search means by its hashid. */
  statuses?: readonly BrandStatus[] | undefined;
}

/** A name of one brand that means another one too. */
export interface SharedName {
  brandId: string;
  aliasKey: string;
  alias: string;
  otherId: string;
}

interface FoundRow extends KnownBrand {
  via: 'id' | 'key';
  asked: string;
}

export const BRAND_COLUMNS = `b.id::text AS id, b.name, b.name_zh AS "nameZh", b.slug, b.status,
  b.merged_into::text AS "mergedInto", b.revision, b.created_at::float8 AS "createdAt", b.updated_at::float8 AS "updatedAt"`;

// A merge of a merged brand of a merged brand … is followed this far; a circle ends here as well.
const MAX_MERGES = 10;

// So many aliases are compared with a name that nobody knows. More than any archive has; it bounds what one answer costs.
const MAX_COMPARED = 20_000;

/**
 * $1 ids, $2 alias keys. A brand's names are asked for by one array of ids: with an OR between the brand and those merged
 * into it, every alias there is would be read. Exported so that a test can ask for its plan.
 */
export const FIND_SQL = `
  WITH RECURSIVE chain AS (
    SELECT 'id' AS via, b.id::text AS asked, b.id, b.merged_into, 0 AS merges
    FROM brands b WHERE b.id = ANY ($1::bigint[])
    UNION ALL
    SELECT 'key', a.alias_key, b.id, b.merged_into, 0
    FROM brand_aliases a JOIN brands b ON b.id = a.brand_id WHERE a.alias_key = ANY ($2::text[])
    UNION ALL
    SELECT c.via, c.asked, b.id, b.merged_into, c.merges + 1
    FROM chain c JOIN brands b ON b.id = c.merged_into WHERE c.merges < ${MAX_MERGES}
  ), found AS (
    SELECT DISTINCT via, asked, id FROM chain WHERE merged_into IS NULL
  )
  SELECT f.via, f.asked, b.id::text AS id, b.name, n.names
  FROM found f JOIN brands b ON b.id = f.id
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(a.alias ORDER BY a.brand_id <> b.id, a.alias_key), ARRAY[b.name]) AS names
    FROM brand_aliases a
    WHERE a.brand_id = ANY (b.id || ARRAY (SELECT m.id FROM brands m WHERE m.merged_into = b.id))
  ) n
  ORDER BY f.via, f.asked, b.id`;

/**
 * Ids of brands that a search means; a name of a merged brand means its survivor too. All aliases are read once, and not
 * those of each brand in the order of the page: a rare name would cost a look-up for every brand there is. A key holds
 * letters and digits only, so nothing in it is special to LIKE.
 */
const MATCHING_SQL = (key: string, words: string, id: string): string => `
  WITH matching AS MATERIALIZED (
    SELECT DISTINCT a.brand_id FROM brand_aliases a
    WHERE a.alias_key LIKE '%' || ${key}::text || '%'
       OR a.alias_key LIKE ALL (SELECT '%' || word || '%' FROM unnest(${words}::text[]) AS word) AND ${words}::text[] IS NOT NULL
  )
  SELECT brand_id AS id FROM matching
  UNION
  SELECT b.merged_into FROM matching n JOIN brands b ON b.id = n.brand_id WHERE b.merged_into IS NOT NULL
  UNION
  SELECT ${id}::bigint WHERE ${id}::bigint IS NOT NULL`;

/** Reads brands and their aliases. What writes them is the catalogue's repository. */
@Injectable()
export class BrandsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whatever is known under these ids and keys, in one statement for one message as for a crowd of them. */
  async find(ids: readonly string[], keys: readonly string[]): Promise<FoundBrands> {
    const rows: FoundRow[] = await this.dataSource.query(FIND_SQL, [ids, keys]);
    const byId = new Map<string, KnownBrand>();
    const byKey = new Map<string, KnownBrand[]>();
    for (const { via, asked, id, name, names } of rows) {
      const brand = { id, name, names };
      if (via === 'id') byId.set(asked, brand);
      else byKey.set(asked, [...(byKey.get(asked) ?? []), brand]);
    }
    return { byId, byKey };
  }

  /** The aliases that share most pairs of letters with the key: at most `limit`, to be compared closely. */
  candidatesLike(key: string, limit = 50): Promise<NameCandidate[]> {
    return this.dataSource.query(
      `SELECT a.alias, a.alias_key AS "aliasKey", b.name
       FROM (SELECT * FROM brand_aliases LIMIT ${MAX_COMPARED}) a JOIN brands b ON b.id = a.brand_id
       CROSS JOIN LATERAL (
         SELECT count(*) AS pairs FROM unnest($1::text[]) pair WHERE position(pair IN a.alias_key) > 0
       ) shared
       WHERE shared.pairs > 0 AND b.merged_into IS NULL
       ORDER BY shared.pairs DESC, abs(length(a.alias_key) - $2), a.alias_key, a.brand_id LIMIT $3`,
      [bigramsOf(key), [...key].length, limit],
    );
  }

  /** @returns the brand's status, once it is locked; undefined when it is gone */
  async lock(tx: EntityManager, id: string): Promise<BrandStatus | undefined> {
    const rows: { status: BrandStatus }[] = await tx.query(
      `SELECT status FROM brands WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    return rows[0]?.status;
  }

  /** The brands themselves, merged or not. */
  byIds(ids: readonly string[]): Promise<Brand[]> {
    return this.dataSource.query(`SELECT ${BRAND_COLUMNS} FROM brands b WHERE b.id = ANY ($1::bigint[])`, [ids]);
  }

  /** A page in the asked order; one more row than asked for is read, to know whether there are more. */
  async page(asked: BrandPage): Promise<Page<Brand>> {
    const { first, sort, search, statuses } = asked;
    const params: unknown[] = [first + 1, statuses ?? ['active']];
    const param = (value: unknown): string => `$${params.push(value)}`;
    const conditions = ['b.status = ANY ($2::text[])'];
    let from = 'brands b';
    if (search !== undefined) {
      const named = param(search.id ?? null);
      from = `(${MATCHING_SQL(param(search.key), param(search.words), named)}) AS m JOIN brands b ON b.id = m.id`;
      // Whoever gives the whole hashid of a merged brand wants to be told that it is merged.
      if (statuses === undefined) conditions[0] += ` OR b.id = ${named}::bigint`;
    }
    if (asked.after !== undefined) {
      const key = asked.after.map((part) => param(part));
      conditions.push(sort === 'newest' ? `(b.created_at, b.id) < (${key.join(', ')})` : `b.slug > ${key.join('')}`);
    }
    const order = sort === 'newest' ? 'b.created_at DESC, b.id DESC' : 'b.slug';
    const rows: Brand[] = await this.dataSource.query(
      `SELECT ${BRAND_COLUMNS} FROM ${from} WHERE (${conditions.join(') AND (')}) ORDER BY ${order} LIMIT $1`,
      params,
    );
    return pageOf(rows, first);
  }

  /** The brands that became a part of these. */
  async partsOf(brandIds: readonly string[]): Promise<Map<string, Brand[]>> {
    const rows: Brand[] = await this.dataSource.query(
      `SELECT ${BRAND_COLUMNS} FROM brands b WHERE b.merged_into = ANY ($1::bigint[]) ORDER BY b.slug`,
      [brandIds],
    );
    const parts = new Map(brandIds.map((id): [string, Brand[]] => [id, []]));
    for (const row of rows) parts.get(row.mergedInto ?? '')?.push(row);
    return parts;
  }

  /** Names of these brands that mean another brand as well, so that a look-up by them alone is ambiguous. */
  async sharedNamesOf(brandIds: readonly string[]): Promise<Map<string, SharedName[]>> {
    const rows: SharedName[] = await this.dataSource.query(
      `SELECT DISTINCT mine.brand_id::text AS "brandId", mine.alias_key AS "aliasKey", mine.alias, other.id::text AS "otherId"
       FROM brand_aliases mine
       JOIN brands own ON own.id = mine.brand_id
       JOIN brand_aliases theirs ON theirs.alias_key = mine.alias_key AND theirs.brand_id <> mine.brand_id
       JOIN brands named ON named.id = theirs.brand_id
       JOIN brands other ON other.id = coalesce(named.merged_into, named.id)
       WHERE mine.brand_id = ANY ($1::bigint[]) AND other.id <> coalesce(own.merged_into, own.id)
       ORDER BY 1, 2, 4`,
      [brandIds],
    );
    const shared = new Map(brandIds.map((id): [string, SharedName[]] => [id, []]));
    for (const row of rows) shared.get(row.brandId)?.push(row);
    return shared;
  }

  /** Every name that others are compared with, and the brand that it means. */
  comparedNames(): Promise<ComparedName[]> {
    return this.dataSource.query(
      `SELECT a.alias_key AS "aliasKey", coalesce(b.merged_into, b.id)::text AS "brandId"
       FROM (SELECT * FROM brand_aliases LIMIT ${MAX_COMPARED}) a JOIN brands b ON b.id = a.brand_id`,
    );
  }

  async aliasesOf(brandIds: readonly string[]): Promise<Map<string, BrandAlias[]>> {
    const rows: BrandAlias[] = await this.dataSource.query(
      `SELECT brand_id::text AS "brandId", alias_key AS "aliasKey", alias, source
       FROM brand_aliases WHERE brand_id = ANY ($1::bigint[]) ORDER BY brand_id, alias_key`,
      [brandIds],
    );
    const aliases = new Map(brandIds.map((id): [string, BrandAlias[]] => [id, []]));
    for (const row of rows) aliases.get(row.brandId)?.push(row);
    return aliases;
  }
}
