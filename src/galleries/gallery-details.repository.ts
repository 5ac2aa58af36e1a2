import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryAction } from './gallery-event.entity.js';
import { OTHERS_WITH_PICTURE, SHARES_PICTURES } from './gallery-list.repository.js';
import { GALLERY_COLUMNS, type GalleryView } from './gallery-read.repository.js';

/** Something that happened to a gallery. */
export interface GalleryEventView {
  id: string;
  galleryId: string;
  /** Unix seconds. */
  at: number;
  actor: string;
  action: GalleryAction;
  detail: string | null;
  jobId: string | null;
}

/** What a gallery is found by. */
export interface GalleryKeyView {
  year: number | null;
  term: Term | null;
  category: string;
  market: string | null;
}

/** How many other galleries are named of those that share a picture. */
export const MAX_SHARING = 20;

/** What a gallery shows beside its row and its pictures; of many galleries by one statement. */
@Injectable()
export class GalleryDetailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first, one more of each than asked for. */
  async historiesOf(
    galleryIds: readonly string[],
    first: number,
    after: string | undefined,
  ): Promise<Map<string, GalleryEventView[]>> {
    const rows: GalleryEventView[] = await this.dataSource.query(
      `SELECT e.* FROM unnest($1::bigint[]) AS g (id)
       CROSS JOIN LATERAL (
         SELECT id::text, gallery_id::text AS "galleryId", at::float8, actor, action, detail, job_id::text AS "jobId"
         FROM gallery_events WHERE gallery_id = g.id AND ($3::bigint IS NULL OR gallery_events.id < $3)
         ORDER BY gallery_events.id DESC LIMIT $2
       ) AS e`,
      [galleryIds, first + 1, after ?? null],
    );
    const byGallery = new Map(galleryIds.map((id): [string, GalleryEventView[]] => [id, []]));
    for (const row of rows) byGallery.get(row.galleryId)?.push(row);
    return byGallery;
  }

  /** Oldest first. */
  async keysOf(galleryIds: readonly string[]): Promise<Map<string, GalleryKeyView[]>> {
    const rows: (GalleryKeyView & { galleryId: string })[] = await this.dataSource.query(
      `SELECT gallery_id::text AS "galleryId", year, term, category, market FROM gallery_keys
       WHERE gallery_id = ANY($1::bigint[]) ORDER BY id`,
      [galleryIds],
    );
    const byGallery = new Map(galleryIds.map((id): [string, GalleryKeyView[]] => [id, []]));
    for (const { galleryId, ...key } of rows) byGallery.get(galleryId)?.push(key);
    return byGallery;
  }

  /** Which of them share a picture with another gallery that is not in the trash. */
  async sharing(galleryIds: readonly string[]): Promise<Map<string, true>> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT g.id::text FROM unnest($1::bigint[]) AS g (id) WHERE ${SHARES_PICTURES}`,
      [galleryIds],
    );
    return new Map(rows.map(({ id }) => [id, true]));
  }

  /** The galleries that each shares a picture with, newest first, {@link MAX_SHARING} of them at most. */
  async sharedWith(galleryIds: readonly string[]): Promise<Map<string, GalleryView[]>> {
    const rows: (GalleryView & { sharesWith: string })[] = await this.dataSource.query(
      `SELECT asked.id::text AS "sharesWith", ${GALLERY_COLUMNS} FROM unnest($1::bigint[]) AS asked (id)
       CROSS JOIN LATERAL (
         SELECT DISTINCT og.id FROM gallery_pictures p ${OTHERS_WITH_PICTURE}
         WHERE p.gallery_id = asked.id AND p.state = 'stored' ORDER BY og.id DESC LIMIT ${MAX_SHARING}
       ) AS other
       JOIN galleries g ON g.id = other.id ORDER BY g.id DESC`,
      [galleryIds],
    );
    const byGallery = new Map(galleryIds.map((id): [string, GalleryView[]] => [id, []]));
    for (const { sharesWith, ...gallery } of rows) byGallery.get(sharesWith)?.push(gallery);
    return byGallery;
  }
}
