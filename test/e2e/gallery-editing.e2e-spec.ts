import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startGalleriesApp, type GalleriesApp } from '../harness/galleries-app.js';
import { insertGallery, type GalleryRow } from '../harness/gallery-rows.js';
import { insertJobs } from '../harness/job-rows.js';
import { statementsOf } from '../harness/statements.js';

type Fields = Record<string, unknown>;

let archive: GalleriesApp;

beforeAll(async () => {
  archive = await startGalleriesApp();
});
afterEach(() => archive.db.query('TRUNCATE galleries, ingest_jobs, ingest_pictures RESTART IDENTITY CASCADE'));
afterAll(() => archive.close());

async function ask(query: string, variables: Fields = {}): Promise<Fields> {
  const { data, errors } = await archive.ask(query, variables);
  expect(errors).toEqual([]);
  return data ?? {};
}

async function refused(query: string): Promise<Fields> {
  const { errors } = await archive.ask(query);
  return errors[0]?.extensions ?? {};
}

const insert = (row: Partial<GalleryRow> = {}, over: Fields = {}): Promise<string> =>
  insertGallery(archive.db, { brandId: '7', status: 'pending_review', ...row }).then(async (id) => {
    for (const [column, value] of Object.entries(over)) {
      await archive.db.query(`UPDATE galleries SET ${column} = $2 WHERE id = $1`, [id, value]);
    }
    return id;
  });

describe('the list of galleries', () => {
  const list = async (args: string): Promise<string[]> => {
    const { galleries } = (await ask(`{ galleries(${args}) { nodes { id } } }`)) as {
      galleries: { nodes: { id: string }[] };
    };
    return galleries.nodes.map(({ id }) => id);
  };

  it('is filtered by what a gallery is, where it stands, and what is odd about it', async () => {
    await insert({ status: 'published' });
    await insert({ brandId: '8', year: 2025, term: 'spring', category: 'menswear', market: 'milan' });
    await insert({ brandId: '0', category: 'street_style', year: null, term: null, market: null });
    await insert({ category: 'couture', missing: 1 }, { category_source: 'default' });
    await insert({ category: 'bridal', deletedAt: 5 });
    await insert({ category: 'menswear', deletedAt: 5 }, { forgotten_at: 6 });
    await insert({ category: 'coed' }, { suspect: true, expected_count: 40 });
    const asked: [string, string[]][] = [
      ['first: 10', ['7', '4', '3', '2', '1']],
      ['sort: oldest', ['1', '2', '3', '4', '7']],
      ['status: published', ['1']],
      ['kind: street', ['3']],
      ['kind: runway, brandId: "8"', ['2']],
      ['year: 2025', ['2']],
      ['term: fall', ['7', '4', '1']],
      ['year: 2026, term: fall, category: "couture", market: "paris"', ['4']],
      ['market: "milan"', ['2']],
      ['deleted: true', ['5']],
      ['flags: [guessed_category]', ['4']],
      ['flags: [partial]', ['7', '4']],
      ['flags: [partial, suspect]', ['7']],
      ['flags: [suspect, guessed_category]', []],
      ['flags: [shared_pictures]', []],
    ];
    for (const [args, ids] of asked) expect([args, await list(args)]).toEqual([args, ids]);
    await archive.db.query(
      `UPDATE gallery_pictures SET sha256 = 'same' WHERE gallery_id IN (1, 3, 5) AND position = 2`,
    );
    expect(await list('flags: [shared_pictures]')).toEqual(['3', '1']);
    const { gallery } = await ask('{ gallery(id: 1) { flags sharedWith { id label flags } } }');
    expect(gallery).toEqual({
      flags: ['shared_pictures'],
      sharedWith: [{ id: '3', label: '街拍', flags: ['shared_pictures'] }],
    });
  });

  it('comes in pages of each order, and says whose cursor is none of its own', async () => {
    for (const year of [2021, 2022, 2023, 2024, 2025]) await insert({ year }, { updated_at: 3000 - year });
    for (const [sort, ids] of [
      ['newest', ['5', '4', '3', '2', '1']],
      ['oldest', ['1', '2', '3', '4', '5']],
      ['updated', ['1', '2', '3', '4', '5']],
    ] as const) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const { galleries } = (await ask(
          `query ($after: String) { galleries(sort: ${sort}, first: 2, after: $after) {
             nodes { id } pageInfo { endCursor hasNextPage } } }`,
          { after },
        )) as { galleries: { nodes: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } };
        seen.push(...galleries.nodes.map(({ id }) => id));
        after = galleries.pageInfo.hasNextPage ? galleries.pageInfo.endCursor : null;
      } while (after !== null);
      expect([sort, seen]).toEqual([sort, ids]);
    }
    const cursor = Buffer.from('["5"]').toString('base64url');
    expect(await refused(`{ galleries(sort: updated, after: "${cursor}") { nodes { id } } }`)).toMatchObject({
      code: 'cursor-invalid',
    });
  });

  it('takes a statement a field, however long the page is', async () => {
    const [job] = await insertJobs(archive.db, 1, { status: 'done', outcome: 'created' });
    for (let n = 0; n < 50; n++) {
      const id = await insert({ year: 1980 + n, brandId: n % 2 === 0 ? '7' : '8' });
      await archive.db.query(
        `INSERT INTO gallery_events (gallery_id, at, actor, action, job_id) VALUES ($1, 1, 'dev', 'created', $2)`,
        [id, job],
      );
    }
    await archive.db.query(`UPDATE gallery_pictures SET sha256 = 'same' WHERE gallery_id < 30`);
    const page = `galleries(first: 50) { nodes { id label cover { url } brand { name } flags } }`;
    // The galleries, their covers, their brands, who shares pictures.
    expect(await statementsOf(archive.app, () => ask(`{ ${page} }`))).toBe(4);
    const more = `galleries(first: 50) { nodes { keys { label } sharedWith { id cover { position } }
      history(first: 5) { nodes { action job { outcome } } } pictures { hidden } } }`;
    // The galleries, keys, who they share with and their covers, events and their jobs, pictures.
    expect(await statementsOf(archive.app, () => ask(`{ ${more} }`))).toBe(7);
  });

  it('shows the cover, which need not be the first picture', async () => {
    await insert({ stored: 3 }, { cover_position: 2 });
    const { galleries } = await ask('{ galleries { nodes { cover { position hidden } } } }');
    expect(galleries).toEqual({ nodes: [{ cover: { position: 2, hidden: false } }] });
  });
});

describe('several galleries at once', () => {
  const RESULT = '{ id gallery { status } problem { code } }';

  it('have a result each, in the order asked, and each once', async () => {
    const one = await insert();
    const empty = await insert({ year: 2025, stored: 0 });
    const trashed = await insert({ year: 2024, deletedAt: 5 });
    const ids = `ids: ["${trashed}", "${one}", "${one}", "999", "x", "${empty}"]`;
    const { publishGalleries } = await ask(`mutation { publishGalleries(${ids}) ${RESULT} }`);
    expect(publishGalleries).toEqual([
      { id: trashed, gallery: null, problem: { code: 'gallery-deleted' } },
      { id: one, gallery: { status: 'published' }, problem: null },
      { id: '999', gallery: null, problem: { code: 'gallery-not-found' } },
      { id: 'x', gallery: null, problem: { code: 'id-invalid' } },
      { id: empty, gallery: null, problem: { code: 'gallery-empty' } },
    ]);
  });

  it('go through all that one gallery goes through', async () => {
    const ids = [await insert({ missing: 1 }), await insert({ year: 2025, missing: 1 })];
    const all = async (mutation: string, args = ''): Promise<unknown> => {
      const data = await ask(
        `mutation ($ids: [ID!]!) { ${mutation}(ids: $ids ${args}) {
           problem { code } gallery { status market category takedownReason deletedAt forgottenAt } } }`,
        { ids },
      );
      const results = data[mutation] as { problem: unknown; gallery: Fields | null }[];
      expect(results).toHaveLength(2);
      for (const { problem } of results) expect([mutation, problem]).toEqual([mutation, null]);
      expect(results[0]?.gallery).toMatchObject({ status: results[1]?.gallery?.['status'] });
      return results[0]?.gallery;
    };
    expect(await all('rejectGalleries', ', reason: "blurred"')).toMatchObject({ status: 'rejected' });
    expect(await all('reopenGalleries')).toMatchObject({ status: 'pending_review' });
    expect(await all('changeGalleries', ', category: "menswear"')).toMatchObject({
      category: 'menswear',
      market: 'paris',
    });
    expect(await all('changeGalleries', ', market: null')).toMatchObject({ category: 'menswear', market: null });
    await all('refillGalleries');
    expect(await all('deleteGalleries')).toMatchObject({ deletedAt: expect.any(String) });
    expect(await all('restoreGalleries')).toMatchObject({ deletedAt: null });
    expect(await all('takeDownGalleries', ', reason: "rights"')).toMatchObject({ takedownReason: 'rights' });
    expect(await all('forgetGalleries')).toMatchObject({ forgottenAt: expect.any(String) });
    const { gallery } = await ask('{ gallery(id: 1) { keys { label } history { nodes { actor action detail } } } }');
    expect(gallery).toEqual({
      keys: [],
      history: {
        nodes: [
          ['forgotten', null],
          ['taken_down', 'rights'],
          ['restored', null],
          ['deleted', null],
          ['changed', 'market: paris → –'],
          ['changed', 'category: rtw → menswear'],
          ['reopened', 'rejected → pending_review'],
          ['rejected', 'blurred'],
        ].map(([action, detail]) => ({ actor: 'admin', action, detail })),
      },
    });
  });

  it('are a hundred at most', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `"${n + 1}"`).join(', ');
    expect(await refused(`mutation { publishGalleries(ids: [${ids}]) ${RESULT} }`)).toMatchObject({
      code: 'too-many-ids',
      status: 400,
    });
  });
});

describe('what happened to a gallery', () => {
  it('is told with the jobs that did it, newest first and in pages', async () => {
    const job = await archive.job(await archive.postShow({ images: archive.looks('history', 3) }));
    await archive.drain();
    const { gallery_id: id } = await archive.job(job.id);
    await ask(`mutation { publishGallery(id: "${id}") { id } }`);
    await ask(`mutation { hidePicture(galleryId: "${id}", position: 1, hidden: true) { id } }`);
    const query = `query ($after: String) { gallery(id: "${id}") { history(first: 2, after: $after) {
      nodes { at actor action detail jobId job { id outcome note } } pageInfo { endCursor hasNextPage } } } }`;
    const { gallery } = (await ask(query)) as { gallery: { history: { nodes: Fields[]; pageInfo: Fields } } };
    expect(gallery.history).toMatchObject({
      nodes: [
        { actor: 'admin', action: 'picture_hidden', detail: 'Look 1', jobId: null, job: null },
        { actor: 'admin', action: 'published', at: expect.stringMatching(/^20\d\d-.*Z$/) },
      ],
      pageInfo: { hasNextPage: true },
    });
    const rest = await ask(query, { after: gallery.history.pageInfo['endCursor'] });
    expect(rest['gallery']).toMatchObject({
      history: {
        nodes: [{ actor: 'dev', action: 'created', jobId: job.id, job: { id: job.id, outcome: 'created' } }],
        pageInfo: { hasNextPage: false },
      },
    });
  });
});

describe('pictures of a published gallery', () => {
  it('are for everybody until they are hidden', async () => {
    const job = await archive.job(await archive.postShow({ images: archive.looks('hidden', 3) }));
    await archive.drain();
    const { gallery_id: id } = await archive.job(job.id);
    await ask(`mutation { publishGallery(id: "${id}") { id } }`);
    const { gallery } = (await ask(`{ gallery(id: "${id}") { cover { url thumbnailUrl position } } }`)) as {
      gallery: { cover: { url: string; thumbnailUrl: string; position: number } };
    };
    const { url, thumbnailUrl } = gallery.cover;
    const publicly = async (path: string): Promise<number> => (await fetch(`${archive.url}${path}`)).status;
    expect([await publicly(url), await publicly(thumbnailUrl)]).toEqual([200, 200]);
    const { hidePicture } = await ask(
      `mutation { hidePicture(galleryId: "${id}", position: 1, hidden: true) {
         cover { position } pictures { position hidden url } } }`,
    );
    expect(hidePicture).toMatchObject({ cover: { position: 2 }, pictures: [{ hidden: true, url }, {}, {}] });
    expect([await publicly(url), await publicly(thumbnailUrl)]).toEqual([404, 404]);
    const { chooseCover } = await ask(
      `mutation { chooseCover(galleryId: "${id}", position: 3) { cover { position url } } }`,
    );
    expect(chooseCover).toMatchObject({ cover: { position: 3 } });
    expect(await refused(`mutation { chooseCover(galleryId: "${id}", position: 1) { id } }`)).toMatchObject({
      code: 'picture-not-shown',
    });
  });
});

describe('a change of a show', () => {
  it('is refused with the gallery that is the show, and when somebody was quicker', async () => {
    const id = await insert();
    const other = await insert({ category: 'couture' });
    const change = (input: string, revision = 1): string =>
      `mutation { changeGallery(id: "${id}", input: ${input}, revision: ${revision}) { label revision keys { label } } }`;
    expect(await refused(change('{ category: "高级定制" }'))).toMatchObject({
      code: 'show-exists',
      status: 409,
      gallery_id: other,
      label: '2026 秋冬 · 高级定制 · 巴黎',
    });
    expect(await refused(change('{ category: "hats", year: 3000 }'))).toMatchObject({
      code: 'overrides-invalid',
      errors: [{ pointer: '/year' }, { pointer: '/category' }],
    });
    const { changeGallery } = await ask(change('{ term: spring, market: "Milano" }'));
    expect(changeGallery).toEqual({
      label: '2026 春夏 · 高级成衣 · 米兰',
      revision: 2,
      keys: [{ label: '2026 秋冬 · 高级成衣 · 巴黎' }, { label: '2026 春夏 · 高级成衣 · 米兰' }],
    });
    expect(await refused(change('{ year: 2025 }'))).toMatchObject({ code: 'gallery-changed', revision: 2 });
  });
});
