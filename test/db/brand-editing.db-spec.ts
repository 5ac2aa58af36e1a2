import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../src/auth/actor.js';
import { BrandCatalogueRepository } from '../../src/brands/brand-catalogue.repository.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { BrandEditor } from '../../src/brands/brand-editor.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { BrandsService } from '../../src/brands/brands.service.js';
import type { AppError } from '../../src/lib/app-error.js';
import { blockedBy } from '../harness/blocked-by.js';
import { refusal } from '../harness/errors.js';
import { GalleriesContext } from '../harness/galleries-context.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { insertJobs } from '../harness/job-rows.js';

const ANNA: Actor = { id: '5', name: 'Anna', role: 'editor' };

let room: GalleriesContext;
let editor: BrandEditor;
let brands: BrandsService;

beforeAll(async () => {
  room = await GalleriesContext.start();
  editor = room.get(BrandEditor);
  brands = room.get(BrandsService);
});
afterEach(async () => {
  await room.reset();
  await room.db.query('TRUNCATE admin_events RESTART IDENTITY');
});
afterAll(() => room.close());

const events = () => room.db.query(`SELECT actor, action, entity_id, detail FROM admin_events ORDER BY id`);
const aliasesOf = async (id: string) =>
  (await brands.aliasesOf([id])).get(id)?.map(({ alias, source }) => `${alias} (${source})`) ?? [];

describe('an editor who makes a brand', () => {
  it('gives it names, an address and aliases, and the log says who', async () => {
    const made = await editor.create(ANNA, {
      name: ' Jil Sander ',
      nameZh: '吉尔·桑达',
      aliases: ['JS', 'jil-sander'],
    });
    expect(made).toMatchObject({ name: 'Jil Sander', nameZh: '吉尔·桑达', slug: 'jil-sander', revision: 1 });
    expect((await brands.resolve({ name: 'js' })).id).toBe(made.id);
    expect((await brands.resolve({ name: '吉尔桑达' })).id).toBe(made.id);
    expect(await events()).toEqual([
      { actor: 'Anna', action: 'brand.created', entity_id: made.id, detail: 'Jil Sander (jil-sander)' },
    ]);
  });

  it('is told when the address belongs to another, and nothing is made', async () => {
    const error = await refusal(editor.create(ANNA, { name: 'MAISON Éclair' }));
    expect([error.status, error.code, error.members]).toEqual([409, 'slug-taken', { brand_id: '7' }]);
    expect(error.message).toContain('Maison Éclair (id 7)');
    expect(await events()).toEqual([]);
  });

  it('waits for whoever changes the catalogue, so that of two who want one address the second is told', async () => {
    const create = (name: string) => editor.create(ANNA, { name }).catch((thrown: AppError) => thrown.code);
    let both: Promise<unknown[]> | undefined;
    await room.transactions.run(async (tx) => {
      await room.get(BrandCatalogueRepository).takeTurn(tx);
      const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
      both = Promise.all(['Row', 'ROW'].map(create));
      await blockedBy(room.db, pid);
    });
    expect(await both).toEqual(expect.arrayContaining(['slug-taken', expect.objectContaining({ slug: 'row' })]));
    expect(await events()).toHaveLength(1);
  });

  it.each([
    { name: '' },
    { name: '???' },
    { name: 'x'.repeat(201) },
    { name: 'A', slug: 'a/b' },
    { name: 'A', aliases: ['!'] },
    { name: 'A\u0000' },
  ])('is told in words what is wrong with %j', async (draft) => {
    const error = await refusal(editor.create(ANNA, draft));
    expect([error.status, error.code]).toEqual([422, 'brand-invalid']);
    expect(error.message).toMatch(/^This is no brand yet: .*\.$/);
  });

  it('may give it a name of another brand, and sees which', async () => {
    await room.get(BrandCatalogue).put(brandEntryOf({ id: 7, name: 'Maison Éclair', slug: 'maison-eclair' }));
    const made = await editor.create(ANNA, { name: 'Éclair Studio', aliases: ['maison eclair'] });
    expect([...(await brands.sharedNamesOf([made.id, '7']))]).toEqual([
      [made.id, [{ brandId: made.id, aliasKey: 'maisoneclair', alias: 'maison eclair', otherId: '7' }]],
      ['7', [{ brandId: '7', aliasKey: 'maisoneclair', alias: 'Maison Éclair', otherId: made.id }]],
    ]);
  });
});

describe('an editor who changes a brand', () => {
  it('keeps the names that it had as aliases, so that crawlers go on finding it', async () => {
    await room.get(BrandCatalogue).put(brandEntryOf({ id: 7, name: 'Maison Éclair', slug: 'maison-eclair' }));
    const changed = await editor.update(ANNA, '7', { name: 'Éclair', nameZh: '闪电', slug: 'eclair' }, 1);
    expect(changed).toMatchObject({ name: 'Éclair', nameZh: '闪电', slug: 'eclair', revision: 2 });
    expect(await aliasesOf('7')).toEqual(['Éclair (name)', 'Maison Éclair (alias)', '闪电 (name_zh)']);
    const back = await editor.update(ANNA, '7', { name: 'MAISON ÉCLAIR', nameZh: null }, 2);
    expect(back).toMatchObject({ name: 'MAISON ÉCLAIR', nameZh: null, slug: 'eclair', revision: 3 });
    expect(await aliasesOf('7')).toEqual(['Éclair (slug)', 'MAISON ÉCLAIR (name)', '闪电 (alias)']);
    expect((await events()).map(({ detail }) => detail)).toEqual([
      'name: Maison Éclair → Éclair, nameZh: – → 闪电, slug: maison-eclair → eclair',
      'name: Éclair → MAISON ÉCLAIR, nameZh: 闪电 → –',
    ]);
  });

  it('is told who was quicker and when, and changes nothing', async () => {
    await editor.update({ ...ANNA, name: 'Bert' }, '7', { name: 'Éclair' }, 1);
    const error = await refusal(editor.update(ANNA, '7', { name: 'Other' }, 1));
    expect([error.status, error.code]).toEqual([409, 'brand-changed']);
    expect(error.message).toMatch(/^Bert changed Éclair at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(error.members).toMatchObject({ revision: 2, changed_by: 'Bert' });
    expect((await brands.rows(['7'])).get('7')?.name).toBe('Éclair');
  });

  it('blames nobody for an import, which writes no event', async () => {
    await editor.update(ANNA, '7', { name: 'Éclair' }, 1);
    await room.db.query('UPDATE admin_events SET at = at - 60');
    await room.get(BrandCatalogue).put(brandEntryOf({ id: 7, name: 'Imported' }));
    const error = await refusal(editor.update(ANNA, '7', { name: 'Other' }, 2));
    expect(error.message).toMatch(/^Somebody changed Imported/);
  });

  it('of two at once, one is told of the other', async () => {
    const both = await Promise.allSettled(['One', 'Two'].map((name) => editor.update(ANNA, '7', { name }, 1)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await brands.rows(['7'])).get('7')?.revision).toBe(2);
    expect(await events()).toHaveLength(1);
  });

  it('makes no revision by changing nothing', async () => {
    expect((await editor.update(ANNA, '7', { name: 'Maison Éclair' }, 1)).revision).toBe(1);
    expect(await events()).toEqual([]);
  });

  it('cannot take the address of another brand, nor change one that is not there', async () => {
    const other = await editor.create(ANNA, { name: 'Other' });
    expect((await refusal(editor.update(ANNA, other.id, { slug: 'maison-eclair' }, 1))).code).toBe('slug-taken');
    expect((await refusal(editor.update(ANNA, '99', { name: 'X' }, 1))).code).toBe('brand-not-found');
  });
});

describe('aliases', () => {
  it('come and go one by one, in any spelling', async () => {
    await editor.addAlias(ANNA, '7', 'Maison É.');
    await editor.addAlias(ANNA, '7', 'MAISON E');
    expect(await aliasesOf('7')).toEqual(['Maison É. (alias)']);
    await editor.removeAlias(ANNA, '7', 'maison-e');
    expect(await aliasesOf('7')).toEqual([]);
    expect((await events()).map(({ action, detail }) => `${String(action)} ${String(detail)}`)).toEqual([
      'brand.alias_added Maison É.',
      'brand.alias_removed Maison É.',
    ]);
    expect((await refusal(editor.removeAlias(ANNA, '7', 'maison-e'))).code).toBe('alias-not-found');
    expect((await refusal(editor.removeAlias(ANNA, '7', '!'))).code).toBe('alias-not-found');
    expect((await refusal(editor.addAlias(ANNA, '7', '!'))).code).toBe('brand-invalid');
    expect((await refusal(editor.addAlias(ANNA, '7', ' '))).code).toBe('brand-invalid');
  });

  it.each(['Jil Sander', '吉尔桑达', 'jil-s'])('do not go when they are what the brand is called: %s', async (name) => {
    const { id } = await editor.create(ANNA, { name: 'Jil Sander', nameZh: '吉尔·桑达', slug: 'jil-s' });
    expect((await refusal(editor.removeAlias(ANNA, id, name))).code).toBe('alias-is-name');
    expect((await brands.resolve({ name })).id).toBe(id);
  });
});

describe('deleting a brand', () => {
  it('takes its names with it, and is written down', async () => {
    const made = await editor.create(ANNA, { name: 'Nobody', aliases: ['No One'] });
    expect(await editor.delete(ANNA, made.id)).toMatchObject({ id: made.id, name: 'Nobody' });
    expect(await brands.find({ name: 'no one' })).toBeUndefined();
    expect((await events()).at(-1)).toMatchObject({ action: 'brand.deleted', detail: 'Nobody (nobody)' });
  });

  it('is refused while shows, deleted ones too, keys, records or parts of it are there', async () => {
    const uses = async () => {
      const error = await refusal(editor.delete(ANNA, '7'));
      expect([error.status, error.code]).toEqual([409, 'brand-in-use']);
      return error.members['uses'];
    };
    const gallery = await insertGallery(room.db, { brandId: '7', deletedAt: 5 });
    const other = await editor.create(ANNA, { name: 'Other' });
    expect(await uses()).toEqual(['1 show (1 in the trash)']);
    await room.db.query('UPDATE galleries SET brand_id = $2 WHERE id = $1', [gallery, other.id]);
    expect(await uses()).toEqual(['keys of shows']);
    await room.db.query('DELETE FROM gallery_keys');
    await insertJobs(room.db, 1, { brand_id: 7 });
    await room.db.query(`UPDATE brands SET status = 'merged', merged_into = 7 WHERE id = $1`, [other.id]);
    expect(await uses()).toEqual(['update records', 'brands that became a part of it']);
    expect((await refusal(editor.delete(ANNA, other.id))).code).toBe('brand-merged');
    expect(await brands.byId('7')).toBeDefined();
  });

  it('waits for a crawl that is about to write for it', async () => {
    const crawl = await room.db.connect();
    await crawl.query('BEGIN');
    await crawl.query('SELECT 1 FROM brands WHERE id = 7 FOR NO KEY UPDATE');
    const deleted = refusal(editor.delete(ANNA, '7'));
    await blockedBy(room.db, crawl);
    await crawl.query(
      `INSERT INTO galleries (kind, brand_id, category, category_source, created_at, updated_at) VALUES ('runway', 7, 'rtw', 'season', 1, 1)`,
    );
    await crawl.query('COMMIT');
    expect((await deleted).code).toBe('brand-in-use');
  });
});
