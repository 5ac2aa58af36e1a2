import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../src/auth/actor.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { BrandMergeHandler, RECORDS_A_BATCH } from '../../src/brands/brand-merge.handler.js';
import { BrandMerger } from '../../src/brands/brand-merger.service.js';
import { BrandsService } from '../../src/brands/brands.service.js';
import { blockedBy } from '../harness/blocked-by.js';
import { refusal } from '../harness/errors.js';
import { claimedJob } from '../harness/fakes/fake-jobs.js';
import { GalleriesContext } from '../harness/galleries-context.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { insertJobs } from '../harness/job-rows.js';
import { message, runwayData } from '../harness/payloads.js';

const ANNA: Actor = { id: '5', name: 'Anna', role: 'editor' };

/** Maison Éclair is 7; these become parts of it, or of each other. */
const STUDIO = '8';
const KIDS = '9';

let room: GalleriesContext;
let merger: BrandMerger;
let brands: BrandsService;

beforeAll(async () => {
  room = await GalleriesContext.start();
  merger = room.get(BrandMerger);
  brands = room.get(BrandsService);
  await fill();
});
afterEach(async () => {
  await room.reset();
  await room.db.query('TRUNCATE admin_events RESTART IDENTITY');
  await fill();
});
afterAll(() => room.close());

async function fill(): Promise<void> {
  const put = (value: Record<string, unknown>) => room.get(BrandCatalogue).put(brandEntryOf(value));
  await put({ id: STUDIO, name: 'Éclair Studio', aliases: ['EST'] });
  await put({ id: KIDS, name: 'Éclair Kids' });
}

const merge = (id: string, into: string, dryRun = false) => merger.merge(ANNA, id, into, dryRun);
const crawl = (brandId: string, over = {}) => room.post(message('runway.show', runwayData(over)), brandId);
const rows = (sql: string) => room.db.query<Record<string, unknown>>(sql);

/** The job that moves what the merge left behind. @returns how many records it moved */
async function moveRest(): Promise<number> {
  let moved = 0;
  for (const id of await room.idsOf('brand_merge', 'pending')) {
    const [row] = await room.db.query<{ payload: string }>('SELECT payload FROM ingest_jobs WHERE id = $1', [id]);
    const job = claimedJob({ id, kind: 'brand_merge', payload: row?.payload ?? '' });
    moved += await room
      .get(BrandMergeHandler)
      .gather(job, { signal: new AbortController().signal, progress: () => undefined });
  }
  return moved;
}

describe('a merge', () => {
  it('moves galleries, keys, sources and records, and the old hashid and names lead to the survivor', async () => {
    const own = await insertGallery(room.db, { brandId: '7', year: 2025, sources: ['https://a.example/1'] });
    const moved = await insertGallery(room.db, { brandId: STUDIO, sources: ['https://a.example/2'] });
    const [done] = await insertJobs(room.db, 1, {
      brand_id: STUDIO,
      status: 'done',
      outcome: 'created',
      subject_key: 'runway:8:2026:fall:rtw:paris:',
      updated_at: 5,
    });
    const result = await merge(STUDIO, '7');
    expect(result).toMatchObject({
      done: true,
      galleries: 1,
      records: { count: 1, capped: false },
      conflicts: [],
      brand: { id: STUDIO, status: 'merged', mergedInto: '7', revision: 2 },
      survivor: { id: '7', status: 'active', mergedInto: null, revision: 1 },
    });
    for (const table of ['gallery_keys', 'gallery_sources']) {
      expect(await rows(`SELECT gallery_id, brand_id FROM ${table} ORDER BY gallery_id`)).toEqual([
        { gallery_id: own, brand_id: '7' },
        { gallery_id: moved, brand_id: '7' },
      ]);
    }
    expect(await rows(`SELECT id, brand_id, subject_key, updated_at FROM ingest_jobs WHERE kind = 'test'`)).toEqual([
      { id: done, brand_id: '7', subject_key: 'runway:7:2026:fall:rtw:paris:', updated_at: '5' },
    ]);
    expect(await rows('SELECT gallery_id, actor, action, detail FROM gallery_events')).toEqual([
      { gallery_id: moved, actor: 'Anna', action: 'brand_merged', detail: 'Éclair Studio → Maison Éclair' },
    ]);
    expect(await rows('SELECT action, entity_id, detail FROM admin_events ORDER BY id')).toEqual([
      { action: 'brand.merged', entity_id: STUDIO, detail: 'into Maison Éclair (id 7)' },
      { action: 'brand.took_over', entity_id: '7', detail: 'Éclair Studio (id 8)' },
    ]);
    expect((await brands.byHashid(brands.hashidOf(STUDIO)))?.id).toBe('7');
    expect((await brands.resolve({ name: 'est' })).id).toBe('7');
  });

  it('lets the next crawl by an old name find the gallery that moved', async () => {
    await insertGallery(room.db, { brandId: STUDIO });
    await merge(STUDIO, '7');
    expect(await (await room.held(await crawl(STUDIO))).work()).toBe('skipped_existing');
    expect(await rows(`SELECT brand_id FROM ingest_jobs WHERE kind = 'crawl'`)).toEqual([{ brand_id: '7' }]);
  });

  it('takes along what had become a part of it, so that all names are the survivor’s', async () => {
    await merge(KIDS, STUDIO);
    await merge(STUDIO, '7');
    expect((await brands.byId('7'))?.names).toEqual(expect.arrayContaining(['Éclair Kids', 'EST']));
    expect((await brands.partsOf(['7'])).get('7')?.map(({ id }) => id)).toEqual([KIDS, STUDIO]);
    expect((await brands.rows([KIDS])).get(KIDS)?.mergedInto).toBe('7');
  });

  it('says what it would do when it is only asked, and does nothing', async () => {
    const mine = await insertGallery(room.db, { brandId: STUDIO });
    const other = await insertGallery(room.db, { brandId: '7', deletedAt: 5 });
    await insertGallery(room.db, { brandId: STUDIO, market: 'milan' });
    await insertJobs(room.db, 3, { brand_id: STUDIO });
    const asked = await merge(STUDIO, '7', true);
    expect(asked).toMatchObject({
      done: false,
      galleries: 2,
      records: { count: 3, capped: false },
      conflicts: [{ label: '2026 秋冬 · 高级成衣 · 巴黎', galleryId: mine, otherGalleryId: other }],
      brand: { status: 'active' },
    });
    expect(await rows('SELECT 1 FROM admin_events UNION ALL SELECT 1 FROM gallery_events')).toEqual([]);
    expect(await room.idsOf('brand_merge', 'pending')).toEqual([]);
  });

  it('is refused while both have a show, which is named, and nothing has moved', async () => {
    const mine = await insertGallery(room.db, { brandId: STUDIO });
    const other = await insertGallery(room.db, { brandId: '7' });
    await insertGallery(room.db, { brandId: STUDIO, market: null, year: 2020 });
    await insertGallery(room.db, { brandId: '7', market: null, year: 2020 });
    const error = await refusal(merge(STUDIO, '7'));
    expect([error.status, error.code]).toEqual([409, 'shows-conflict']);
    expect(error.message).toContain(`2026 秋冬 · 高级成衣 · 巴黎 (galleries ${mine} and ${other})`);
    expect(error.members['conflicts']).toEqual([
      { label: '2020 秋冬 · 高级成衣', gallery_id: expect.any(String), other_gallery_id: expect.any(String) },
      { label: '2026 秋冬 · 高级成衣 · 巴黎', gallery_id: mine, other_gallery_id: other },
    ]);
    expect(await rows(`SELECT brand_id, count(*)::int FROM galleries GROUP BY 1 ORDER BY 1`)).toEqual([
      { brand_id: '7', count: 2 },
      { brand_id: STUDIO, count: 2 },
    ]);
    expect((await brands.byId(STUDIO))?.id).toBe(STUDIO);
  });

  it('is refused in words into itself, into a part, of a part, in a circle, and with one that is not there', async () => {
    await merge(STUDIO, '7');
    const code = async (id: string, into: string) => (await refusal(merge(id, into))).code;
    expect(await code('7', '7')).toBe('brand-merge-itself');
    expect(await code('7', STUDIO)).toBe('brand-merged');
    expect(await code(STUDIO, '7')).toBe('brand-merged');
    expect(await code(STUDIO, KIDS)).toBe('brand-merged');
    expect(await code('99', '7')).toBe('brand-not-found');
    expect(await code('7', '99')).toBe('brand-not-found');
    expect((await refusal(merge(KIDS, STUDIO))).message).toContain('Éclair Studio became a part of the brand 7');
  });

  it('of two brands into each other at once, one is refused', async () => {
    const both = await Promise.allSettled([merge(STUDIO, '7'), merge('7', STUDIO)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await rows(`SELECT 1 FROM brands WHERE status = 'merged'`)).toHaveLength(1);
  });
});

describe('the records of a merged brand', () => {
  it('move to the last one by a job when there are many, and those that came late too', async () => {
    await insertJobs(room.db, 2 * RECORDS_A_BATCH + 7, { brand_id: STUDIO, subject_key: 'runway:8:x' });
    expect((await merge(STUDIO, '7')).records).toEqual({ count: 1_000, capped: true });
    const left = await rows(`SELECT count(*)::int FROM ingest_jobs WHERE brand_id = ${STUDIO}`);
    expect(left).toEqual([{ count: RECORDS_A_BATCH + 7 }]);
    await insertJobs(room.db, 1, { brand_id: STUDIO, subject_key: 'runway:8:x' });
    await insertJobs(room.db, 1, { brand_id: KIDS, subject_key: 'runway:9:x' });
    expect(await moveRest()).toBe(RECORDS_A_BATCH + 8);
    expect(await moveRest()).toBe(0);
    expect(
      await rows(
        `SELECT brand_id, subject_key, count(*)::int FROM ingest_jobs WHERE kind = 'test' GROUP BY 1, 2 ORDER BY 1`,
      ),
    ).toEqual([
      { brand_id: '7', subject_key: 'runway:7:x', count: 2 * RECORDS_A_BATCH + 8 },
      { brand_id: KIDS, subject_key: 'runway:9:x', count: 1 },
    ]);
  });

  it('go to the survivor of the survivor, when that was merged before the job came', async () => {
    await insertJobs(room.db, RECORDS_A_BATCH + 1, { brand_id: STUDIO });
    await merge(STUDIO, '7');
    await merge('7', KIDS);
    await moveRest();
    expect(await rows(`SELECT DISTINCT brand_id FROM ingest_jobs`)).toEqual([{ brand_id: KIDS }]);
  });

  it('say of the move what it moved, in the language of the notes', async () => {
    const handler = room.get(BrandMergeHandler);
    expect(await handler.commit(8)).toEqual({ outcome: 'moved', note: '移入 8 条记录' });
    expect((await handler.commit(0)).outcome).toBe('noop');
  });
});

describe('a crawl that is under way while its brand is merged', () => {
  it('writes nothing under the old brand, loses no attempt by it, and lands at the survivor', async () => {
    const id = await crawl(STUDIO);
    const held = await room.held(id);
    expect(await held.gather()).toBe(true);
    await merge(STUDIO, '7');
    expect(await held.commit()).toBe('failed');
    expect(await rows('SELECT 1 FROM galleries')).toEqual([]);
    expect(await rows(`SELECT status, attempts, error_code, brand_id FROM ingest_jobs WHERE id = ${id}`)).toEqual([
      { status: 'pending', attempts: 0, error_code: 'brand_merged', brand_id: '7' },
    ]);
    expect(await (await room.held(id)).work()).toBe('created');
    expect(await rows('SELECT brand_id FROM galleries')).toEqual([{ brand_id: '7' }]);
    expect(await rows('SELECT brand_id FROM gallery_keys')).toEqual([{ brand_id: '7' }]);
  });

  it('is waited for when it has begun to write, and what it wrote moves', async () => {
    const held = await room.held(await crawl(STUDIO));
    expect(await held.gather()).toBe(true);
    let merged: Promise<unknown> | undefined;
    expect(
      await held.commit(async (tx) => {
        const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        merged = merge(STUDIO, '7');
        await blockedBy(room.db, pid);
      }),
    ).toBe('created');
    expect(await merged).toMatchObject({ done: true, galleries: 1 });
    expect(await rows('SELECT DISTINCT brand_id FROM galleries')).toEqual([{ brand_id: '7' }]);
    expect(await rows(`SELECT brand_id FROM ingest_jobs WHERE kind = 'crawl'`)).toEqual([{ brand_id: '7' }]);
  });

  it('of the survivor’s same show makes the merge see the conflict, and no two galleries', async () => {
    await insertGallery(room.db, { brandId: STUDIO });
    const held = await room.held(await crawl('7'));
    expect(await held.gather()).toBe(true);
    let merged: Promise<{ code: string }> | undefined;
    expect(
      await held.commit(async (tx) => {
        const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        merged = refusal(merge(STUDIO, '7'));
        await blockedBy(room.db, pid);
      }),
    ).toBe('created');
    expect((await merged)?.code).toBe('shows-conflict');
  });
});
