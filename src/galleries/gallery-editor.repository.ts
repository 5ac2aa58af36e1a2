import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { CategorySource } from '../taxonomy/season-reader.js';
import { SETTLE_COVER } from './galleries.repository.js';
import type { GalleryPictureState } from './gallery-picture.entity.js';
import type { ShowParts } from './show-changes.js';

export interface EditedPicture {
  position: number;
  look: string | null;
  state: GalleryPictureState;
  hidden: boolean;
}

/** What editors put right in galleries, each on the locked row. */
@Injectable()
export class GalleryEditorRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whose gallery it is, as it stands: what tells which lock comes before the gallery's. '0' for street style. */
  async brandOf(id: string): Promise<string | undefined> {
    const rows: { brand_id: string }[] = await this.dataSource.query('SELECT brand_id FROM galleries WHERE id = $1', [
      id,
    ]);
    return rows[0]?.brand_id;
  }

  /** What tells street-style galleries of one season and city apart; null for shows. */
  async keyDetail(tx: EntityManager, id: string, { year, term, category, market }: ShowParts): Promise<string | null> {
    const rows: { detail: string | null }[] = await tx.query(
      `SELECT detail FROM gallery_keys WHERE gallery_id = $1
       ORDER BY (year, term, market) IS NOT DISTINCT FROM ($2::smallint, $3::varchar, $5::varchar) AND category = $4 DESC, id DESC
       LIMIT 1`,
      [id, year, term, category, market],
    );
    return rows[0]?.detail ?? null;
  }

  async correct(tx: EntityManager, id: string, show: ShowParts, categorySource: CategorySource): Promise<void> {
    await tx.query(
      `UPDATE galleries SET year = $2, term = $3, category = $4, market = $5, category_source = $6, revision = revision + 1,
         updated_at = ${SQL_NOW}
       WHERE id = $1`,
      [id, show.year, show.term, show.category, show.market, categorySource],
    );
  }

  async picture(tx: EntityManager, id: string, position: number): Promise<EditedPicture | undefined> {
    const rows: EditedPicture[] = await tx.query(
      'SELECT position, look, state, hidden FROM gallery_pictures WHERE gallery_id = $1 AND position = $2',
      [id, position],
    );
    return rows[0];
  }

  /** Another picture becomes the cover when it was the cover that was hidden. */
  async setHidden(tx: EntityManager, id: string, position: number, hidden: boolean): Promise<void> {
    await tx.query('UPDATE gallery_pictures SET hidden = $3 WHERE gallery_id = $1 AND position = $2', [
      id,
      position,
      hidden,
    ]);
    await tx.query(`UPDATE galleries SET updated_at = ${SQL_NOW} WHERE id = $1`, [id]);
    await tx.query(SETTLE_COVER, [id]);
  }

  /** @returns whether it was another before, or nobody had chosen it */
  async chooseCover(tx: EntityManager, id: string, position: number): Promise<boolean> {
    const [, changed] = await tx.query<[unknown, number]>(
      `UPDATE galleries SET cover_position = $2, cover_chosen = true, updated_at = ${SQL_NOW}
       WHERE id = $1 AND NOT (cover_chosen AND cover_position = $2)`,
      [id, position],
    );
    return changed > 0;
  }
}
