import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { BrandAlias } from './brand-alias.entity.js';
import type { Brand } from './brand.entity.js';
import { BRAND_COLUMNS } from './brands.repository.js';

/** What editors do to brands that are there, each on locked rows; what makes brands is the catalogue's repository. */
@Injectable()
export class BrandEditorRepository {
  /** Locked as `BrandsService.lock` locks them, several by their ids so that two callers never wait for each other. */
  async lock(tx: EntityManager, ids: readonly string[]): Promise<Map<string, Brand>> {
    const rows: Brand[] = await tx.query(
      `SELECT ${BRAND_COLUMNS} FROM brands b WHERE b.id = ANY ($1::bigint[]) ORDER BY b.id FOR NO KEY UPDATE`,
      [ids],
    );
    return new Map(rows.map((brand) => [brand.id, brand]));
  }

  async revise(tx: EntityManager, id: string, values: Pick<Brand, 'name' | 'nameZh' | 'slug'>): Promise<void> {
    await tx.query(
      `UPDATE brands SET name = $2, name_zh = $3, slug = $4, revision = revision + 1, updated_at = ${SQL_NOW} WHERE id = $1`,
      [id, values.name, values.nameZh, values.slug],
    );
  }

  /**
   * Makes these the brand's own names. Those it had go on as aliases, since crawlers may still use them; what a person wrote is not
   * written over by its slug.
   */
  async setOwnNames(tx: EntityManager, id: string, names: readonly Omit<BrandAlias, 'brandId'>[]): Promise<void> {
    const keys = names.map(({ aliasKey }) => aliasKey);
    await tx.query(
      `UPDATE brand_aliases SET source = 'alias' WHERE brand_id = $1 AND source <> 'alias' AND alias_key <> ALL ($2::text[])`,
      [id, keys],
    );
    await tx.query(
      `INSERT INTO brand_aliases (brand_id, alias_key, alias, source)
       SELECT $1, n.* FROM unnest($2::text[], $3::text[], $4::text[]) AS n
       ON CONFLICT (brand_id, alias_key) DO UPDATE SET source = EXCLUDED.source,
         alias = CASE WHEN EXCLUDED.source = 'slug' THEN brand_aliases.alias ELSE EXCLUDED.alias END`,
      [id, keys, names.map(({ alias }) => alias), names.map(({ source }) => source)],
    );
  }

  /** @returns the alias as it was written; undefined when the brand has none of this key */
  async removeAlias(tx: EntityManager, id: string, key: string): Promise<string | undefined> {
    const [rows] = await tx.query<[{ alias: string }[], number]>(
      'DELETE FROM brand_aliases WHERE brand_id = $1 AND alias_key = $2 RETURNING alias',
      [id, key],
    );
    return rows[0]?.alias;
  }

  /** Makes a brand a part of another one; those that were a part of it follow, so that no chain is longer than one. */
  async markMerged(tx: EntityManager, id: string, into: string): Promise<void> {
    await tx.query(
      `UPDATE brands SET status = 'merged', merged_into = $2, revision = revision + 1, updated_at = ${SQL_NOW}
       WHERE id = $1 OR merged_into = $1`,
      [id, into],
    );
  }

  async hasParts(tx: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT 1 FROM brands WHERE merged_into = $1 LIMIT 1', [id]);
    return rows.length > 0;
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.query('DELETE FROM brand_aliases WHERE brand_id = $1', [id]);
    await tx.query('DELETE FROM brands WHERE id = $1', [id]);
  }
}
