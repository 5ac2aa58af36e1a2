import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Hashids from 'hashids';
import { AppModule } from '../../src/app.module.js';
import { BrandsService } from '../../src/brands/brands.service.js';
import { runFillBrandsCommand } from '../../src/galleries/fill-brands.command.js';
import { FillBrandsService } from '../../src/galleries/fill-brands.service.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

describe('filling in the brands of old rows', () => {
  let db: TestDatabase;
  let context: INestApplicationContext;
  let hashid: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (7, 'Maison Éclair', 'maison-eclair', 1, 1)`,
    );
    context = await NestFactory.createApplicationContext(AppModule.with(db.config), {
      logger: false,
      abortOnError: false,
    });
    hashid = context.get(BrandsService, { strict: false }).hashidOf('7');
  });
  beforeEach(() => db.query('TRUNCATE ingest_jobs CASCADE'));
  afterAll(async () => {
    await context.close();
    await db.drop();
  });

  const old = async (payload: unknown, row: Record<string, string | number> = {}): Promise<string> => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return (await insertJobs(db, 1, { kind: 'crawl', status: 'done', payload: text, ...row }))[0] ?? '';
  };
  const fill = async (): Promise<{ printed: string[]; remarked: string[] }> => {
    const printed: string[] = [];
    const remarked: string[] = [];
    const service = context.get(FillBrandsService, { strict: false });
    const out = {
      print: (line: string) => void printed.push(line),
      remark: (line: string) => void remarked.push(line),
    };
    expect(await runFillBrandsCommand(service, out)).toBe(0);
    return { printed, remarked };
  };
  const brandOf = async (id: string): Promise<unknown> => {
    const [row] = await db.query('SELECT brand_id, brandless, status, payload FROM ingest_jobs WHERE id = $1', [id]);
    return row;
  };

  it('gives rows in every state the brand of the hashid in their payload, and changes nothing else of them', async () => {
    for (const status of ['pending', 'done', 'failed']) {
      const payload = JSON.stringify({ brand_hashid: hashid, season: 'Fall 2019', images: [] });
      const id = await old(payload, { status });
      await fill();
      expect(await brandOf(id)).toEqual({ brand_id: '7', brandless: false, status, payload });
    }
  });

  it('does so although the rest of an old payload could not be crawled any more', async () => {
    const id = await old({ brand_hashid: hashid, images: ['ftp://gone.example/1.jpg'], season: 'x'.repeat(500) });
    await fill();
    expect(await brandOf(id)).toMatchObject({ brand_id: '7' });
  });

  it('marks street style as of no brand on purpose', async () => {
    const id = await old({ kind: 'street', title: 'Paris, day 3', images: [] });
    await fill();
    expect(await brandOf(id)).toMatchObject({ brand_id: '0', brandless: true });
  });

  it('leaves rows of a foreign salt, without a brand or unreadable as they are, and lists each with its reason', async () => {
    const foreign = new Hashids('somebody else’s salt', 8).encode(7);
    const ids = [await old({ brand_hashid: foreign }), await old({ season: 'Fall 2019' }), await old('{"brand')];
    const before = await Promise.all(ids.map(brandOf));
    const { printed } = await fill();
    expect(await Promise.all(ids.map(brandOf))).toEqual(before);
    expect(printed[0]).toBe('0 rows got their brand, 0 are street style, 3 have none:');
    expect(printed.slice(1)).toEqual([
      expect.stringMatching(`^  job ${ids[0]}: .*brand`),
      `  job ${ids[1]}: names no brand`,
      expect.stringMatching(`^  job ${ids[2]}: The payload is not JSON`),
    ]);
  });

  it('goes through more rows than one batch, those that have no brand among them, and says how far it is', async () => {
    const known = JSON.stringify({ brand_hashid: hashid });
    await insertJobs(db, 250, { kind: 'crawl', status: 'done', payload: '{}' });
    await insertJobs(db, 250, { kind: 'crawl', status: 'done', payload: known });
    const { printed, remarked } = await fill();
    expect(printed[0]).toBe('250 rows got their brand, 0 are street style, 250 have none:');
    expect(remarked.at(-1)).toBe('500 rows looked at, 250 got their brand');
    expect(remarked).toHaveLength(3);
    expect((await fill()).printed[0]).toBe('0 rows got their brand, 0 are street style, 250 have none:');
  });

  it('does not touch a row whose brand is known, or another kind of job', async () => {
    const known = await old({ brand_hashid: hashid }, { brand_id: 99 });
    const other = await old({ brand_hashid: hashid }, { kind: 'media_cleanup' });
    await fill();
    expect(await brandOf(known)).toMatchObject({ brand_id: '99' });
    expect(await brandOf(other)).toMatchObject({ brand_id: '0' });
  });
});
