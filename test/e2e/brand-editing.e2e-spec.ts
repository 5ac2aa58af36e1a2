import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { askGraphql } from '../harness/graphql.js';
import { insertJobs } from '../harness/job-rows.js';
import { drainJobs } from '../harness/jobs-app.js';
import { statementsOf } from '../harness/statements.js';

type Data = Record<string, unknown>;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.db.query('TRUNCATE brands, ingest_jobs, galleries, ingest_job_attempts RESTART IDENTITY CASCADE'));
afterAll(() => app.close());

const put = (value: Data) => app.app.get(BrandCatalogue, { strict: false }).put(brandEntryOf(value));

async function ask(query: string, variables: Data = {}): Promise<Data> {
  const { data, errors } = await askGraphql(app, query, variables);
  expect(errors).toEqual([]);
  return data ?? {};
}

async function codeOf(query: string): Promise<unknown> {
  const { errors } = await askGraphql(app, query);
  return errors[0]?.extensions['code'];
}

describe('the search for brands', () => {
  const found = async (search: string, more = ''): Promise<string[]> => {
    const data = await ask(`query ($search: String) { brands(search: $search ${more}) { nodes { name } } }`, {
      search,
    });
    return (data['brands'] as { nodes: { name: string }[] }).nodes.map(({ name }) => name);
  };

  it('finds names, Chinese names, slugs and aliases in any spelling, and words in any order', async () => {
    await put({ id: 1, name: 'Maison Éclair', name_zh: '闪电之家', slug: 'eclair-paris', aliases: ['H&M Studio'] });
    await put({ id: 2, name: 'Éclair' });
    for (const text of ['ECLAIR paris', 'maison eclair', 'éclair maison', 'son ecl', '电之', 'h & m', 'studio  hm']) {
      expect([text, await found(text)]).toEqual([text, ['Maison Éclair']]);
    }
    expect(await found('ecl')).toEqual(['Éclair', 'Maison Éclair']);
    for (const text of ['maison prada', 'x', '%', '_', '!!!', 'h x', 'x'.repeat(10_000), '闪'.repeat(10_000)]) {
      expect([text.slice(0, 20), await found(text)]).toEqual([text.slice(0, 20), []]);
    }
    expect(await found('  ')).toHaveLength(2);
  });

  it('leaves merged brands out unless it is asked for them, but finds the survivor by their names', async () => {
    await put({ id: 1, name: 'Burberry' });
    const prorsum = await put({ id: 2, name: 'Prorsum' });
    await ask('mutation { mergeBrand(id: 2, into: 1) { done } }');
    expect(await found('')).toEqual(['Burberry']);
    expect(await found('prorsum')).toEqual(['Burberry']);
    expect(await found('prorsum', ', status: [merged]')).toEqual(['Prorsum']);
    expect(await found('', ', status: [merged, active]')).toEqual(['Burberry', 'Prorsum']);
    const data = await ask(
      `{ brands(search: " ${prorsum.hashid} ") { nodes { name status survivor { name parts { name } } } } }`,
    );
    expect(data['brands']).toEqual({
      nodes: [{ name: 'Prorsum', status: 'merged', survivor: { name: 'Burberry', parts: [{ name: 'Prorsum' }] } }],
    });
    expect(await found(prorsum.hashid, ', status: [active]')).toEqual([]);
  });

  it('lists the newest first when asked, in pages', async () => {
    for (const name of ['C', 'A', 'B']) await put({ name });
    const page = async (after: string | null): Promise<[string[], string | null]> => {
      const query = `query ($after: String) { brands(sort: newest, first: 2, after: $after) {
        nodes { name } pageInfo { endCursor hasNextPage } } }`;
      const { brands } = (await ask(query, { after })) as {
        brands: { nodes: { name: string }[]; pageInfo: { endCursor: string } };
      };
      return [brands.nodes.map(({ name }) => name), brands.pageInfo.endCursor];
    };
    const [first, cursor] = await page(null);
    expect([first, (await page(cursor))[0]]).toEqual([['B', 'A'], ['C']]);
    expect(await codeOf(`{ brands(after: "${cursor ?? ''}") { nodes { id } } }`)).toBe('cursor-invalid');
  });
});

describe('what a brand shows', () => {
  const FIELDS = `showCount pendingCount updateRecordCount { count capped } lastUpdate { id status outcome } failures7d
    sharedNames { alias brand { name } } parts { id } survivor { id }`;

  it('is how many shows wait, what came last, and how much failed lately', async () => {
    await put({ id: 1, name: 'Gucci', aliases: ['GG'] });
    await put({ id: 2, name: 'Other', aliases: ['gg'] });
    await insertGallery(app.db, { brandId: '1', status: 'pending_review' });
    await insertGallery(app.db, { brandId: '1', year: 2025 });
    await insertGallery(app.db, { brandId: '1', year: 2024, deletedAt: 5 });
    const now = Math.floor(Date.now() / 1000);
    await insertJobs(app.db, 2, { brand_id: 1, status: 'failed', updated_at: now - 7 * 86_400 - 60 });
    await insertJobs(app.db, 3, { brand_id: 1, status: 'failed', updated_at: now - 6 * 86_400 });
    const [last] = await insertJobs(app.db, 1, { brand_id: 1, status: 'done', outcome: 'created', updated_at: now });
    const data = await ask(`{ one: brand(id: 1) { ${FIELDS} } none: brand(id: 2) { ${FIELDS} } }`);
    expect(data).toEqual({
      one: {
        showCount: 2,
        pendingCount: 1,
        updateRecordCount: { count: 6, capped: false },
        lastUpdate: { id: last, status: 'done', outcome: 'created' },
        failures7d: 3,
        sharedNames: [{ alias: 'GG', brand: { name: 'Other' } }],
        parts: [],
        survivor: null,
      },
      none: {
        showCount: 0,
        pendingCount: 0,
        updateRecordCount: { count: 0, capped: false },
        lastUpdate: null,
        failures7d: 0,
        sharedNames: [{ alias: 'gg', brand: { name: 'Gucci' } }],
        parts: [],
        survivor: null,
      },
    });
    await insertJobs(app.db, 1_001, { brand_id: 2, status: 'failed', updated_at: now });
    expect(await ask('{ brand(id: 2) { updateRecordCount { count capped } failures7d } }')).toEqual({
      brand: { updateRecordCount: { count: 1_000, capped: true }, failures7d: 1_000 },
    });
  });

  it('takes one statement a field for fifty brands', async () => {
    for (let id = 1; id <= 50; id++) {
      await put({ id, name: `House ${id}`, aliases: ['Shared'] });
      await insertJobs(app.db, 2, { brand_id: id, status: 'failed' });
      await insertGallery(app.db, { brandId: String(id) });
    }
    const query = `{ brands(first: 50) { nodes { ${FIELDS} } } }`;
    // The brands; shows, record counts, last records, failures, shared names and their brands, parts.
    expect(await statementsOf(app.app, () => ask(query))).toBe(8);
  });
});

describe('mutations of brands', () => {
  it('make, change, rename, merge and delete them', async () => {
    const made = await ask(
      `mutation { createBrand(input: { name: "Jil Sander", nameZh: "吉尔", aliases: ["JS"] }) { id slug revision nameZh } }`,
    );
    expect(made).toEqual({ createBrand: { id: '1', slug: 'jil-sander', revision: 1, nameZh: '吉尔' } });
    const changed = await ask(
      `mutation { updateBrand(id: 1, input: { name: "Jil", nameZh: null }, revision: 1) { name nameZh revision } }`,
    );
    expect(changed).toEqual({ updateBrand: { name: 'Jil', nameZh: null, revision: 2 } });
    expect(await codeOf(`mutation { updateBrand(id: 1, input: { name: "X" }, revision: 1) { id } }`)).toBe(
      'brand-changed',
    );
    const names = 'aliases { alias source }';
    expect(await ask(`mutation { removeBrandAlias(brandId: 1, alias: "js") { ${names} } }`)).toEqual({
      removeBrandAlias: {
        aliases: [
          { alias: 'Jil', source: 'name' },
          { alias: 'Jil Sander', source: 'slug' },
          { alias: '吉尔', source: 'alias' },
        ],
      },
    });
    await ask('mutation { addBrandAlias(brandId: 1, alias: "JSander") { id } }');
    expect(await codeOf('mutation { removeBrandAlias(brandId: 1, alias: "Jil") { id } }')).toBe('alias-is-name');
    expect(await ask('mutation { createBrand(input: { name: "Other" }) { id } }')).toEqual({
      createBrand: { id: '2' },
    });
    expect(await ask('mutation { deleteBrand(id: 2) { id name } }')).toEqual({
      deleteBrand: { id: '2', name: 'Other' },
    });
    expect(await ask('{ brand(id: 2) { id } }')).toEqual({ brand: null });
  });

  it('merge brands: a dry run tells, the merge does, a conflict is listed, and a job moves the rest', async () => {
    await put({ id: 1, name: 'Burberry' });
    const old = await put({ id: 2, name: 'Prorsum' });
    await insertGallery(app.db, { brandId: '2', year: 2020 });
    const [conflict, other] = [
      await insertGallery(app.db, { brandId: '2' }),
      await insertGallery(app.db, { brandId: '1' }),
    ];
    await insertJobs(app.db, 3, { brand_id: 2, status: 'done', outcome: 'created' });
    const FIELDS = `done galleries records { count capped } conflicts { label galleryId otherGalleryId }
      brand { status mergedInto } survivor { id updateRecordCount { count } }`;
    const conflicts = [{ label: '2026 秋冬 · 高级成衣 · 巴黎', galleryId: conflict, otherGalleryId: other }];
    expect(await ask(`mutation { mergeBrand(id: 2, into: 1, dryRun: true) { ${FIELDS} } }`)).toEqual({
      mergeBrand: {
        done: false,
        galleries: 2,
        records: { count: 3, capped: false },
        conflicts,
        brand: { status: 'active', mergedInto: null },
        survivor: { id: '1', updateRecordCount: { count: 0 } },
      },
    });
    const refused = await askGraphql(app, `mutation { mergeBrand(id: 2, into: 1) { done } }`);
    expect(refused.errors[0]?.extensions).toEqual({
      code: 'shows-conflict',
      status: 409,
      conflicts: [{ label: conflicts[0]?.label, gallery_id: conflict, other_gallery_id: other }],
    });
    await app.db.query('DELETE FROM gallery_keys WHERE gallery_id = $1', [other]);
    expect(await ask(`mutation { mergeBrand(id: 2, into: 1) { ${FIELDS} } }`)).toMatchObject({
      mergeBrand: {
        done: true,
        conflicts: [],
        brand: { status: 'merged', mergedInto: '1' },
        // The job that moves what is left is a record of it, too.
        survivor: { updateRecordCount: { count: 4 } },
      },
    });
    expect(await ask(`{ brand(hashid: "${old.hashid}") { survivor { name showCount } } }`)).toEqual({
      brand: { survivor: { name: 'Burberry', showCount: 3 } },
    });
    await insertJobs(app.db, 2, { brand_id: 2, status: 'done', outcome: 'created' });
    await app.db.query(`UPDATE ingest_jobs SET next_attempt_at = 1 WHERE kind = 'brand_merge'`);
    await drainJobs(app.app);
    const data = await ask(
      '{ brand(id: 1) { updateRecords(outcome: "moved") { nodes { kind subject note submittedBy } } } }',
    );
    expect(data['brand']).toEqual({
      updateRecords: {
        nodes: [
          {
            kind: 'brand_merge',
            subject: 'Prorsum → Burberry',
            note: '移入 2 条记录',
            submittedBy: expect.any(String),
          },
        ],
      },
    });
  });
});
