import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { BrandAlias } from './brand-alias.entity.js';

// Any fixed number will do; it only has to be the same in every process of this system.
const CATALOGUE_LOCK = 7_265_118_310;

export interface BrandIdentity {
  id: string;
  name: string;
  slug: string;
}

export interface BrandValues {
  name: string;
  /** undefined: stays as it is. */
  nameZh: string | undefined;
  slug: string;
}

/** Writes brands and their aliases, in the transaction of its caller. */
@Injectable()
export class BrandCatalogueRepository {
  /** Writers of the catalogue take turns until their transaction ends: two of them could choose one id or slug. */
  async takeTurn(tx: EntityManager): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [CATALOGUE_LOCK]);
  }

  /** The brands with this id or this slug: none, one, or two different ones. */
  withIdOrSlug(tx: EntityManager, id: string | undefined, slug: string): Promise<BrandIdentity[]> {
    return tx.query(`SELECT id::text AS id, name, slug FROM brands WHERE id = $1 OR slug = $2`, [id ?? null, slug]);
  }

  /** @param id the id to keep; the next of the sequence when left out */
  async insert(tx: EntityManager, id: string | undefined, values: BrandValues): Promise<string> {
    const rows: { id: string }[] = await tx.query(
      `INSERT INTO brands (id, name, name_zh, slug, created_at, updated_at)
       VALUES (coalesce($1::bigint, nextval('brands_id_seq')), $2, $3, $4, ${SQL_NOW}, ${SQL_NOW})
       RETURNING id::text AS id`,
      [id ?? null, values.name, values.nameZh ?? null, values.slug],
    );
    // An id that came from elsewhere must not be given again.
    if (id !== undefined) {
      await tx.query(`SELECT setval('brands_id_seq', greatest($1::bigint, (SELECT last_value FROM brands_id_seq)))`, [
        id,
      ]);
    }
    return rows[0]?.id ?? '';
  }

  /** @returns whether anything was different */
  async update(tx: EntityManager, id: string, values: BrandValues): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH changed AS (
         UPDATE brands SET name = $2, name_zh = coalesce($3, name_zh), slug = $4, revision = revision + 1,
           updated_at = ${SQL_NOW}
         WHERE id = $1 AND (name, name_zh, slug) IS DISTINCT FROM ($2, coalesce($3, name_zh), $4)
         RETURNING id)
       SELECT id FROM changed`,
      [id, values.name, values.nameZh ?? null, values.slug],
    );
    return rows.length > 0;
  }

  /** Aliases are only ever added, so that what found a brand yesterday finds it tomorrow. @returns how many were new */
  async addAliases(
    tx: EntityManager,
    brandId: string,
    aliases: readonly Omit<BrandAlias, 'brandId'>[],
  ): Promise<number> {
    const rows: unknown[] = await tx.query(
      `WITH added AS (
         INSERT INTO brand_aliases (brand_id, alias_key, alias, source)
         SELECT $1, alias_key, alias, source
         FROM unnest($2::text[], $3::text[], $4::text[]) AS given (alias_key, alias, source)
         ON CONFLICT (brand_id, alias_key) DO NOTHING RETURNING alias_key)
       SELECT alias_key FROM added`,
      [
        brandId,
        aliases.map(({ aliasKey }) => aliasKey),
        aliases.map(({ alias }) => alias),
        aliases.map(({ source }) => source),
      ],
    );
    return rows.length;
  }

  /** Which of the brand's names belong to another brand as well, so that a look-up by them alone is ambiguous. */
  sharedNames(tx: EntityManager, brandId: string): Promise<{ alias: string; id: string; name: string }[]> {
    return tx.query(
      `SELECT mine.alias, b.id::text AS id, b.name
       FROM brand_aliases mine
       JOIN brand_aliases theirs ON theirs.alias_key = mine.alias_key AND theirs.brand_id <> mine.brand_id
       JOIN brands b ON b.id = theirs.brand_id
       WHERE mine.brand_id = $1 AND b.merged_into IS DISTINCT FROM mine.brand_id ORDER BY mine.alias_key, b.id`,
      [brandId],
    );
  }
}
