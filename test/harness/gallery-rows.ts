import type { TestDatabase } from './database.js';

/** A gallery of a brand as a crawl would have left it, with `stored` and `missing` pictures. */
export interface GalleryRow {
  brandId: string;
  year?: number | null;
  term?: string | null;
  category?: string;
  market?: string | null;
  status?: string;
  deletedAt?: number;
  stored?: number;
  missing?: number;
  sources?: string[];
}

/** Inserts a gallery, its key, sources and pictures, past the crawl that would make them. @returns its id */
export async function insertGallery(db: Pick<TestDatabase, 'query'>, row: GalleryRow): Promise<string> {
  const { brandId, year = 2026, term = 'fall', category = 'rtw', market = 'paris', stored = 2, missing = 0 } = row;
  const [gallery] = await db.query<{ id: string }>(
    `INSERT INTO galleries (kind, brand_id, year, term, category, category_source, market, status, deleted_at, picture_count,
       missing_count, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'season', $6, $7, $8, $9, $10, 1, 1) RETURNING id`,
    [
      brandId === '0' ? 'street' : 'runway',
      brandId,
      year,
      term,
      category,
      market,
      row.status ?? 'published',
      row.deletedAt ?? 0,
      stored,
      missing,
    ],
  );
  const id = gallery?.id ?? '';
  await db.query(
    `INSERT INTO gallery_keys (gallery_id, brand_id, year, term, category, market, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, brandId, year, term, category, market, brandId === '0' ? `all||${id}` : null],
  );
  await db.query(`INSERT INTO gallery_sources (gallery_id, brand_id, source) SELECT $1, $2, unnest($3::text[])`, [
    id,
    brandId,
    row.sources ?? [],
  ]);
  await db.query(
    `INSERT INTO gallery_pictures (gallery_id, position, kind, source_url, identity, state, object_key)
     SELECT $1::bigint, n, 'look', 'https://pictures.example/' || n, 'p' || n,
       CASE WHEN n <= $2 THEN 'stored' ELSE 'failed' END, 'k/' || $1::text || '/' || n
     FROM generate_series(1, $3::int) AS n`,
    [id, stored, stored + missing],
  );
  return id;
}
