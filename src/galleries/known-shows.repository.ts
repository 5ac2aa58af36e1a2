import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { FoundGallery } from './crawl-decision.js';
import { FOUND_COLUMNS, foundGallery, type FoundRow } from './gallery-finder.repository.js';
import type { GalleryKey } from './show.js';

/** A gallery that may be the show that was asked for, with what it has of pictures. */
export interface KnownGallery extends FoundGallery {
  stored: number;
  missing: number;
}

/** What one of many is looked for by. */
export interface WantedGallery {
  /** Of a show; its market is not looked at here. */
  key?: GalleryKey | undefined;
  source?: string | undefined;
  /** Only galleries of this brand come from the source; undefined: of any. */
  brandId?: string | undefined;
}

interface KnownRow extends FoundRow {
  place: number;
  stored: string;
  missing: string;
}

/** Finds galleries for many shows at once, as GalleryFinderRepository does for one; deleted ones too. */
@Injectable()
export class KnownShowsRepository {
  /** By one statement, whatever their number. Pictures are counted, since a purged gallery still says how many it had. */
  async find(tx: EntityManager, wanted: readonly WantedGallery[]): Promise<KnownGallery[][]> {
    const places = wanted.map((one, place) => ({ ...one, place }));
    const sources = places.filter((one) => one.source !== undefined);
    const keys = places.flatMap(({ key, place }) => (key === undefined ? [] : [{ ...key, place }]));
    const rows: KnownRow[] = await tx.query(FIND_SQL, [
      sources.map((one) => one.place),
      sources.map((one) => one.source),
      sources.map((one) => one.brandId ?? null),
      keys.map((key) => key.place),
      keys.map((key) => key.brandId),
      keys.map((key) => key.year),
      keys.map((key) => key.term),
      keys.map((key) => key.category),
    ]);
    const found = wanted.map((): KnownGallery[] => []);
    for (const row of rows) found[row.place]?.push(galleryOf(row));
    return found;
  }
}

/**
 * $1–$3 places, sources, brands; $4–$8 places and keys of shows. LATERAL with OFFSET 0, which the planner does not take
 * apart: joined freely, it reads all keys there are for the sake of two hundred.
 */
const FIND_SQL = `
  WITH found AS MATERIALIZED (
    SELECT n.place, s.gallery_id, 'source' AS by, NULL::varchar AS market
    FROM unnest($1::int[], $2::text[], $3::bigint[]) AS n (place, source, brand_id)
    CROSS JOIN LATERAL (
      SELECT gallery_id FROM gallery_sources
      WHERE source = n.source AND (n.brand_id IS NULL OR brand_id = n.brand_id) OFFSET 0
    ) AS s
    UNION ALL
    SELECT n.place, k.gallery_id, 'key', k.market
    FROM unnest($4::int[], $5::bigint[], $6::smallint[], $7::varchar[], $8::varchar[])
           AS n (place, brand_id, year, term, category)
    CROSS JOIN LATERAL (
      SELECT gallery_id, market FROM gallery_keys
      WHERE brand_id = n.brand_id AND year = n.year AND term = n.term AND category = n.category AND detail IS NULL OFFSET 0
    ) AS k
  )
  SELECT f.place, f.by, CASE f.by WHEN 'key' THEN f.market ELSE g.market END AS market,
    ${FOUND_COLUMNS}, p.stored, p.missing
  FROM found f JOIN galleries g ON g.id = f.gallery_id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE state = 'stored') AS stored, count(*) FILTER (WHERE state <> 'stored') AS missing
    FROM gallery_pictures WHERE gallery_id = g.id
  ) AS p
  ORDER BY f.place, g.id`;

function galleryOf(row: KnownRow): KnownGallery {
  return { ...foundGallery(row), stored: Number(row.stored), missing: Number(row.missing) };
}
