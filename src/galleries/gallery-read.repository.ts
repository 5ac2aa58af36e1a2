import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PictureKind } from '../media/picture-caption.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryStatus } from './crawl-decision.js';
import type { GalleryPictureState } from './gallery-picture.entity.js';

/** A gallery as it is shown. Times are unix seconds, 0 for none. */
export interface GalleryView {
  id: string;
  kind: GalleryKind;
  brandId: string;
  year: number | null;
  term: Term | null;
  category: string;
  categorySource: CategorySource;
  market: string | null;
  title: string;
  showDate: string | null;
  status: GalleryStatus;
  rejectReason: string | null;
  takedownReason: string | null;
  deletedAt: number;
  purgedAt: number;
  forgottenAt: number;
  publishedAt: number;
  suspect: boolean;
  revision: number;
  coverPosition: number;
  pictureCount: number;
  missingCount: number;
  sentCount: number;
  expectedCount: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface PictureView {
  galleryId: string;
  position: number;
  kind: PictureKind;
  look: string | null;
  caption: string | null;
  credit: string | null;
  sourceUrl: string;
  state: GalleryPictureState;
  errorCode: string | null;
  objectKey: string | null;
  sha256: string | null;
  contentType: string | null;
  width: number | null;
  height: number | null;
  thumbhash: string | null;
  hidden: boolean;
}

/** Of `galleries g`, for whatever reads a {@link GalleryView}. */
export const GALLERY_COLUMNS = `g.id::text, g.kind, g.brand_id::text AS "brandId", g.year, g.term, g.category, g.category_source AS "categorySource",
  g.market, g.title, g.show_date::text AS "showDate", g.status, g.reject_reason AS "rejectReason",
  g.takedown_reason AS "takedownReason", g.forgotten_at::float8 AS "forgottenAt", g.suspect,
  g.deleted_at::float8 AS "deletedAt", g.purged_at::float8 AS "purgedAt", g.published_at::float8 AS "publishedAt", g.revision,
  g.cover_position AS "coverPosition", g.picture_count AS "pictureCount", g.missing_count AS "missingCount",
  g.sent_count AS "sentCount", g.expected_count AS "expectedCount", g.created_at::float8 AS "createdAt",
  g.updated_at::float8 AS "updatedAt"`;

const PICTURE = `p.gallery_id::text AS "galleryId", p.position, p.kind, p.look, p.caption, p.credit, p.source_url AS "sourceUrl",
  p.state, p.error_code AS "errorCode", p.object_key AS "objectKey", p.sha256, p.content_type AS "contentType", p.width, p.height,
  p.thumbhash, p.hidden`;

/** Reads galleries for whoever shows them. */
@Injectable()
export class GalleryReadRepository {
  constructor(private readonly dataSource: DataSource) {}

  async byIds(ids: readonly string[]): Promise<Map<string, GalleryView>> {
    const rows: GalleryView[] = await this.dataSource.query(
      `SELECT ${GALLERY_COLUMNS} FROM galleries g WHERE g.id = ANY($1::bigint[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async picturesOf(galleryIds: readonly string[]): Promise<Map<string, PictureView[]>> {
    const rows: PictureView[] = await this.dataSource.query(
      `SELECT ${PICTURE} FROM gallery_pictures p WHERE p.gallery_id = ANY($1::bigint[]) ORDER BY p.gallery_id, p.position`,
      [galleryIds],
    );
    const pictures = new Map(galleryIds.map((id): [string, PictureView[]] => [id, []]));
    for (const row of rows) pictures.get(row.galleryId)?.push(row);
    return pictures;
  }

  /** By gallery; none for a gallery whose pictures are all hidden. */
  async coversOf(galleryIds: readonly string[]): Promise<Map<string, PictureView>> {
    const rows: PictureView[] = await this.dataSource.query(
      `SELECT ${PICTURE} FROM galleries g JOIN gallery_pictures p ON p.gallery_id = g.id AND p.position = g.cover_position
       WHERE g.id = ANY($1::bigint[]) AND NOT p.hidden`,
      [galleryIds],
    );
    return new Map(rows.map((row) => [row.galleryId, row]));
  }

  /** Whether an object belongs to a gallery, and whether everybody may see it; undefined when it is no gallery's. */
  async visibilityOf(objectKey: string): Promise<'public' | 'editors' | undefined> {
    const rows: { public: boolean }[] = await this.dataSource.query(
      `SELECT g.status = 'published' AND g.deleted_at = 0 AND NOT p.hidden AS public
       FROM gallery_pictures p JOIN galleries g ON g.id = p.gallery_id
       WHERE p.object_key = $1 AND p.state = 'stored'`,
      [objectKey],
    );
    if (rows.length === 0) return undefined;
    return rows[0]?.public ? 'public' : 'editors';
  }
}
