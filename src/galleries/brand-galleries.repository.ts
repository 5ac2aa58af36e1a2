import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { Term } from '../taxonomy/terms.js';

/** How many shows of a brand there are, none of them in the trash. */
export interface BrandShows {
  all: number;
  pending: number;
}

/** A natural key that two brands have, each for a gallery of its own. */
export interface SharedKey {
  year: number | null;
  term: Term | null;
  category: string;
  market: string | null;
  galleryId: string;
  otherGalleryId: string;
}

/** What belongs to whole brands: counts, and the move from one to another. */
@Injectable()
export class BrandGalleriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Read off an index alone. Brands without any are left out. */
  async showsOf(brandIds: readonly string[]): Promise<Map<string, BrandShows>> {
    const rows: { brand_id: string; shows: string; pending: string }[] = await this.dataSource.query(
      `SELECT b.id AS brand_id, c.* FROM unnest($1::bigint[]) AS b (id)
       CROSS JOIN LATERAL (
         SELECT count(*) AS shows, count(*) FILTER (WHERE g.status = 'pending_review') AS pending
         FROM galleries g WHERE g.brand_id = b.id AND g.deleted_at = 0
       ) AS c
       WHERE c.shows > 0`,
      [brandIds],
    );
    return new Map(rows.map((row) => [row.brand_id, { all: Number(row.shows), pending: Number(row.pending) }]));
  }

  /** Deleted ones have their keys too, since deleted is for ever. */
  async sharedKeys(tx: EntityManager, from: string, into: string, limit: number): Promise<SharedKey[]> {
    return tx.query(
      `SELECT k.year, k.term, k.category, k.market, k.gallery_id::text AS "galleryId", o.gallery_id::text AS "otherGalleryId"
       FROM gallery_keys k
       JOIN gallery_keys o ON o.brand_id = $2 AND o.category = k.category AND o.year IS NOT DISTINCT FROM k.year
         AND o.term IS NOT DISTINCT FROM k.term AND o.market IS NOT DISTINCT FROM k.market
         AND o.detail IS NOT DISTINCT FROM k.detail AND o.gallery_id <> k.gallery_id
       WHERE k.brand_id = $1 ORDER BY k.year, k.id LIMIT $3`,
      [from, into, limit],
    );
  }

  /** With those in the trash, and with keys whose gallery is another brand's by now. */
  async usesOf(tx: EntityManager, brandId: string): Promise<{ galleries: number; deleted: number; keys: number }> {
    const rows: { galleries: string; deleted: string; keys: string }[] = await tx.query(
      `SELECT count(*) AS galleries, count(*) FILTER (WHERE deleted_at > 0) AS deleted,
         (SELECT count(*) FROM gallery_keys WHERE brand_id = $1) AS keys
       FROM galleries WHERE brand_id = $1`,
      [brandId],
    );
    const { galleries = '0', deleted = '0', keys = '0' } = rows[0] ?? {};
    return { galleries: Number(galleries), deleted: Number(deleted), keys: Number(keys) };
  }

  /**
   * Galleries are locked by their ids, as crawls lock theirs. A key that a gallery has under both brands stays once.
   * @param detail what the galleries' events say of it
   */
  async move(tx: EntityManager, from: string, into: string, actor: string, detail: string): Promise<void> {
    await tx.query('SELECT 1 FROM galleries WHERE brand_id = $1 ORDER BY id FOR NO KEY UPDATE', [from]);
    await tx.query(
      `INSERT INTO gallery_events (gallery_id, at, actor, action, detail)
       SELECT id, ${SQL_NOW}, $2, 'brand_merged', $3 FROM galleries WHERE brand_id = $1 ORDER BY id`,
      [from, actor, detail],
    );
    await tx.query(`UPDATE galleries SET brand_id = $2, updated_at = ${SQL_NOW} WHERE brand_id = $1`, [from, into]);
    await tx.query(
      `DELETE FROM gallery_keys k USING gallery_keys o
       WHERE k.brand_id = $1 AND o.brand_id = $2 AND o.gallery_id = k.gallery_id AND o.category = k.category
         AND o.year IS NOT DISTINCT FROM k.year AND o.term IS NOT DISTINCT FROM k.term
         AND o.market IS NOT DISTINCT FROM k.market AND o.detail IS NOT DISTINCT FROM k.detail`,
      [from, into],
    );
    await tx.query('UPDATE gallery_keys SET brand_id = $2 WHERE brand_id = $1', [from, into]);
    await tx.query(
      `UPDATE gallery_sources s SET brand_id = $2 FROM galleries g WHERE g.id = s.gallery_id AND g.brand_id = $2 AND s.brand_id = $1`,
      [from, into],
    );
  }
}
