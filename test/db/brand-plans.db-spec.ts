import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { type BrandPage, BrandsRepository } from '../../src/brands/brands.repository.js';
import { BrandGalleriesRepository } from '../../src/galleries/brand-galleries.repository.js';
import { UnknownBrandsRepository } from '../../src/ingest/unknown-brands.repository.js';
import { BrandRecordsRepository } from '../../src/jobs/brand-records.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { explain, type Explained } from '../harness/explain.js';

const PAGE = 100;
/** Half of all failed records are this brand's, and all but a few of them are old. */
const DOMINANT = '1';
const FIFTY = Array.from({ length: 50 }, (_, n) => String(n + 1));

/**
 * 10,000 brands with 20,000 aliases, 100,000 galleries, 100,000 refusals by 50,000 names, and 200,000 records. Bounds are in
 * pages touched.
 */
describe('plans of what editors see of brands', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query(`
      INSERT INTO brands (id, name, slug, created_at, updated_at, status, merged_into)
      SELECT n, 'House ' || n, 'house-' || n, 1700000000 + n * 7919 % 10000, 1,
        CASE WHEN n % 100 = 0 THEN 'merged' ELSE 'active' END, CASE WHEN n % 100 = 0 THEN n - 1 END
      FROM generate_series(1, 10000) n`);
    await db.query(`
      INSERT INTO brand_aliases (brand_id, alias_key, alias, source)
      SELECT id, 'house' || id || suffix, name || suffix, 'alias' FROM brands, unnest(ARRAY['', 'studio']) AS suffix`);
    await db.query(`
      INSERT INTO galleries (kind, brand_id, category, category_source, status, deleted_at, created_at, updated_at)
      SELECT 'runway', 1 + n % 200, 'rtw', 'season',
        CASE WHEN n % 7 = 0 THEN 'pending_review' ELSE 'published' END, CASE WHEN n % 11 = 0 THEN 5 ELSE 0 END, 1, 1
      FROM generate_series(1, 100000) n`);
    await db.query(`
      INSERT INTO ingest_refusals (crawler_id, code, brand, last_title, count, first_seen_at, last_seen_at)
      SELECT 1 + n % 2, CASE WHEN n % 4 < 2 THEN 'brand-unknown' WHEN n % 4 = 2 THEN 'brand-mismatch' ELSE 'type-unknown' END,
        'Name ' || n / 2, 't', 1, 1, 1700000000 + n / 3
      FROM generate_series(1, 100000) n`);
    await db.query(`
      INSERT INTO ingest_jobs (kind, payload, status, attempts, created_at, updated_at, next_attempt_at, brand_id, subject_key)
      SELECT 'crawl', '{}', CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'done' END, 1, 1,
        CASE WHEN n % 100 = 0 THEN extract(epoch FROM now())::bigint ELSE 1 END, 0,
        CASE WHEN n % 4 < 2 THEN ${DOMINANT} ELSE 2 + n % 500 END, 'runway:1:x'
      FROM generate_series(1, 200000) n`);
    // The test server commits before it has flushed, and what is not flushed cannot be marked as visible to all.
    for (const table of ['brands', 'brand_aliases', 'galleries', 'ingest_refusals', 'ingest_jobs']) {
      await db.query('CHECKPOINT');
      await db.query(`VACUUM ${table}`);
    }
    await db.query('ANALYZE brands, brand_aliases, galleries, ingest_refusals, ingest_jobs');
  }, 120_000);
  afterAll(() => db.drop());

  async function cheap(
    pages: number,
    work: (dataSource: DataSource) => Promise<unknown>,
    readWhole: readonly string[] = [],
  ): Promise<Explained[]> {
    const statements = await explain(db.dataSource, work);
    expect(statements).toHaveLength(1);
    for (const { buffers, seqScans, indexes, sql } of statements) {
      const dear = buffers > pages || seqScans.some((table) => !readWhole.includes(table));
      expect(dear && { buffers, seqScans, indexes, sql }).toBe(false);
    }
    return statements;
  }

  const page = (asked: Partial<BrandPage>) => (source: DataSource) =>
    new BrandsRepository(source).page({ first: PAGE, sort: 'slug', ...asked });
  const search = (key: string, words: string[] | null = null, id?: string) => ({ search: { key, words, id } });

  it.each<[string, Partial<BrandPage>]>([
    ['by slug', {}],
    ['by slug, deep down', { after: ['house-9'] }],
    ['the newest', { sort: 'newest' }],
    ['the newest, deep down', { sort: 'newest', after: ['1700000100', '5'] }],
  ])('reads a page of brands %s', (_, asked) => cheap(250, page(asked)));

  // All aliases are read, once, however rare the name is: 20,000 are 160 pages.
  it.each<[string, Partial<BrandPage>]>([
    ['a frequent name', search('house')],
    ['a rare name', search('house777studio')],
    ['a name that nobody has', search('nobody')],
    ['words', search('studiohouse', ['studio', 'house77'])],
    ['a hashid', search('k5x2', null, '100')],
    ['a deep page of a frequent name', { ...search('house'), after: ['house-9'] }],
    ['the newest of a frequent name', { ...search('house'), sort: 'newest' }],
  ])('searches for %s', (_, asked) => cheap(1_000, page(asked), ['brand_aliases', 'brands']));

  it('reads the names that two brands share, of fifty brands', () =>
    cheap(1_000, (source) => new BrandsRepository(source).sharedNamesOf(FIFTY), ['brand_aliases', 'brands']));

  it('reads the parts of fifty brands', () => cheap(300, (source) => new BrandsRepository(source).partsOf(FIFTY)));

  it('counts the shows of fifty brands off an index', async () => {
    const [statement] = await cheap(300, (source) => new BrandGalleriesRepository(source).showsOf(FIFTY));
    expect(statement?.indexes).toEqual(['galleries_brand_id_status_idx']);
  });

  it('counts the failures of seven days, however many failed before', async () => {
    const counts = await new BrandRecordsRepository(db.dataSource).recentFailures(FIFTY, 604_800, 1_000);
    expect(counts.get(DOMINANT)).toBe(40);
    await cheap(12_000, (source) => new BrandRecordsRepository(source).recentFailures(FIFTY, 604_800, 1_000));
    await cheap(1_200, (source) => new BrandRecordsRepository(source).recentFailures([DOMINANT], 604_800, 1_000));
  });

  // A row that moves is written into every index of the table.
  it.each([undefined, '150001'])('moves a batch of records without reading others, from %s on', async (before) => {
    const move = { from: DOMINANT, into: '9999', keyPrefixes: [{ from: 'runway:1:', into: 'runway:9:' }], before };
    const [statement] = await cheap(75_000, (source) =>
      new BrandRecordsRepository(source).reassign(source.manager, { ...move, limit: 1_000 }),
    );
    expect(statement?.sorted).toBe(1_000);
  });

  it.each<[string, string[] | undefined, string | undefined]>([
    ['the first page', undefined, undefined],
    ['a page deep down', ['1700001000', 'Name 1500'], undefined],
    ['the first page of one crawler', undefined, '2'],
    ['a deep page of one crawler', ['1700001000', 'Name 1500'], '2'],
  ])('reads unknown brands: %s', async (_, after, crawler) => {
    await cheap(4_000, (source) => new UnknownBrandsRepository(source).page(PAGE, after, crawler), ['crawlers']);
  });
});
