import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type KnownGallery,
  KnownShowsRepository,
  type WantedGallery,
} from '../../src/galleries/known-shows.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { explain } from '../harness/explain.js';

const GALLERIES = 40_000;
const PICTURES = 10;

/** An archive of 40,000 shows of 1,000 brands, each with ten pictures, its own page, and the listing page of its brand. */
describe('the shows that are known', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query(
      `INSERT INTO galleries (id, kind, brand_id, year, term, category, category_source, market, created_at, updated_at)
       SELECT n, 'runway', 1 + n % 1000, 1985 + n / 1000, 'fall', 'rtw', 'season', 'paris', 1, 1 FROM generate_series(1, $1::int) n`,
      [GALLERIES],
    );
    await db.query(
      `INSERT INTO gallery_keys (gallery_id, brand_id, year, term, category, market)
       SELECT id, brand_id, year, term, category, market FROM galleries`,
    );
    await db.query(
      `INSERT INTO gallery_sources (gallery_id, brand_id, source)
       SELECT id, brand_id, unnest(ARRAY['a.example/' || id, 'a.example/brand/' || brand_id]) FROM galleries`,
    );
    await db.query(
      `INSERT INTO gallery_pictures (gallery_id, position, kind, source_url, identity, state, object_key)
       SELECT id, p, 'look', '', id || '/' || p, CASE WHEN p > 8 THEN 'missing' ELSE 'stored' END, id || '/' || p
       FROM galleries, generate_series(1, $1::int) p`,
      [PICTURES],
    );
    await db.query('VACUUM (ANALYZE) galleries, gallery_keys, gallery_sources, gallery_pictures');
  }, 120_000);

  afterAll(() => db.drop());

  it('are found, 200 at once, by one statement that reads no table from end to end', async () => {
    const wanted = Array.from({ length: 200 }, (_, n): WantedGallery => {
      const id = 1 + n * 150;
      const brandId = String(1 + (id % 1000));
      const year = 1985 + Math.floor(id / 1000);
      const key = { brandId, year, term: 'fall', category: 'rtw', market: 'paris', detail: null } as const;
      if (n % 4 === 0) return { source: `a.example/${id}` };
      if (n % 4 === 1) return { key, brandId, source: `a.example/brand/${brandId}` };
      if (n % 4 === 2) return { key, brandId };
      return { key: { ...key, year: 1900 }, brandId };
    });
    let found: KnownGallery[][] = [];
    const statements = await explain(db.dataSource, async (source) => {
      found = await new KnownShowsRepository().find(source.manager, wanted);
    });
    expect(found.map((galleries) => galleries.filter(({ by }) => by === 'key').length)).toEqual(
      wanted.map((_, n) => (n % 4 === 1 || n % 4 === 2 ? 1 : 0)),
    );
    expect(found[4]).toEqual([
      expect.objectContaining({ id: '601', by: 'source', stored: 8, missing: 2, market: 'paris' }),
    ]);
    expect(found[5]?.filter(({ by }) => by === 'source')).toHaveLength(40);
    expect(statements).toHaveLength(1);
    expect(statements[0]?.seqScans).toEqual([]);
  });
});
