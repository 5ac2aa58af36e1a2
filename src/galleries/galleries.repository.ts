import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { GalleryAction } from './gallery-event.entity.js';
import type { GatheredPicture } from './picture-verdict.js';
import type { GalleryKey, Show } from './show.js';

export interface GalleryContent {
  show: Show;
  pictures: readonly GatheredPicture[];
  cover: number;
}

/** Writes galleries as crawls bring them; always inside the transaction that settles the crawl's job. */
@Injectable()
export class GalleriesRepository {
  /**
   * Street style has no brand's row to lock, so all of it takes turns. Rejected: a lock of the natural key, under which two
   * crawls of one page, or one with and one without a market, would not meet.
   */
  async lockStreetStyle(tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('street style', 0))`);
  }

  /** @returns the new gallery's id */
  async insert(tx: EntityManager, content: GalleryContent): Promise<string> {
    const { payload, key, categorySource } = content.show;
    const rows: { id: string }[] = await tx.query(
      `INSERT INTO galleries (kind, brand_id, year, term, category, category_source, market, title, show_date, audience, day,
         photographer, cover_position, picture_count, missing_count, sent_count, expected_count, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, ${SQL_NOW}, ${SQL_NOW})
       RETURNING id`,
      [payload.kind, key.brandId, key.year, key.term, key.category, categorySource, key.market, ...described(content)],
    );
    const id = rows[0]?.id ?? '';
    await this.addKey(tx, id, key);
    await this.insertPictures(tx, id, content.pictures);
    return id;
  }

  /**
   * Gives a rejected gallery the crawl's pictures, as a new revision to be reviewed. A category that was guessed, or a
   * market that was not known, is settled by what the crawl says; what was read before, or an editor put right, stays.
   * @returns object keys of the old revision, which nothing refers to any more
   */
  async overwrite(tx: EntityManager, id: string, content: GalleryContent): Promise<string[]> {
    const { key, categorySource } = content.show;
    const [old] = await tx.query<[{ object_key: string | null }[], number]>(
      'DELETE FROM gallery_pictures WHERE gallery_id = $1 RETURNING object_key',
      [id],
    );
    await tx.query(
      `UPDATE galleries SET status = 'pending_review', reject_reason = NULL, revision = revision + 1, purged_at = 0,
         title = $2, show_date = $3, audience = $4, day = $5, photographer = $6, cover_position = $7, picture_count = $8,
         missing_count = $9, sent_count = $10, expected_count = $11,
         category = CASE WHEN category_source = 'default' THEN $12 ELSE category END,
         category_source = CASE WHEN category_source = 'default' THEN $13 ELSE category_source END,
         market = coalesce(market, $14), updated_at = ${SQL_NOW}
       WHERE id = $1`,
      [id, ...described(content), key.category, categorySource, key.market],
    );
    await this.insertPictures(tx, id, content.pictures);
    return old.map((picture) => picture.object_key).filter((key) => key !== null);
  }

  async addKey(tx: EntityManager, galleryId: string, key: GalleryKey): Promise<void> {
    await tx.query(
      `INSERT INTO gallery_keys (gallery_id, brand_id, year, term, category, market, detail)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT gallery_keys_natural_key DO NOTHING`,
      [galleryId, key.brandId, key.year, key.term, key.category, key.market, key.detail],
    );
  }

  async addSources(tx: EntityManager, galleryId: string, brandId: string, sources: readonly string[]): Promise<void> {
    if (sources.length === 0) return;
    await tx.query(
      `INSERT INTO gallery_sources (gallery_id, brand_id, source)
       SELECT $1, $2, source FROM unnest($3::text[]) AS source
       ON CONFLICT ON CONSTRAINT gallery_sources_gallery_id_source_key DO NOTHING`,
      [galleryId, brandId, sources],
    );
  }

  async addEvent(
    tx: EntityManager,
    event: { galleryId: string; actor: string; action: GalleryAction; detail?: string; jobId?: string },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO gallery_events (gallery_id, at, actor, action, detail, job_id) VALUES ($1, ${SQL_NOW}, $2, $3, $4, $5)`,
      [event.galleryId, event.actor, event.action, event.detail ?? null, event.jobId ?? null],
    );
  }

  private async insertPictures(
    tx: EntityManager,
    galleryId: string,
    pictures: readonly GatheredPicture[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO gallery_pictures (gallery_id, position, kind, look, caption, credit, source_url, identity, state,
         error_code, object_key, sha256, content_type, width, height, bytes, thumbhash)
       SELECT $1, p.* FROM unnest($2::int[], $3::varchar[], $4::varchar[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::varchar[], $10::varchar[], $11::text[], $12::varchar[], $13::varchar[], $14::int[], $15::int[], $16::bigint[],
         $17::varchar[]) AS p`,
      [galleryId, ...columnsOf(pictures.map(pictureRow))],
    );
  }
}

function described({ show: { payload }, pictures, cover }: GalleryContent): unknown[] {
  const stored = pictures.filter((picture) => picture.failure === null).length;
  return [
    payload.title ?? payload.season ?? '',
    payload.showDate ?? null,
    payload.audience ?? null,
    payload.day ?? null,
    payload.photographer ?? null,
    cover,
    stored,
    pictures.length - stored,
    payload.images.length,
    payload.expectedImages ?? null,
  ];
}

function pictureRow({ failure, slot, ...picture }: GatheredPicture): unknown[] {
  const { position, kind, look, caption, credit, url, identity } = picture;
  const stored =
    failure === null
      ? [
          'stored',
          null,
          slot.objectKey,
          slot.sha256,
          slot.contentType,
          slot.width,
          slot.height,
          slot.bytes,
          slot.thumbhash,
        ]
      : ['failed', failure, null, null, null, null, null, null, null];
  return [position, kind, look, caption, credit, url, identity, ...stored];
}

/** Rows as one array per column, as `unnest` takes them. */
function columnsOf(rows: readonly unknown[][]): unknown[][] {
  return Array.from({ length: 16 }, (_, column) => rows.map((row) => row[column]));
}
