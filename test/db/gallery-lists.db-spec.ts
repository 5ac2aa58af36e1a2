import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { GalleryDetailsRepository } from '../../src/galleries/gallery-details.repository.js';
import {
  GALLERY_BUDGETS,
  GalleryListRepository,
  sortKeyOf,
  type GalleryFilter,
  type GallerySort,
} from '../../src/galleries/gallery-list.repository.js';
import { GalleryReadRepository, type GalleryView } from '../../src/galleries/gallery-read.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { explain, type Explained } from '../harness/explain.js';

const GALLERIES = 100_000;
/** This market's galleries are the oldest two. */
const RARE = 'dakar';
/** The galleries of this brand are a tenth of all. */
const DOMINANT = '1';
const LIVE: GalleryFilter = { deleted: false };

/** 100,000 galleries with five pictures each. Bounds are in pages touched. */
describe('lists of many galleries', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query(`
      INSERT INTO galleries (kind, brand_id, year, term, category, category_source, market, status, deleted_at, suspect,
        picture_count, missing_count, expected_count, created_at, updated_at)
      SELECT CASE WHEN n % 50 = 0 THEN 'street' ELSE 'runway' END,
        CASE WHEN n % 50 = 0 THEN 0 WHEN n % 10 = 1 THEN 1 ELSE 2 + n % 500 END,
        2010 + n % 16, (ARRAY['spring', 'fall', 'resort', 'pre_fall'])[1 + n / 16 % 4],
        CASE WHEN n % 5 = 0 THEN 'menswear' ELSE 'rtw' END, CASE WHEN n % 97 = 0 OR n = 30003 THEN 'default' ELSE 'season' END,
        CASE WHEN n <= 2 THEN '${RARE}' ELSE 'paris' END,
        CASE WHEN n % 200 = 0 THEN 'pending_review' WHEN n % 1000 = 1 THEN 'rejected' ELSE 'published' END,
        CASE WHEN n % 41 = 0 THEN 1700000000 ELSE 0 END, n = 4000,
        10, CASE WHEN n % 10000 = 3 THEN 1 ELSE 0 END, 10, 1, 1700000000 + n::bigint * 7919 % ${GALLERIES}
      FROM generate_series(1, ${GALLERIES}) n`);
    // Galleries 7 and 8 share a picture; a placeholder is in every gallery of the trash.
    for (let from = 1; from <= GALLERIES; from += 20_000) {
      await db.query(
        `INSERT INTO gallery_pictures (gallery_id, position, kind, source_url, identity, state, object_key, sha256)
         SELECT g, n, 'look', 'https://pictures.example/' || n, n, 'stored', 'runway/' || g || '/' || n,
           CASE WHEN g IN (7, 8) AND n = 4 THEN 'shared' WHEN g % 41 = 0 AND n = 1 THEN 'placeholder'
                ELSE md5(g || '/' || n) END
         FROM generate_series($1::int, $1::int + 19999) g, generate_series(1, 5) n`,
        [from],
      );
    }
    await db.query(`
      INSERT INTO gallery_keys (gallery_id, brand_id, year, term, category, market, detail)
      SELECT id, brand_id, year, term, category, market, id FROM galleries`);
    await db.query(`
      INSERT INTO gallery_events (gallery_id, at, actor, action)
      SELECT 1 + n % 1000, 1700000000 + n, 'eve', 'published' FROM generate_series(1, 100000) n`);
    for (const table of ['galleries', 'gallery_pictures', 'gallery_keys', 'gallery_events']) {
      await db.query('CHECKPOINT');
      await db.query(`VACUUM (ANALYZE) ${table}`);
    }
  }, 240_000);
  afterAll(() => db.drop());

  const lists = (source: DataSource = db.dataSource): GalleryListRepository => new GalleryListRepository(source);

  async function costOf(work: (source: DataSource) => Promise<unknown>): Promise<Explained> {
    const statements = await explain(db.dataSource, work);
    expect(statements).toHaveLength(1);
    const [statement] = statements;
    if (statement === undefined) throw new Error('Nothing was asked');
    return statement;
  }

  /** All pages, one after the other. */
  async function all(filter: GalleryFilter, sort: GallerySort = 'newest'): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let after: readonly string[] | undefined;
    for (let pages = 1; ; pages++) {
      const page = await lists().page(filter, sort, 100, after);
      ids.push(...page.rows.map(({ id }) => id));
      if (!page.hasNextPage) return { ids, pages };
      const last = page.rows.at(-1);
      after = page.end ?? (last && sortKeyOf(last, sort));
    }
  }

  const middle = String(GALLERIES / 2);
  it.each<[string, Partial<GalleryFilter>, GallerySort, string[] | undefined, number]>([
    ['the newest', {}, 'newest', undefined, 60],
    ['a page deep down', {}, 'newest', ['500'], 60],
    ['the oldest', {}, 'oldest', undefined, 60],
    ['the last updated', {}, 'updated', undefined, 250],
    ['the last updated, deep down', {}, 'updated', ['1700000500', middle], 250],
    ['those that wait', { status: 'pending_review' }, 'newest', undefined, 250],
    ['a rare status, deep down', { status: 'rejected' }, 'newest', ['30000'], 250],
    ['what is published', { status: 'published' }, 'newest', undefined, 60],
    ['a brand', { brandId: '77' }, 'newest', undefined, 350],
    ['a brand of thousands', { brandId: DOMINANT }, 'newest', undefined, 350],
    ['a brand of thousands, deep down', { brandId: DOMINANT }, 'oldest', [middle], 350],
    ['street style', { kind: 'street' }, 'newest', undefined, 350],
    ['shows', { kind: 'runway' }, 'newest', undefined, 60],
    ['a season', { year: 2015, term: 'fall' }, 'newest', undefined, 350],
    ['a season, deep down', { year: 2015, term: 'fall' }, 'newest', ['30000'], 350],
    ['the trash', { deleted: true }, 'newest', undefined, 250],
    // A small trash is sorted: it lies in the order of ids. A larger one has an index of its own.
    ['the trash, the last updated', { deleted: true }, 'updated', undefined, 2_500],
    ['what is suspect, which is one', { flags: ['suspect'] }, 'newest', undefined, 20],
    ['what is partial', { flags: ['partial'] }, 'newest', undefined, 60],
    ['what was guessed', { flags: ['guessed_category'] }, 'newest', undefined, 250],
    [
      'what is guessed of a season that waits',
      { flags: ['guessed_category'], year: 2015, term: 'fall', status: 'pending_review' },
      'newest',
      undefined,
      1_300,
    ],
    // Nothing fits: the whole budget is looked through, and no more.
    ['a market that nobody has', { market: 'almaty' }, 'newest', undefined, 1_000],
    ['a market of old', { market: RARE }, 'newest', undefined, 1_000],
    [
      'a category of a market, in the order of updates',
      { category: 'couture', market: 'milan' },
      'updated',
      undefined,
      25_000,
    ],
    ['shared pictures, which are old', { flags: ['shared_pictures'] }, 'newest', undefined, 25_000],
  ])('read %s without reading all', async (_, filter, sort, after, pages) => {
    const { buffers, seqScans, indexes, sql } = await costOf((source) =>
      lists(source).page({ ...LIVE, ...filter }, sort, 100, after),
    );
    expect((buffers > pages || seqScans.length > 0) && { buffers, seqScans, indexes, sql }).toBe(false);
  });

  it('end a page where its budget ends, and find on the next ones what there is', async () => {
    const first = await lists().page({ ...LIVE, market: RARE }, 'newest', 20);
    expect(first.rows).toEqual([]);
    expect(first.hasNextPage).toBe(true);
    const live = await db.query<{ id: string }>(
      `SELECT id FROM galleries WHERE deleted_at = 0 ORDER BY id DESC OFFSET ${GALLERY_BUDGETS.rows - 1} LIMIT 1`,
    );
    expect(first.end).toEqual([live[0]?.id]);
    expect(await all({ ...LIVE, market: RARE })).toEqual({ ids: ['2', '1'], pages: 5 });
    expect(await all({ ...LIVE, market: RARE }, 'oldest')).toEqual({ ids: ['1', '2'], pages: 5 });
    expect((await all({ ...LIVE, market: RARE }, 'updated')).ids.sort()).toEqual(['1', '2']);
    expect((await all({ ...LIVE, market: RARE, brandId: DOMINANT })).ids).toEqual(['1']);
  }, 30_000);

  it('know which galleries share a picture, and the trash does not count', async () => {
    const rare = { ...LIVE, flags: ['shared_pictures'] as const };
    const page = await lists().page(rare, 'oldest', 20);
    expect(page.rows.map(({ id }) => id)).toEqual(['7', '8']);
    expect(page.hasNextPage).toBe(true);
    expect((await lists().page({ ...rare, brandId: '9' }, 'oldest', 20)).rows.map(({ id }) => id)).toEqual(['7']);
    expect((await all({ deleted: true, flags: ['shared_pictures'] })).ids).toEqual([]);
  });

  it.each<[string, GalleryFilter, (row: Record<string, unknown>) => boolean]>([
    [
      'flags',
      { ...LIVE, flags: ['partial', 'guessed_category'] },
      (row) => row['missing'] === 1 && row['source'] === 'default',
    ],
    [
      'everything',
      { ...LIVE, kind: 'runway', status: 'published', year: 2015, category: 'rtw', market: 'paris', brandId: DOMINANT },
      (row) =>
        row['kind'] === 'runway' &&
        row['status'] === 'published' &&
        row['year'] === 2015 &&
        row['category'] === 'rtw' &&
        row['market'] === 'paris' &&
        row['brand'] === DOMINANT,
    ],
    [
      'a term alone',
      { ...LIVE, term: 'resort', status: 'rejected' },
      (row) => row['term'] === 'resort' && row['status'] === 'rejected',
    ],
  ])(
    'hold what all conditions hold for: %s',
    async (_, filter, fits) => {
      const rows = await db.query<Record<string, unknown>>(
        `SELECT id, kind, status, year, term, category, market, brand_id AS brand, missing_count AS missing, category_source AS source
       FROM galleries WHERE deleted_at = 0 ORDER BY id DESC`,
      );
      const expected = rows.filter(fits).map((row) => row['id']);
      expect(expected.length).toBeGreaterThan(0);
      expect((await all(filter)).ids).toEqual(expected);
      expect(new Set((await all(filter, 'updated')).ids)).toEqual(new Set(expected));
    },
    30_000,
  );

  it.each<[string, number, (source: DataSource, ids: string[]) => Promise<unknown>]>([
    ['covers', 1_000, (source, ids) => new GalleryReadRepository(source).coversOf(ids)],
    ['keys', 500, (source, ids) => new GalleryDetailsRepository(source).keysOf(ids)],
    ['histories', 1_500, (source, ids) => new GalleryDetailsRepository(source).historiesOf(ids, 5, undefined)],
    ['shared pictures', 12_000, (source, ids) => new GalleryDetailsRepository(source).sharing(ids)],
    ['galleries that share', 12_000, (source, ids) => new GalleryDetailsRepository(source).sharedWith(ids)],
  ])('read %s of a hundred galleries without reading others', async (_, pages, work) => {
    const ids = Array.from({ length: 100 }, (__, n) => String(n + 1));
    const { buffers, seqScans, sql } = await costOf((source) => work(source, ids));
    expect((buffers > pages || seqScans.length > 0) && { buffers, seqScans, sql }).toBe(false);
  });

  it('tell of two galleries with whom they share', async () => {
    const details = new GalleryDetailsRepository(db.dataSource);
    const others = await details.sharedWith(['7', '8', '9', '41']);
    const idsOf = (views: GalleryView[] | undefined): string[] | undefined => views?.map(({ id }) => id);
    expect(['7', '8', '9', '41'].map((id) => idsOf(others.get(id)))).toEqual([['8'], ['7'], [], []]);
    expect([...(await details.sharing(['7', '8', '9', '41'])).keys()].sort()).toEqual(['7', '8']);
  });
});
