import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Hashids from 'hashids';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { BrandHashids } from '../../src/brands/brand-hashids.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { runBrandsCommand } from '../../src/brands/brands.command.js';
import { BrandsModule } from '../../src/brands/brands.module.js';
import { FIND_SQL } from '../../src/brands/brands.repository.js';
import { BrandsService } from '../../src/brands/brands.service.js';
import { entities } from '../../src/entities.js';
import { AppError } from '../../src/lib/app-error.js';
import type { Config } from '../../src/platform/config/config.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { testConfig } from '../harness/test-config.js';

async function start(config: Config): Promise<INestApplicationContext> {
  @Module({ imports: [PlatformModule.with(config, { entities, migrations }), AuthModule, BrandsModule] })
  class TestModule {}
  return NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
}

async function errorOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error(`No AppError was thrown, but ${String(error)}`);
}

describe('brands', () => {
  let db: TestDatabase;
  let context: INestApplicationContext;
  let brands: BrandsService;
  let catalogue: BrandCatalogue;
  let folder: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    context = await start(db.config);
    brands = context.get(BrandsService);
    catalogue = context.get(BrandCatalogue);
    folder = await mkdtemp(join(tmpdir(), 'brands-'));
  });
  afterEach(() => db.query('TRUNCATE brands RESTART IDENTITY CASCADE'));
  afterAll(async () => {
    await context.close();
    await db.drop();
    await rm(folder, { recursive: true });
  });

  const put = (value: Record<string, unknown>) => catalogue.put(brandEntryOf(value));

  async function run(...args: string[]): Promise<{ code: number; printed: string[]; remarks: string[] }> {
    const printed: string[] = [];
    const remarks: string[] = [];
    const out = { print: (line: string) => printed.push(line), remark: (line: string) => remarks.push(line) };
    return { code: await runBrandsCommand(args, { brands, catalogue }, out), printed, remarks };
  }

  async function importLines(...lines: unknown[]): ReturnType<typeof run> {
    const file = join(folder, 'brands.jsonl');
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    await writeFile(file, text);
    return run('import', file);
  }

  describe('looking one up', () => {
    it('works by id, hashid, name, Chinese name, slug and alias, in any spelling', async () => {
      const { id, hashid } = await put({
        name: 'H&M Studio',
        name_zh: '海恩斯',
        slug: 'hm',
        aliases: ['Hennes É Mauritz'],
      });
      const known = await brands.resolve({ id });
      expect(known).toMatchObject({ id, name: 'H&M Studio' });
      expect([...known.names].sort()).toEqual(['H&M Studio', 'Hennes É Mauritz', 'hm', '海恩斯'].sort());
      for (const ref of [
        { id: `00${id}` },
        { hashid: ` ${hashid} ` },
        { name: 'h & m STUDIO' },
        { name: '海恩斯' },
        { name: 'HM' },
        { name: 'hennes e\u0301 mauritz' },
        { id, hashid, name: 'hm' },
      ]) {
        expect(await brands.resolve(ref)).toEqual(known);
      }
      expect(await brands.byId(id)).toEqual(known);
      expect(await brands.byHashid(hashid)).toEqual(known);
    });

    it('leads from a merged brand to its survivor, over several merges, by any of its names', async () => {
      const survivor = await put({ id: 1, name: 'Burberry' });
      await put({ id: 2, name: 'Burberry London' });
      const merged = await put({ id: 3, name: 'Burberry Prorsum', aliases: ['Burberry'] });
      await db.query(
        `UPDATE brands SET status = 'merged', merged_into = CASE id WHEN 2 THEN 1 ELSE 2 END WHERE id > 1`,
      );
      const known = await brands.resolve({ hashid: merged.hashid });
      expect(known).toMatchObject({ id: survivor.id, name: 'Burberry' });
      expect(known.names).toContain('Burberry London');
      expect(await brands.byId('3')).toEqual(known);
      // A key of the merged brand and of its survivor is no ambiguity.
      expect(await brands.resolve({ name: 'burberry' })).toEqual(known);
      expect(await brands.resolve({ id: '1', hashid: merged.hashid, name: 'Burberry Prorsum' })).toEqual(known);
    });

    it('ends even when merges go in a circle', async () => {
      await put({ id: 1, name: 'One' });
      await put({ id: 2, name: 'Two' });
      await db.query(`UPDATE brands SET status = 'merged', merged_into = 3 - id`);
      expect(await brands.byId('1')).toBeUndefined();
      expect((await errorOf(brands.resolve({ name: 'one' }))).code).toBe('brand-unknown');
    });

    it('refuses a name of two brands, naming both, unless the id says which', async () => {
      await put({ id: 1, name: 'The Row', aliases: ['Row'] });
      await put({ id: 2, name: 'Row', slug: 'row-2' });
      const error = await errorOf(brands.resolve({ name: 'ROW' }));
      expect([error.status, error.code]).toEqual([422, 'brand-ambiguous']);
      expect(error.message).toContain('The Row (id 1) and Row (id 2)');
      expect((await brands.resolve({ id: '2', name: 'row' })).id).toBe('2');
    });

    it('refuses two that disagree, and one that is known beside one that is not', async () => {
      const one = await put({ id: 1, name: 'Gucci' });
      await put({ id: 2, name: 'Prada' });
      for (const ref of [
        { id: '1', name: 'Prada' },
        { hashid: one.hashid, id: '2' },
        { hashid: one.hashid, name: 'Nobody' },
        { hashid: 'zzzzzzzz', name: 'Gucci' },
      ]) {
        const error = await errorOf(brands.resolve(ref));
        expect([error.status, error.code]).toEqual([422, 'brand-mismatch']);
      }
    });

    it('refuses an unknown brand with near names', async () => {
      await put({ id: 1, name: 'Balenciaga' });
      await put({ id: 2, name: 'Prada' });
      const error = await errorOf(brands.resolve({ name: 'Balenciga' }));
      expect([error.status, error.code, error.members]).toEqual([422, 'brand-unknown', { near: ['Balenciaga'] }]);
      for (const ref of [
        { id: '99' },
        { id: '-1' },
        { id: 'x' },
        { id: '9'.repeat(40) },
        { hashid: 'nonsense' },
        { name: '???' },
      ]) {
        expect((await errorOf(brands.resolve(ref))).code).toBe('brand-unknown');
      }
    });

    it('takes null, blanks and 0 for not given', async () => {
      await put({ id: 1, name: 'Gucci' });
      const blanks = { hashid: '', id: '0', name: 'Gucci' };
      expect((await brands.resolve(blanks)).id).toBe('1');
      expect((await errorOf(brands.resolve({ hashid: ' ', id: '0', name: '' }))).message).toMatch(/No brand is named/);
      expect(await brands.byId('0')).toBeUndefined();
      const zero = new Hashids('a salt for tests', 8).encode(0);
      expect(await brands.byHashid(zero)).toBeUndefined();
    });

    it('answers each of a crowd with its own, and a brand that was just added at once', async () => {
      for (let id = 1; id <= 40; id++) await put({ id, name: `House ${id}` });
      const refs = Array.from({ length: 400 }, (_, index) => (index % 41) + 1);
      const answers = await Promise.all(
        refs.map((id) => brands.resolve({ name: `house ${id}` }).catch((error: AppError) => error.code)),
      );
      expect(answers.map((answer) => (typeof answer === 'string' ? answer : answer.id))).toEqual(
        refs.map((id) => (id === 41 ? 'brand-unknown' : String(id))),
      );
      await put({ id: 41, name: 'House 41' });
      expect((await brands.resolve({ name: 'House 41' })).id).toBe('41');
    });
  });

  it('are looked up without reading the aliases of others', async () => {
    await db.query(`INSERT INTO brands (name, slug, created_at, updated_at)
                    SELECT 'Bulk ' || i, 'bulk-' || i, 1, 1 FROM generate_series(1, 3000) i`);
    await db.query(`INSERT INTO brand_aliases SELECT id, 'bulk' || id || 'a' || j, name, 'alias'
                    FROM brands, generate_series(1, 3) j`);
    await db.query('ANALYZE brands, brand_aliases');
    const plan = await db.query(`EXPLAIN ${FIND_SQL}`, [['7', '8'], ['bulk9a1']]);
    expect(JSON.stringify(plan)).toContain('brand_aliases_alias_key_idx');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  });

  it('are locked one by one for those who write for them, and stay free to be referred to', async () => {
    await put({ id: 1, name: 'Gucci' });
    await put({ id: 2, name: 'Prada' });
    const other = await db.connect();
    const isLocked = async (id: number, strength: string) =>
      (await other.query(`SELECT 1 FROM brands WHERE id = $1 FOR ${strength} SKIP LOCKED`, [id])).rowCount === 0;
    await db.dataSource.transaction(async (tx) => {
      await brands.lock(tx, '1');
      expect(await isLocked(1, 'NO KEY UPDATE')).toBe(true);
      expect(await isLocked(1, 'KEY SHARE')).toBe(false);
      expect(await isLocked(2, 'NO KEY UPDATE')).toBe(false);
    });
    expect(await isLocked(1, 'NO KEY UPDATE')).toBe(false);
  });

  describe('the table', () => {
    it('refuses id 0, empty keys, and a merge that leads nowhere', async () => {
      const insert = (id: number, more = '') =>
        db.query(`INSERT INTO brands (id, name, slug, created_at, updated_at ${more && ', status'})
                  VALUES (${id}, 'x', 'x', 1, 1 ${more && `, '${more}'`})`);
      await expect(insert(0)).rejects.toThrow('brands_id_check');
      await expect(insert(1, 'merged')).rejects.toThrow('brands_merged_into_check');
      await expect(insert(1, 'sleeping')).rejects.toThrow('brands_status_check');
      await insert(1);
      await expect(db.query(`INSERT INTO brand_aliases VALUES (1, '', 'x', 'alias')`)).rejects.toThrow(
        'brand_aliases_alias_key_check',
      );
      await expect(db.query(`UPDATE brands SET status = 'merged', merged_into = 1`)).rejects.toThrow(
        'brands_merged_into_check',
      );
    });

    it('is what the entities say, so that no migration is missing', async () => {
      const wanted = await db.dataSource.driver.createSchemaBuilder().log();
      expect(wanted.upQueries.map(({ query }) => query).filter((query) => query.includes('brand'))).toEqual([]);
    });
  });

  describe('the hashid settings', () => {
    it.each([
      ['BRAND_HASHID_SALT', 'another salt'],
      ['BRAND_HASHID_MIN_LENGTH', '9'],
      ['BRAND_HASHID_ALPHABET', 'abcdefghijklmnopqrstuvwxyz'],
    ])('refuse the start when %s is not what the database was filled with', async (name, value) => {
      const error = await errorOf(start(testConfig(db.url, { [name]: value })));
      expect(error.code).toBe('setting-changed');
      expect(error.message).toContain(
        'filled with another BRAND_HASHID_SALT, BRAND_HASHID_ALPHABET or BRAND_HASHID_MIN_LENGTH',
      );
    });
  });

  describe('npm run brands', () => {
    it('imports brands with their ids, and goes on after the greatest', async () => {
      const first = await importLines(
        '\uFEFF{"id": 612, "name": "盖娅传说", "slug": "heaven-gaia", "aliases": ["Heaven Gaia"]}\r',
        '',
        { id: 7, name: 'Gucci', hashid: context.get(BrandHashids).encode('7') },
      );
      expect(first).toEqual({ code: 0, printed: ['2 added, 0 changed, 0 unchanged, 0 refused'], remarks: [] });
      expect((await brands.resolve({ name: 'heaven gaia' })).id).toBe('612');
      const added = await run('add', 'Prada', '--zh', '普拉达', '--alias', 'Prada Milano', '--alias', 'PRD');
      expect(added.printed).toEqual([`Prada: id 613, hashid ${brands.hashidOf('613')}, slug prada (added)`]);
      expect((await brands.resolve({ name: 'prd' })).names).toHaveLength(4);
    });

    it('imports the same file again without a change, and a changed line as a change', async () => {
      const lines = [{ id: 3, name: 'Gucci', aliases: ['GG'] }, { name: 'A.P.C.' }];
      await importLines(...lines);
      const rows = () =>
        db.query(
          'SELECT *, brands.xmin, brand_aliases.xmin FROM brands, brand_aliases WHERE id = brand_id ORDER BY id, alias_key',
        );
      const before = await rows();
      expect((await importLines(...lines)).printed).toEqual(['0 added, 0 changed, 2 unchanged, 0 refused']);
      expect(await rows()).toEqual(before);
      const changed = await importLines({ id: 3, name: 'Gucci!', name_zh: '古驰' }, { name: 'A.P.C.' });
      expect(changed.printed).toEqual(['0 added, 1 changed, 1 unchanged, 0 refused']);
      expect(changed.remarks).toEqual([expect.stringMatching(/^Line 1: brand 3 was called "Gucci" until now/)]);
      expect(await brands.row({ id: '3' })).toMatchObject({ name: 'Gucci!', nameZh: '古驰', slug: 'gucci' });
      expect((await brands.resolve({ name: 'gg' })).id).toBe('3');
    });

    it('reports each bad line with its number, leaves nothing half done, and does the rest', async () => {
      const { code, printed, remarks } = await importLines(
        { id: 1, name: 'Gucci' },
        '{"id": 2, "name": ',
        { id: 0, name: 'Nobody' },
        { id: 4, name: 'Prada', aliases: ['Miu', '!!!'] },
        { id: 5, name: 'Gucci II', slug: 'gucci' },
        { id: 6, name: 'Dior' },
      );
      expect(code).toBe(1);
      expect(printed).toEqual(['2 added, 0 changed, 0 unchanged, 4 refused']);
      expect(remarks).toEqual([
        expect.stringMatching(/^Line 2: .*not JSON/),
        expect.stringMatching(/^Line 3: "id" is 0/),
        expect.stringMatching(/^Line 4: "!!!" has no letter/),
        expect.stringMatching(/^Line 5: the slug gucci belongs to Gucci \(id 1\)/),
      ]);
      expect(await db.query(`SELECT string_agg(id::text, ',' ORDER BY id) AS ids FROM brands`)).toEqual([
        { ids: '1,6' },
      ]);
    });

    it('refuses a hashid that another salt made, and says so', async () => {
      const foreign = new Hashids('the salt of somebody else', 8);
      const strays = Array.from({ length: 300 }, (_, index) => ({
        name: `S ${index}`,
        hashid: foreign.encode(index + 1),
      }));
      const { remarks, printed } = await importLines({ id: 5, name: 'Gucci', hashid: foreign.encode(5) }, ...strays);
      expect(printed).toEqual(['0 added, 0 changed, 0 unchanged, 301 refused']);
      expect(remarks[0]).toMatch(
        /^Line 1: the hashid \S+ was made with another salt than this server's\. Here 5 is \S+\. Set/,
      );
      const ours = await importLines({ name: 'Gucci', hashid: brands.hashidOf('5') });
      expect(ours.printed).toEqual(['1 added, 0 changed, 0 unchanged, 0 refused']);
      expect((await brands.resolve({ name: 'gucci' })).id).toBe('5');
    });

    it('does not rename a brand whose slug the new name happens to make', async () => {
      await put({ id: 1, name: 'The Row', slug: 'row' });
      const { code, remarks } = await run('add', 'Row');
      expect(code).toBe(1);
      expect(remarks[0]).toMatch(/the slug row belongs to The Row \(id 1\)/);
      const other = await run('add', 'Row', '--id', '9');
      expect(other.printed[0]).toMatch(/id 9, hashid \S+, slug row-9 \(added\)/);
      expect(other.remarks).toEqual(['"Row" means Row (id 9) and The Row (id 1): alone it is ambiguous']);
      expect((await run('add', 'Row', '--id', '9')).printed[0]).toMatch(/slug row-9 \(unchanged\)/);
      expect((await brands.byId('1'))?.name).toBe('The Row');
    });

    it('lets many add at the same time', async () => {
      const puts = Array.from({ length: 30 }, (_, index) =>
        put(index % 3 === 0 ? { id: (index + 1) * 1000, name: `N ${index}` } : { name: `N ${index % 5} ${index % 2}` }),
      );
      const ids = (await Promise.all(puts)).map(({ id, slug }) => `${id} ${slug}`);
      const rows = await db.query<{ row: string }>(`SELECT id || ' ' || slug AS row FROM brands`);
      expect(new Set(ids)).toEqual(new Set(rows.map(({ row }) => row)));
    });

    it('lists what is there, as a table and as lines that can be imported', async () => {
      await importLines({ id: 2, name: 'Prada', aliases: ['PRD'] }, { id: 1, name: '盖娅传说', slug: 'gaia' });
      const table = await run('list');
      expect(table.printed).toHaveLength(3);
      expect(table.printed[1]).toMatch(/^1 .*盖娅传说/);
      const json = await run('list', '--json');
      expect(JSON.parse(json.printed[1] ?? '')).toMatchObject({ id: '2', name: 'Prada', aliases: ['PRD'] });
      expect((await importLines(...json.printed)).printed).toEqual(['0 added, 0 changed, 2 unchanged, 0 refused']);
      expect((await run('list', '--search', 'PR-D', '--json')).printed).toHaveLength(1);
    });

    it('explains itself when it is not understood, and says which file is not there', async () => {
      for (const args of [[], ['remove', 'Gucci'], ['list', '--nonsense'], ['import']]) {
        const { code, remarks } = await run(...args);
        expect(code).toBe(2);
        expect(remarks.at(-1)).toMatch(/^Usage:/);
      }
      const missing = await run('import', join(folder, 'missing.jsonl'));
      expect(missing.code).toBe(1);
      expect(missing.remarks[0]).toMatch(/missing\.jsonl cannot be read: .*ENOENT/);
    });
  });

  it('goes down and up again', async () => {
    const other = await createTestDatabase();
    try {
      const ours = ['CreateBrands1795996800010', 'AddBrandRevision1795996800070'];
      const [create, revise] = ours.map((name) => migrations.find((migration) => migration.name === name));
      if (create === undefined || revise === undefined) throw new Error('The migrations are not listed');
      const runner = new DataSource(other.dataSource.options);
      await runner.initialize();
      const queryRunner = runner.createQueryRunner();
      await new revise().down(queryRunner);
      await new create().down(queryRunner);
      expect(await other.query(`SELECT to_regclass('brands') AS brands`)).toEqual([{ brands: null }]);
      await new create().up(queryRunner);
      await new revise().up(queryRunner);
      await queryRunner.release();
      await runner.destroy();
      const wanted = await other.dataSource.driver.createSchemaBuilder().log();
      expect(wanted.upQueries.map(({ query }) => query).filter((query) => query.includes('brand'))).toEqual([]);
    } finally {
      await other.drop();
    }
  });
});
