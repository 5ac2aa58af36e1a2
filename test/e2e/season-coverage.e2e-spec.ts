import { Reflector } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Requires } from '../../src/auth/access.decorators.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { SeasonCoverageResolver } from '../../src/galleries/season-coverage.resolver.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { askGraphql } from '../harness/graphql.js';
import { insertJobs } from '../harness/job-rows.js';
import { statementsOf } from '../harness/statements.js';

type Data = Record<string, unknown>;

interface Cell {
  year: number;
  term: string;
  category: string;
  state: string;
  via: string | null;
  galleryId: string | null;
  galleryCount: number;
  recordId: string | null;
  lastYear: number | null;
}

interface Table {
  nodes: { brand: { name: string; slug: string }; cells: Cell[] }[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

const FALL_2026 = '[{ year: 2026, term: fall }]';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.db.query('TRUNCATE brands, ingest_jobs, galleries RESTART IDENTITY CASCADE'));
afterAll(() => app.close());

const put = (name: string) => app.app.get(BrandCatalogue, { strict: false }).put(brandEntryOf({ name }));

async function idOf(name: string): Promise<string> {
  const [row] = await app.db.query<{ id: string }>('SELECT id FROM brands WHERE name = $1', [name]);
  return row?.id ?? '';
}

async function brand(name: string): Promise<string> {
  await put(name);
  return idOf(name);
}

async function ask<T>(query: string): Promise<T> {
  const { data, errors } = await askGraphql<{ it: T }>(app, query);
  expect(errors).toEqual([]);
  if (data === null) throw new Error('There is no answer');
  return data.it;
}

async function refusalOf(query: string, token?: null): Promise<unknown> {
  const { errors } = await (token === null ? askGraphql(app, query, {}, null) : askGraphql(app, query));
  return errors[0]?.extensions['code'];
}

const table = (args = '', seasons = FALL_2026): Promise<Table> =>
  ask(`{ it: seasonCoverage(seasons: ${seasons} ${args}) {
    nodes { brand { name slug } cells { year term category state via galleryId galleryCount recordId lastYear } }
    pageInfo { endCursor hasNextPage } } }`);

/** Each brand's states, by its name. */
async function states(args = '', seasons = FALL_2026): Promise<Record<string, string[]>> {
  const { nodes } = await table(args, seasons);
  return Object.fromEntries(nodes.map(({ brand: { name }, cells }) => [name, cells.map(({ state }) => state)]));
}

const crawl = async (brandId: string, row: Record<string, string | number>, category = 'rtw'): Promise<string> => {
  const [id = ''] = await insertJobs(app.db, 1, {
    kind: 'crawl',
    brand_id: brandId,
    subject_key: `runway:${brandId}:2026:fall:${category}:paris:`,
    ...row,
  });
  return id;
};

/** A brand for each state of its ready-to-wear of fall 2026, called by the state. */
async function oneOfEach(): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const state of [
    'published',
    'pending_review',
    'in_progress',
    'failed',
    'rejected',
    'skipped',
    'deleted',
    'missing',
    'none',
  ]) {
    ids[state] = await brand(state);
  }
  const of = (state: string): string => ids[state] ?? '';
  for (const status of ['published', 'pending_review', 'rejected']) {
    await insertGallery(app.db, { brandId: of(status), status });
  }
  await insertGallery(app.db, { brandId: of('deleted'), deletedAt: 5 });
  await insertGallery(app.db, { brandId: of('skipped'), deletedAt: 5 });
  await insertGallery(app.db, { brandId: of('missing'), year: 2025 });
  await insertGallery(app.db, { brandId: of('none'), year: 2020 });
  await crawl(of('skipped'), { status: 'done', outcome: 'skipped_deleted' });
  await crawl(of('in_progress'), { status: 'processing', locked_at: 9 });
  await crawl(of('failed'), { status: 'failed' });
  return ids;
}

describe('the season coverage', () => {
  it('tells who has arrived and who is missing, in the order of slugs', async () => {
    await oneOfEach();
    const { nodes } = await table('categories: ["rtw"]');
    expect(nodes.map(({ brand: { name }, cells }) => [name, cells[0]?.state])).toEqual(
      ['deleted', 'failed', 'in_progress', 'missing', 'pending_review', 'published', 'rejected', 'skipped'].map(
        (state) => [state, state],
      ),
    );
  });

  it('leads to the gallery or to the record, and marks what a co-ed show answers for', async () => {
    const id = await brand('Maison');
    const gallery = await insertGallery(app.db, { brandId: id, category: 'coed' });
    const failed = await crawl(id, { status: 'failed' }, 'couture');
    await insertGallery(app.db, { brandId: id, category: 'bridal', year: 2024 });
    const { nodes } = await table('categories: ["rtw", "coed", "couture", "bridal"]');
    const shown = (category: string, cell: Partial<Cell>): Partial<Cell> => ({
      ...{ year: 2026, term: 'fall', via: null, galleryId: null, galleryCount: 0, recordId: null, lastYear: null },
      category,
      ...cell,
    });
    expect(nodes[0]?.cells).toEqual([
      shown('rtw', { state: 'published', via: 'coed', galleryId: gallery, galleryCount: 1 }),
      shown('coed', { state: 'published', galleryId: gallery, galleryCount: 1 }),
      shown('couture', { state: 'failed', recordId: failed }),
      shown('bridal', { state: 'missing', lastYear: 2024 }),
    ]);
  });

  it('follows a show from its first crawl to its review', async () => {
    const id = await brand('Maison');
    const now = async (): Promise<string | undefined> => (await states('categories: ["rtw"]'))['Maison']?.[0];
    expect(await now()).toBeUndefined();
    const job = await crawl(id, {});
    expect(await now()).toBe('in_progress');
    await app.db.query(`UPDATE ingest_jobs SET status = 'failed' WHERE id = $1`, [job]);
    expect(await now()).toBe('failed');
    const gallery = await insertGallery(app.db, { brandId: id, status: 'pending_review' });
    expect(await now()).toBe('pending_review');
    for (const [set, state] of [
      [`status = 'rejected', updated_at = 1800000000`, 'rejected'],
      [`status = 'published'`, 'published'],
      [`deleted_at = 1800000000`, 'deleted'],
      [`forgotten_at = 1800000000`, 'failed'],
    ] as const) {
      await app.db.query(`UPDATE galleries SET ${set} WHERE id = $1`, [gallery]);
      expect([set, await now()]).toEqual([set, state]);
    }
  });

  it('is read in pages, however rare what is asked for is, by a few statements', async () => {
    await app.db.query(`
      INSERT INTO brands (id, name, slug, created_at, updated_at)
      SELECT n, 'House ' || n, 'house-' || lpad(n::text, 4, '0'), 1, 1 FROM generate_series(1, 1000) n`);
    for (const id of ['1', '2', '500', '998', '1000']) await insertGallery(app.db, { brandId: id, category: 'rtw' });
    await insertGallery(app.db, { brandId: '999', status: 'rejected' });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Table = await table(`first: 2, state: [published] ${after === null ? '' : `, after: "${after}"`}`);
      expect(page.nodes.length).toBeLessThanOrEqual(2);
      seen.push(...page.nodes.map(({ brand: { slug } }) => slug));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(['house-0001', 'house-0002', 'house-0500', 'house-0998', 'house-1000']);
    // A page that is full at once: brands, galleries, records. One that is not looks at 3, 12, 48, 192, 745 brands.
    expect(await statementsOf(app.app, () => table('first: 1'))).toBe(3);
    expect(await statementsOf(app.app, () => table('first: 2, state: [rejected]'))).toBe(15);
    expect(
      await statementsOf(app.app, () => ask(`{ it: seasonCoverageSummary(seasons: ${FALL_2026}) { year } }`)),
    ).toBe(3);
  });

  it('is of the brands that are asked for, by state, id or search', async () => {
    const ids = await oneOfEach();
    expect(Object.keys(await states('state: [missing, failed]'))).toEqual(['failed', 'missing']);
    expect(Object.keys(await states('search: "review"'))).toEqual(['pending_review']);
    const chosen = `["${ids['published']}", "${ids['deleted']}", "${ids['none']}", "999999"]`;
    expect(Object.keys(await states(`brandIds: ${chosen}`))).toEqual(['deleted', 'published']);
    const { pageInfo } = await table(`brandIds: ${chosen}, first: 1`);
    expect(pageInfo.hasNextPage).toBe(true);
    expect(Object.keys(await states(`brandIds: ${chosen}, first: 1, after: "${pageInfo.endCursor}"`))).toEqual([
      'published',
    ]);
    expect(await states('brandIds: []')).toEqual({});
  });

  it('has a cell for each season and category, in the order in which they are asked for', async () => {
    const id = await brand('Maison');
    await insertGallery(app.db, { brandId: id, year: 2025, term: 'resort', category: 'menswear' });
    const { nodes } = await table('', '[{ year: 2026, term: resort }, { year: 2025, term: resort }]');
    expect(nodes[0]?.cells.map(({ year, category, state }) => [year, category, state])).toEqual([
      [2026, 'rtw', 'none'],
      [2026, 'menswear', 'missing'],
      [2026, 'couture', 'none'],
      [2025, 'rtw', 'none'],
      [2025, 'menswear', 'published'],
      [2025, 'couture', 'none'],
    ]);
  });

  it('is summed up over all active brands', async () => {
    const ids = await oneOfEach();
    await put('quiet');
    await app.db.query(`UPDATE brands SET status = 'merged', merged_into = $1 WHERE id = $2`, [
      ids['none'],
      ids['rejected'],
    ]);
    const sums = await ask<Data[]>(
      `{ it: seasonCoverageSummary(seasons: ${FALL_2026}, categories: ["rtw", "bridal"]) {
        year term category states { state brands } } }`,
    );
    const counted = ['published', 'pending_review', 'in_progress', 'failed', 'skipped', 'deleted', 'missing'];
    const all = [...counted.slice(0, 4), 'rejected', ...counted.slice(4), 'none'];
    expect(sums).toEqual([
      {
        year: 2026,
        term: 'fall',
        category: 'rtw',
        states: all.map((state) => ({ state, brands: state === 'none' ? 2 : state === 'rejected' ? 0 : 1 })),
      },
      {
        year: 2026,
        term: 'fall',
        category: 'bridal',
        states: all.map((state) => ({ state, brands: state === 'none' ? 9 : 0 })),
      },
    ]);
  });

  it.each([
    ['seasons: []', 'seasons-invalid'],
    ['seasons: [{ year: 2026, term: fall }, { year: 2026, term: fall }]', 'seasons-invalid'],
    ['seasons: [{ year: 1979, term: fall }]', 'seasons-invalid'],
    ['seasons: [{ year: 2147483647, term: fall }]', 'seasons-invalid'],
    [`seasons: [${[1, 2, 3, 4, 5, 6, 7].map((n) => `{ year: 200${n}, term: fall }`).join()}]`, 'seasons-invalid'],
    [`seasons: ${FALL_2026}, categories: []`, 'categories-invalid'],
    [`seasons: ${FALL_2026}, categories: ["rtw", "rtw"]`, 'categories-invalid'],
    [`seasons: ${FALL_2026}, categories: ["nothing"]`, 'categories-invalid'],
    [`seasons: ${FALL_2026}, brandIds: ["x"]`, 'id-invalid'],
    [`seasons: ${FALL_2026}, brandIds: ["1"], search: "x"`, 'brands-chosen-twice'],
    [
      `seasons: ${FALL_2026}, brandIds: [${Array.from({ length: 101 }, (_, n) => `"${n + 1}"`).join()}]`,
      'too-many-ids',
    ],
  ])('is not told for %s', async (args, code) => {
    expect(await refusalOf(`{ seasonCoverage(${args}) { nodes { brand { id } } } }`)).toBe(code);
    expect(await refusalOf(`{ seasonCoverageSummary(${args}) { year } }`)).toBe(code);
  });

  it('is for viewers, and for nobody who is not signed in', async () => {
    const query = `{ seasonCoverage(seasons: ${FALL_2026}) { nodes { brand { id } } } }`;
    expect(await refusalOf(query, null)).toBe('unauthenticated');
    const { seasonCoverage, seasonCoverageSummary } = Object.getOwnPropertyDescriptors(
      SeasonCoverageResolver.prototype,
    );
    for (const { value } of [seasonCoverage, seasonCoverageSummary]) {
      expect(new Reflector().get(Requires, value as () => unknown)).toBe('viewer');
    }
    expect(await refusalOf(`{ seasonCoverage(seasons: ${FALL_2026}, after: "x") { nodes { brand { id } } } }`)).toBe(
      'cursor-invalid',
    );
    expect(await refusalOf(`{ seasonCoverage(seasons: ${FALL_2026}, first: 101) { nodes { brand { id } } } }`)).toBe(
      'page-size-invalid',
    );
  });
});
