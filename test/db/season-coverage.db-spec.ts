import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { coveringCategories, lookedAtSeasons, type Season } from '../../src/galleries/season-coverage.js';
import { SeasonCoverageRepository } from '../../src/galleries/season-coverage.repository.js';
import { BrandSubjectsRepository } from '../../src/jobs/brand-subjects.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { explain, type Explained } from '../harness/explain.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { insertJobs } from '../harness/job-rows.js';

const BRANDS = 1_000;
const IDS = Array.from({ length: BRANDS }, (_, n) => String(n + 1));
/** Half of all jobs are this brand's, and a half of these failed. */
const DOMINANT = '1';

const ASKED = { kind: 'crawl', outcomes: ['skipped_deleted'], perBrand: 200 };
const SEASONS: Season[] = [2026, 2025, 2024].flatMap((year) =>
  (['spring', 'fall'] as const).map((term) => ({ year, term })),
);
const CATEGORIES = ['rtw', 'menswear', 'couture', 'bridal'];

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

describe('what a brand’s crawls are about', () => {
  it('is the newest of each show and each way to end, of crawls alone', async () => {
    const brand = { brand_id: 5001, kind: 'crawl' };
    const put = async (row: Record<string, string | number>, count = 1): Promise<string> =>
      (await insertJobs(db, count, { ...brand, ...row })).at(-1) ?? '';
    const waits = await put({ subject_key: 'a' }, 2);
    const failed = await put({ subject_key: 'a', status: 'failed', updated_at: 7 }, 3);
    const runs = await put({ subject_key: 'b', status: 'processing', locked_at: 9 });
    const skipped = await put({ subject_key: 'b', status: 'done', outcome: 'skipped_deleted' }, 2);
    await put({ subject_key: 'c', status: 'done', outcome: 'created' });
    await put({ subject_key: '', status: 'failed' });
    await put({ subject_key: 'd', kind: 'media_refill' });
    const other = await put({ subject_key: 'a', brand_id: 5002 });

    const records = await new BrandSubjectsRepository(db.dataSource).newestOfBrands(['5001', '5002', '5003'], ASKED);
    const found = records.map(({ brandId, subjectKey, status, id }) => [brandId, subjectKey, status, id]);
    expect(found.sort()).toEqual(
      [
        ['5001', 'a', 'failed', failed],
        ['5001', 'a', 'pending', waits],
        ['5001', 'b', 'done', skipped],
        ['5001', 'b', 'processing', runs],
        ['5002', 'a', 'pending', other],
      ].sort(),
    );
    expect(records.find(({ id }) => id === failed)).toMatchObject({ outcome: null, updatedAt: 7 });
    const one = await new BrandSubjectsRepository(db.dataSource).newestOfBrands(['5001'], { ...ASKED, perBrand: 1 });
    // Of those that wait the newest is none of a show's crawl, of those that failed it is about nothing.
    expect(one.map(({ id }) => id).sort()).toEqual([runs, skipped].sort());
  });
});

describe('a brand’s shows', () => {
  it('are counted by season, category and state, without street style and what was forgotten', async () => {
    const put = (more: object) => insertGallery(db, { brandId: '6001', ...more });
    await put({});
    const newest = await put({ market: 'tokyo' });
    const rejected = await put({ market: 'milan', status: 'rejected' });
    const deleted = await put({ market: 'london', status: 'pending_review', deletedAt: 5 });
    const forgotten = await put({ market: 'berlin', deletedAt: 5 });
    await db.query('UPDATE galleries SET forgotten_at = 6 WHERE id = $1', [forgotten]);
    await db.query('UPDATE galleries SET updated_at = 9 WHERE id = $1', [newest]);
    await put({ category: 'bridal' });
    await put({ year: 2025 });
    await put({ term: 'spring' });
    await put({ year: null });
    await insertGallery(db, { brandId: '0' });
    const earlier = await put({ year: 2023, term: 'resort' });

    const shows = await new SeasonCoverageRepository(db.dataSource).showsOf(
      ['6001', '6002', '0'],
      [
        { year: 2026, term: 'fall' },
        { year: 2023, term: 'resort' },
      ],
      ['rtw', 'coed'],
    );
    expect([...shows.keys()]).toEqual(['6001']);
    const row = (state: string, newestId: string, more = {}) =>
      expect.objectContaining({ year: 2026, term: 'fall', category: 'rtw', state, newestId, ...more });
    expect(shows.get('6001')).toHaveLength(4);
    expect(shows.get('6001')).toEqual(
      expect.arrayContaining([
        row('published', newest, { count: 2, updatedAt: 9 }),
        row('rejected', rejected, { count: 1 }),
        row('deleted', deleted),
        row('published', earlier, { year: 2023, term: 'resort' }),
      ]),
    );
  });
});

/** 1,000 brands with shows in ten years, four terms and three categories; 200,000 jobs. Bounds are in pages touched. */
describe('plans of the season coverage', () => {
  beforeAll(async () => {
    await db.query('TRUNCATE galleries, ingest_jobs CASCADE');
    await db.query(`
      INSERT INTO galleries (kind, brand_id, year, term, category, category_source, status, deleted_at, created_at, updated_at)
      SELECT 'runway', b, y, t, c, 'season', CASE WHEN b % 7 = 0 THEN 'pending_review' ELSE 'published' END,
        CASE WHEN b % 11 = 0 THEN 5 ELSE 0 END, 1, 1
      FROM generate_series(2017, 2026) y, unnest(ARRAY['spring', 'fall', 'resort', 'pre_fall']) t,
        unnest(ARRAY['rtw', 'menswear', 'couture']) c, generate_series(1, ${BRANDS}) b`);
    await db.query(`
      INSERT INTO ingest_jobs (kind, payload, status, outcome, attempts, created_at, updated_at, next_attempt_at, brand_id, subject_key)
      SELECT CASE WHEN n % 10 = 0 THEN 'media_refill' ELSE 'crawl' END, '{}',
        CASE WHEN n % 4 < 2 OR n % 40 = 2 THEN 'failed' ELSE 'done' END,
        CASE WHEN n % 4 < 2 OR n % 40 = 2 THEN NULL WHEN n % 5 = 0 THEN 'skipped_deleted' ELSE 'created' END,
        1, 1, 1, 0, CASE WHEN n % 4 IN (0, 3) THEN ${DOMINANT} ELSE 1 + n / 4 % ${BRANDS} END,
        'runway:1:' || 2017 + n % 10 || ':fall:rtw::'
      FROM generate_series(1, 200000) n`);
    // The table's statistics know nothing of these, as when ten thousand came in a moment ago.
    await db.query('ANALYZE galleries, ingest_jobs');
    await db.query(`
      INSERT INTO ingest_jobs (kind, payload, created_at, updated_at, next_attempt_at, brand_id, subject_key)
      SELECT 'crawl', '{}', 1, 1, 1, 1 + n % ${BRANDS}, 'runway:1:2026:fall:rtw::' FROM generate_series(1, 10000) n`);
    // The test server commits before it has flushed, and what is not flushed cannot be marked as visible to all.
    for (const table of ['galleries', 'ingest_jobs']) {
      await db.query('CHECKPOINT');
      await db.query(`VACUUM ${table}`);
    }
  }, 120_000);

  async function cheap(pages: number, work: (source: DataSource) => Promise<unknown>): Promise<Explained> {
    const statements = await explain(db.dataSource, work);
    const [statement] = statements;
    expect(statements).toHaveLength(1);
    if (statement === undefined) throw new Error('Nothing was asked');
    const { buffers, seqScans, indexes, sql } = statement;
    expect((buffers > pages || seqScans.length > 0) && { buffers, seqScans, indexes, sql }).toBe(false);
    return statement;
  }

  const shows = (ids: readonly string[], seasons: readonly Season[]) => (source: DataSource) =>
    new SeasonCoverageRepository(source).showsOf(ids, lookedAtSeasons(seasons), coveringCategories(CATEGORIES));
  const subjects = (ids: readonly string[]) => (source: DataSource) =>
    new BrandSubjectsRepository(source).newestOfBrands(ids, ASKED);

  it.each([
    [20, 1, 150],
    [20, 6, 150],
    [BRANDS, 1, 6_000],
    [BRANDS, 6, 6_000],
  ])('reads the shows of %i brands and %i seasons off an index alone', async (brands, seasons, pages) => {
    const statement = await cheap(pages, shows(IDS.slice(0, brands), SEASONS.slice(0, seasons)));
    expect(statement.indexes).toEqual(['galleries_brand_id_season_idx']);
    expect(statement.plan).not.toMatchObject({ 'Node Type': 'Seq Scan' });
  });

  it('reads the newest crawls of brands, however many the first one has', async () => {
    await cheap(1_200, subjects([DOMINANT]));
    await cheap(3_500, subjects(IDS.slice(0, 20)));
    // A page and a bit for each job that is looked at: 60 of most brands, 800 at most.
    const statement = await cheap(90_000, subjects(IDS));
    expect(new Set(statement.indexes)).toEqual(
      new Set(['ingest_jobs_brand_id_unfinished_idx', 'ingest_jobs_brand_id_outcome_idx']),
    );
  });
});
