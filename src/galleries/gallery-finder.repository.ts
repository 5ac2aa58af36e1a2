import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { FoundGallery, GalleryStatus } from './crawl-decision.js';
import type { GalleryKey } from './show.js';

/** A found gallery as the database gives it. */
export interface FoundRow {
  id: string;
  status: GalleryStatus;
  deleted_at: string;
  revision: number;
  year: number | null;
  term: Term | null;
  category: string;
  category_source: CategorySource;
  picture_count: number;
  by: FoundGallery['by'];
  market: string | null;
}

export const FOUND_COLUMNS = `g.id, g.status, g.deleted_at, g.revision, g.year, g.term, g.category, g.category_source, g.picture_count`;

/** Finds galleries that may be the show of a crawl; deleted ones too, since deleted is for ever. */
@Injectable()
export class GalleryFinderRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param source the crawl's surest source, if it has one */
  async candidates(
    key: GalleryKey,
    source: string | undefined,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<FoundGallery[]> {
    const params: unknown[] = [key.brandId, source ?? null, key.category];
    // Written as "= $n" or "IS NULL": IS NOT DISTINCT FROM would not use the index.
    const same = (column: 'year' | 'term' | 'detail'): string => {
      const value = key[column];
      if (value === null) return `k.${column} IS NULL`;
      params.push(value);
      return `k.${column} = $${params.length}`;
    };
    const rows: FoundRow[] = await tx.query(
      `SELECT ${FOUND_COLUMNS}, 'source' AS by, g.market
       FROM gallery_sources s JOIN galleries g ON g.id = s.gallery_id
       WHERE s.source = $2 AND s.brand_id = $1
       UNION ALL
       SELECT ${FOUND_COLUMNS}, 'key' AS by, k.market
       FROM gallery_keys k JOIN galleries g ON g.id = k.gallery_id
       WHERE k.brand_id = $1 AND ${same('year')} AND ${same('term')} AND k.category = $3 AND ${same('detail')}
       ORDER BY id`,
      params,
    );
    return rows.map(foundGallery);
  }

  /** As {@link candidates}, of galleries that nobody reviews, deletes or purges until the transaction ends. */
  async lockCandidates(tx: EntityManager, key: GalleryKey, source: string | undefined): Promise<FoundGallery[]> {
    const found = await this.candidates(key, source, tx);
    if (found.length === 0) return found;
    await tx.query('SELECT 1 FROM galleries WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [
      found.map((gallery) => gallery.id),
    ]);
    // What was read before the lock may have changed while we waited for it.
    return this.candidates(key, source, tx);
  }

  /** The gallery that a person named. */
  async byId(id: string, tx: EntityManager = this.dataSource.manager): Promise<FoundGallery[]> {
    const rows: FoundRow[] = await tx.query(
      `SELECT ${FOUND_COLUMNS}, 'person' AS by, g.market FROM galleries g WHERE g.id = $1`,
      [id],
    );
    return rows.map(foundGallery);
  }

  /** As {@link byId}, locked as by {@link lockCandidates}. */
  async lockById(tx: EntityManager, id: string): Promise<FoundGallery[]> {
    await tx.query('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.byId(id, tx);
  }

  /** How many of these photos a gallery has. */
  async sharedPictures(tx: EntityManager, galleryId: string, identities: readonly string[]): Promise<number> {
    const rows: { shared: string }[] = await tx.query(
      `SELECT count(*) AS shared FROM gallery_pictures WHERE gallery_id = $1 AND identity = ANY($2::text[])`,
      [galleryId, identities],
    );
    return Number(rows[0]?.shared ?? 0);
  }
}

export function foundGallery(row: FoundRow): FoundGallery {
  return {
    id: row.id,
    status: row.status,
    deletedAt: Number(row.deleted_at),
    revision: row.revision,
    year: row.year,
    term: row.term,
    category: row.category,
    categorySource: row.category_source,
    pictureCount: row.picture_count,
    by: row.by,
    market: row.market,
  };
}
