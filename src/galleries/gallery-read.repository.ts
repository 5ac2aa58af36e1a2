import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PictureKind } from '../media/picture-caption.js';
import { pageOf, type Page } from '../platform/graphql/connection.js';
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
  deletedAt: number;
  purgedAt: number;
  publishedAt: number;
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
}

export interface GalleryFilter {
  status?: GalleryStatus | undefined;
  kind?: GalleryKind | undefined;
  brandId?: string | undefined;
  /** true: only the trash; false: all but the trash. */
  deleted: boolean;
}

const GALLERY = `g.id::text, g.kind, g.brand_id::text AS "brandId", g.year, g.term, g.category, g.category_source AS "categorySource",
  g.market, g.title, g.show_date::text AS "showDate", g.status, g.reject_reason AS "rejectReason",
  g.deleted_at::float8 AS "deletedAt", g.purged_at::float8 AS "purgedAt", g.published_at::float8 AS "publishedAt", g.revision,
  g.cover_position AS "coverPosition", g.picture_count AS "pictureCount", g.missing_count AS "missingCount",
  g.sent_count AS "sentCount", g.expected_count AS "expectedCount", g.created_at::float8 AS "createdAt",
  g.updated_at::float8 AS "updatedAt"`;

/** Reads galleries for whoever shows them. */
@Injectable()
export class GalleryReadRepository {
  constructor(private readonly dataSource: DataSource) {}

  async byIds(ids: readonly string[]): Promise<Map<string, GalleryView>> {
    const rows: GalleryView[] = await this.dataSource.query(
      `SELECT ${GALLERY} FROM galleries g WHERE g.id = ANY($1::bigint[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Newest first. */
  async page(filter: GalleryFilter, first: number, after: string | undefined): Promise<Page<GalleryView>> {
    const params: unknown[] = [first + 1];
    const conditions = [filter.deleted ? 'g.deleted_at > 0' : 'g.deleted_at = 0'];
    const add = (condition: string, value: unknown): void => {
      if (value === undefined) return;
      params.push(value);
      conditions.push(`${condition} $${params.length}`);
    };
    add('g.status =', filter.status);
    add('g.kind =', filter.kind);
    add('g.brand_id =', filter.brandId);
    add('g.id <', after);
    const rows: GalleryView[] = await this.dataSource.query(
      `SELECT ${GALLERY} FROM galleries g WHERE ${conditions.join(' AND ')} ORDER BY g.id DESC LIMIT $1`,
      params,
    );
    return pageOf(rows, first);
  }

  async picturesOf(galleryIds: readonly string[]): Promise<Map<string, PictureView[]>> {
    const rows: PictureView[] = await this.dataSource.query(
      `SELECT gallery_id::text AS "galleryId", position, kind, look, caption, credit, source_url AS "sourceUrl", state,
         error_code AS "errorCode", object_key AS "objectKey", sha256, content_type AS "contentType", width, height, thumbhash
       FROM gallery_pictures WHERE gallery_id = ANY($1::bigint[]) ORDER BY gallery_id, position`,
      [galleryIds],
    );
    const pictures = new Map(galleryIds.map((id): [string, PictureView[]] => [id, []]));
    for (const row of rows) pictures.get(row.galleryId)?.push(row);
    return pictures;
  }

  /** Whether an object belongs to a gallery, and whether everybody may see it; undefined when it is no gallery's. */
  async visibilityOf(objectKey: string): Promise<'public' | 'editors' | undefined> {
    const rows: { public: boolean }[] = await this.dataSource.query(
      `SELECT g.status = 'published' AND g.deleted_at = 0 AS public
       FROM gallery_pictures p JOIN galleries g ON g.id = p.gallery_id
       WHERE p.object_key = $1 AND p.state = 'stored'`,
      [objectKey],
    );
    if (rows.length === 0) return undefined;
    return rows[0]?.public ? 'public' : 'editors';
  }
}
