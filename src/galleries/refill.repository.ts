import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import { COUNTS_OF_G } from './gallery-review.repository.js';
import type { PlacedPicture } from './refill-verdict.js';

export interface HolesOf {
  kind: GalleryKind;
  /** Unix seconds, 0 for none. */
  deletedAt: number;
  pictures: PlacedPicture[];
}

/** Puts what a refill fetched into the places of a gallery; whoever writes holds the gallery's row. */
@Injectable()
export class RefillRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param tx to look under the lock; without, as it stands */
  async galleryOf(id: string, tx?: EntityManager): Promise<HolesOf | undefined> {
    const source = tx ?? this.dataSource;
    const rows: { kind: GalleryKind; deleted_at: string }[] = await source.query(
      'SELECT kind, deleted_at FROM galleries WHERE id = $1',
      [id],
    );
    if (rows[0] === undefined) return undefined;
    const pictures: PlacedPicture[] = await source.query(
      'SELECT position, look, source_url AS url, state, sha256 FROM gallery_pictures WHERE gallery_id = $1 ORDER BY position',
      [id],
    );
    return { kind: rows[0].kind, deletedAt: Number(rows[0].deleted_at), pictures };
  }

  /** @returns keys of purged objects that these places named, which only the caller knows of from now on */
  async fill(tx: EntityManager, galleryId: string, jobId: string, positions: readonly number[]): Promise<string[]> {
    const [rows] = await tx.query<[{ purged: string | null }[], number]>(
      `UPDATE gallery_pictures p SET state = 'stored', error_code = NULL, object_key = s.object_key, sha256 = s.sha256,
         content_type = s.content_type, width = s.width, height = s.height, bytes = s.bytes, thumbhash = s.thumbhash
       FROM ingest_pictures s, gallery_pictures before
       WHERE p.gallery_id = $1 AND p.position = ANY($3::int[]) AND p.state <> 'stored'
         AND s.job_id = $2 AND s.position = p.position AND s.url = p.source_url AND s.state = 'stored'
         AND before.gallery_id = p.gallery_id AND before.position = p.position
       RETURNING before.object_key AS purged`,
      [galleryId, jobId, positions],
    );
    return rows.map(({ purged }) => purged).filter((key) => key !== null);
  }

  async noteFailures(
    tx: EntityManager,
    galleryId: string,
    failures: readonly { position: number; code: string }[],
  ): Promise<void> {
    await tx.query(
      `UPDATE gallery_pictures p SET error_code = f.code FROM unnest($2::int[], $3::varchar[]) AS f (position, code)
       WHERE p.gallery_id = $1 AND p.position = f.position AND p.state <> 'stored'`,
      [galleryId, failures.map(({ position }) => position), failures.map(({ code }) => code)],
    );
  }

  /**
   * `purged_at` says since when files are gone: once none of them is missing it says nothing any more. Until then it keeps
   * telling a clean-up that died after its mark that the keys of the missing ones are still to be removed.
   */
  async recount(tx: EntityManager, galleryId: string): Promise<void> {
    await tx.query(
      `UPDATE galleries g SET updated_at = ${SQL_NOW}, ${COUNTS_OF_G},
         purged_at = CASE WHEN EXISTS (SELECT 1 FROM gallery_pictures p WHERE p.gallery_id = g.id AND p.state = 'missing')
                          THEN purged_at ELSE 0 END
       WHERE id = $1`,
      [galleryId],
    );
  }
}
