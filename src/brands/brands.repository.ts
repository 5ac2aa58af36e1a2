import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Page, pageOf } from '../platform/graphql/connection.js';
import type { KnownBrand } from '../platform/intake/intake-type.js';
import type { BrandAlias } from './brand-alias.entity.js';
import type { Brand } from './brand.entity.js';
import { bigramsOf, type NameCandidate } from './near-names.js';

/** Brands found under ids and alias keys; a merged one is answered as its survivor. */
export interface FoundBrands {
  byId: ReadonlyMap<string, KnownBrand>;
  byKey: ReadonlyMap<string, readonly KnownBrand[]>;
}

interface FoundRow extends KnownBrand {
  via: 'id' | 'key';
  asked: string;
}

const BRAND = `b.id::text AS id, b.name, b.name_zh AS "nameZh", b.slug, b.status, b.merged_into::text AS "mergedInto",
  b.created_at::float8 AS "createdAt", b.updated_at::float8 AS "updatedAt"`;

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

  async lock(tx: EntityManager, id: string): Promise<void> {
    await tx.query(`SELECT 1 FROM brands WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }

  /** The brands themselves, merged or not. */
  byIds(ids: readonly string[]): Promise<Brand[]> {
    return this.dataSource.query(`SELECT ${BRAND} FROM brands b WHERE b.id = ANY ($1::bigint[])`, [ids]);
  }

  /**
   * A page in the order of slugs, which is that of names as good as can be without asking the server's locale.
   * @param afterSlug the last slug of the page before
   * @param key brands with an alias that holds this key
   */
  async pageBySlug(first: number, afterSlug?: string, key?: string): Promise<Page<Brand>> {
    // A key holds letters and digits only, so nothing in it is special to LIKE.
    const rows: Brand[] = await this.dataSource.query(
      `SELECT ${BRAND} FROM brands b
       WHERE ($2::text IS NULL OR b.slug > $2)
         AND ($3::text IS NULL OR EXISTS (
           SELECT 1 FROM brand_aliases a WHERE a.brand_id = b.id AND a.alias_key LIKE '%' || $3 || '%'))
       ORDER BY b.slug LIMIT $1`,
      [first + 1, afterSlug ?? null, key ?? null],
    );
    return pageOf(rows, first);
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
