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

/** Makes another picture the cover when the one that is, is hidden: the first look, else the first picture. */
export const SETTLE_COVER = `
  UPDATE galleries g SET cover_chosen = false, cover_position = (
    SELECT position FROM gallery_pictures WHERE gallery_id = $1 AND state = 'stored' AND NOT hidden
    ORDER BY kind <> 'look', position LIMIT 1)
  WHERE g.id = $1
    AND EXISTS (SELECT 1 FROM gallery_pictures WHERE gallery_id = $1 AND position = g.cover_position AND hidden)
    AND EXISTS (SELECT 1 FROM gallery_pictures WHERE gallery_id = $1 AND state = 'stored' AND NOT hidden)`;

/** A picture of the revision that is written over. */
interface OldPicture {
  object_key: string | null;
  identity: string;
  hidden: boolean;
  /** An editor chose it as the cover. */
  chosen: boolean;
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
   * Gives a gallery the crawl's pictures, as a new revision to be reviewed. A category that was guessed, or a market that was
   * not known, is settled by what the crawl says; what was read before stays, unless an editor says otherwise of the crawl;
   * what an editor put right in the gallery stays. So do an editor's words about photos that come again: which are hidden,
   * and which is the cover.
   * @returns object keys of the old revision, which nothing refers to any more
   */
  async overwrite(tx: EntityManager, id: string, content: GalleryContent): Promise<string[]> {
    const { key, categorySource } = content.show;
    const [old] = await tx.query<[OldPicture[], number]>(
      `DELETE FROM gallery_pictures p USING galleries g WHERE p.gallery_id = $1 AND g.id = p.gallery_id
       RETURNING p.object_key, p.identity, p.hidden, g.cover_chosen AND p.position = g.cover_position AS chosen`,
      [id],
    );
    await tx.query(
      `UPDATE galleries SET status = 'pending_review', reject_reason = NULL, revision = revision + 1, purged_at = 0, published_at = 0,
         suspect = false,
         title = $2, show_date = $3, audience = $4, day = $5, photographer = $6, cover_position = $7, picture_count = $8,
         missing_count = $9, sent_count = $10, expected_count = $11,
         category = CASE WHEN category_source = 'default' OR (category_source <> 'editor' AND $13 = 'editor')
           THEN $12 ELSE category END,
         category_source = CASE WHEN category_source = 'default' OR $13 = 'editor' THEN $13 ELSE category_source END,
         market = coalesce(market, $14), updated_at = ${SQL_NOW}
       WHERE id = $1`,
      [id, ...described(content), key.category, categorySource, key.market],
    );
    await this.insertPictures(tx, id, content.pictures);
    await this.keepEditorsWord(tx, id, old);
    return old.map((picture) => picture.object_key).filter((objectKey) => objectKey !== null);
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

  /** Whether a person should look whether a crawl that was skipped into it was another show. */
  async setSuspect(tx: EntityManager, id: string, suspect: boolean): Promise<void> {
    await tx.query('UPDATE galleries SET suspect = $2 WHERE id = $1 AND suspect <> $2', [id, suspect]);
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

  private async keepEditorsWord(tx: EntityManager, galleryId: string, old: readonly OldPicture[]): Promise<void> {
    const hidden = old.filter((picture) => picture.hidden).map(({ identity }) => identity);
    if (hidden.length > 0) {
      await tx.query('UPDATE gallery_pictures SET hidden = true WHERE gallery_id = $1 AND identity = ANY($2::text[])', [
        galleryId,
        hidden,
      ]);
    }
    const chosen = old.find((picture) => picture.chosen)?.identity;
    if (chosen !== undefined) {
      await tx.query(
        `UPDATE galleries g SET cover_position = coalesce(p.position, g.cover_position), cover_chosen = p.position IS NOT NULL
         FROM (SELECT (SELECT min(position) FROM gallery_pictures
                       WHERE gallery_id = $1 AND identity = $2 AND state = 'stored' AND NOT hidden) AS position) AS p
         WHERE g.id = $1`,
        [galleryId, chosen],
      );
    }
    if (hidden.length > 0) await tx.query(SETTLE_COVER, [galleryId]);
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
