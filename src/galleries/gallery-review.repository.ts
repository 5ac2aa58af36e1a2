import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryStatus } from './crawl-decision.js';

export interface LockedGallery {
  id: string;
  kind: GalleryKind;
  brandId: string;
  year: number | null;
  term: Term | null;
  category: string;
  categorySource: CategorySource;
  market: string | null;
  status: GalleryStatus;
  revision: number;
  /** Unix seconds, 0 for none. */
  deletedAt: number;
  purgedAt: number;
  forgottenAt: number;
  takedownReason: string | null;
  /** Of pictures, as the row itself says: what a subquery says was read before the lock. */
  pictureCount: number;
  missingCount: number;
}

/** For an UPDATE of `galleries g`. */
export const COUNTS_OF_G = `
  picture_count = (SELECT count(*) FROM gallery_pictures p WHERE p.gallery_id = g.id AND p.state = 'stored'),
  missing_count = (SELECT count(*) FROM gallery_pictures p WHERE p.gallery_id = g.id AND p.state <> 'stored')`;

/** What editors do to galleries, each on the locked row. */
@Injectable()
export class GalleryReviewRepository {
  /** The row that clean-ups lock as well. */
  async lock(tx: EntityManager, id: string): Promise<LockedGallery | undefined> {
    const rows: LockedGallery[] = await tx.query(
      `SELECT id::text, kind, brand_id::text AS "brandId", year, term, category, category_source AS "categorySource", market,
         status, revision, deleted_at::float8 AS "deletedAt", purged_at::float8 AS "purgedAt",
         forgotten_at::float8 AS "forgottenAt", takedown_reason AS "takedownReason", picture_count AS "pictureCount",
         missing_count AS "missingCount"
       FROM galleries WHERE id = $1 FOR UPDATE`,
      [id],
    );
    return rows[0];
  }

  async publish(tx: EntityManager, id: string): Promise<void> {
    await tx.query(
      `UPDATE galleries SET status = 'published', reject_reason = NULL, published_at = ${SQL_NOW}, updated_at = ${SQL_NOW}
       WHERE id = $1`,
      [id],
    );
  }

  async reject(tx: EntityManager, id: string, reason: string): Promise<void> {
    await tx.query(
      `UPDATE galleries SET status = 'rejected', reject_reason = $2, published_at = 0, updated_at = ${SQL_NOW} WHERE id = $1`,
      [id, reason],
    );
  }

  async reopen(tx: EntityManager, id: string): Promise<void> {
    await tx.query(
      `UPDATE galleries SET status = 'pending_review', reject_reason = NULL, published_at = 0, updated_at = ${SQL_NOW}
       WHERE id = $1`,
      [id],
    );
  }

  /** Whether a picture is there that is not hidden. */
  async hasVisible(tx: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM gallery_pictures WHERE gallery_id = $1 AND state = 'stored' AND NOT hidden LIMIT 1`,
      [id],
    );
    return rows.length > 0;
  }

  /** @returns when it was deleted, unix seconds: the name of this very deletion */
  async moveToTrash(tx: EntityManager, id: string): Promise<number> {
    const [rows] = await tx.query<[{ deleted_at: string }[], number]>(
      `UPDATE galleries SET deleted_at = ${SQL_NOW}, updated_at = ${SQL_NOW} WHERE id = $1 RETURNING deleted_at`,
      [id],
    );
    return Number(rows[0]?.deleted_at ?? 0);
  }

  async restore(tx: EntityManager, id: string): Promise<void> {
    await tx.query(
      `UPDATE galleries g SET deleted_at = 0, takedown_reason = NULL, updated_at = ${SQL_NOW}, ${COUNTS_OF_G} WHERE id = $1`,
      [id],
    );
  }

  async keepTakedownReason(tx: EntityManager, id: string, reason: string): Promise<void> {
    await tx.query(`UPDATE galleries SET takedown_reason = $2, updated_at = ${SQL_NOW} WHERE id = $1`, [id, reason]);
  }

  /** Takes away whatever a crawl could find it by. */
  async forget(tx: EntityManager, id: string): Promise<void> {
    await tx.query('DELETE FROM gallery_keys WHERE gallery_id = $1', [id]);
    await tx.query('DELETE FROM gallery_sources WHERE gallery_id = $1', [id]);
    await tx.query(`UPDATE galleries SET forgotten_at = ${SQL_NOW}, updated_at = ${SQL_NOW} WHERE id = $1`, [id]);
  }
}
