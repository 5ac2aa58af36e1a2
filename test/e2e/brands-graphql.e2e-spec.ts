import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { brandEntryOf } from '../../src/brands/brand-line.js';
import { BrandsModule } from '../../src/brands/brands.module.js';
import { encodeCursor } from '../../src/lib/keyset-cursor.js';
import { GraphqlModule } from '../../src/platform/graphql/graphql.module.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { askGraphql, type GraphqlAnswer } from '../harness/graphql.js';
import { rootFields } from '../harness/root-fields.js';
import { insertJobs } from '../harness/job-rows.js';
import { statementsOf } from '../harness/statements.js';

interface RecordsPage {
  nodes: { id: string; status: string; outcome: string | null }[];
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

interface NamesPage {
  nodes: { name: string }[];
  pageInfo: RecordsPage['pageInfo'];
}

const PAGE_OF_NAMES = `query ($after: String) {
  brands(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;

const NO_SUCH = 'x'.repeat(40);

describe('brands over GraphQL', () => {
  let app: TestApp;
  const ask: typeof askGraphql<Record<string, never>> = (_, ...rest) => askGraphql(app, ...rest);

  beforeAll(async () => {
    app = await startTestApp({ modules: [HttpModule, GraphqlModule, BrandsModule] });
  });
  afterEach(() => app.db.query('TRUNCATE brands, ingest_jobs RESTART IDENTITY CASCADE'));
  afterAll(() => app.close());

  const put = (value: Record<string, unknown>) =>
    app.app.get(BrandCatalogue, { strict: false }).put(brandEntryOf(value));

  async function recordsPage(args: string): Promise<RecordsPage> {
    const { data, errors } = await askGraphql<{ brand: { updateRecords: RecordsPage } }>(
      app,
      `{ brand(id: 1) { updateRecords(${args}) {
          nodes { id status outcome } edges { cursor node { id } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
    );
    expect(errors).toEqual([]);
    if (data === null) throw new Error('no data');
    return data.brand.updateRecords;
  }

  describe('the door', () => {
    it.each([
      ['no token', null],
      ['a wrong token', NO_SUCH],
    ])('is closed to %s, for every root field there is', async (_, token) => {
      const fields = await rootFields(app);
      expect(fields.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['brand', 'brands', 'streetStyleUpdateRecords', 'unknownBrandUpdateRecords']),
      );
      for (const { name, call } of fields) {
        const { data, errors, status } = await ask(app, call, {}, token);
        const codes = errors.map(({ extensions }) => extensions['code']);
        expect([name, status, codes]).toEqual([name, 200, ['unauthenticated']]);
        expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
      }
    });

    it('lets the bearer of ADMIN_TOKEN in, and asks no field of a type for more', async () => {
      await put({ name: 'Gucci' });
      const { data, errors } = await ask(
        app,
        '{ brands { nodes { name hashid aliases { alias } updateRecords { nodes { id } } } } }',
      );
      expect(errors).toEqual([]);
      expect(data).toMatchObject({ brands: { nodes: [{ name: 'Gucci', updateRecords: { nodes: [] } }] } });
    });

    it('takes no query by a form or an address that a foreign page could send for the user', async () => {
      const headers = { 'content-type': 'text/plain', authorization: `Bearer ${NO_SUCH}` };
      const simple = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: '{"query":"{__typename}"}' });
      expect(simple.status).toBeGreaterThanOrEqual(400);
      const get = await fetch(`${app.url}/graphql?query=%7B__typename%7D`);
      expect(get.status).toBe(400);
    });
  });

  describe('errors', () => {
    it('carry stable codes', async () => {
      const codes: [string, string][] = [
        ['{ brands(first: 0) { nodes { id } } }', 'page-size-invalid'],
        ['{ brands(first: 101) { nodes { id } } }', 'page-size-invalid'],
        ['{ brands(after: "nonsense") { nodes { id } } }', 'cursor-invalid'],
        [`{ streetStyleUpdateRecords(after: "${encodeCursor(['x'])}") { nodes { id } } }`, 'cursor-invalid'],
        ['{ brand { id } }', 'brand-not-named'],
        ['{ nonsense }', 'graphql-validation-failed'],
        ['{ brands(', 'graphql-parse-failed'],
        [`{ brands { nodes { ${'id '.repeat(6000)} } } }`, 'graphql-parse-failed'],
      ];
      for (const [query, code] of codes) {
        const { errors } = await ask(app, query);
        expect([query.slice(0, 60), errors.map(({ extensions }) => extensions['code'])]).toEqual([
          query.slice(0, 60),
          [code],
        ]);
      }
    });

    it('of ours show neither text nor stack', async () => {
      await app.db.query('ALTER TABLE brands RENAME COLUMN name_zh TO elsewhere');
      try {
        const { errors, text } = await ask(app, '{ brands { nodes { id } } }');
        expect(errors[0]?.extensions).toEqual({ code: 'internal', status: 500 });
        expect(text).not.toMatch(/name_zh|does not exist|QueryFailed|\.ts|stack/);
      } finally {
        await app.db.query('ALTER TABLE brands RENAME COLUMN elsewhere TO name_zh');
      }
    });
  });

  describe('brands', () => {
    it('come in pages by slug, complete, and can be searched in any spelling', async () => {
      for (const name of ['Zara', 'Céline', 'A.P.C.', 'Gucci', '盖娅传说']) await put({ name });
      const names: string[] = [];
      let after: string | null = null;
      do {
        const answer: GraphqlAnswer<{ brands: NamesPage }> = await askGraphql(app, PAGE_OF_NAMES, { after });
        const page = answer.data?.brands;
        expect(page?.pageInfo.hasPreviousPage).toBe(after !== null);
        names.push(...(page?.nodes ?? []).map(({ name }) => name));
        after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      expect(names).toEqual(['A.P.C.', 'Céline', 'Gucci', 'Zara', '盖娅传说']);
      const search = async (text: string) =>
        (await ask(app, 'query ($text: String) { brands(search: $text) { nodes { name } } }', { text })).data?.[
          'brands'
        ];
      expect(await search('CELI')).toEqual({ nodes: [{ name: 'Céline' }] });
      expect(await search('传说')).toEqual({ nodes: [{ name: '盖娅传说' }] });
      expect(await search('%')).toEqual({ nodes: [] });
    });

    it('are found by id or hashid, merged ones as they are, and unknown ones as null', async () => {
      const gucci = await put({ id: 612, name: 'Gucci', name_zh: '古驰', aliases: ['GG'] });
      await put({ id: 613, name: 'Gucci Kids' });
      await app.db.query(`UPDATE brands SET status = 'merged', merged_into = 612 WHERE id = 613`);
      const brand = async (args: string) =>
        (
          await ask(
            app,
            `{ brand(${args}) { id hashid name nameZh slug status mergedInto aliases { alias source } createdAt } }`,
          )
        ).data?.['brand'];
      const found = await brand('id: "612"');
      expect(found).toEqual({
        id: '612',
        hashid: gucci.hashid,
        name: 'Gucci',
        nameZh: '古驰',
        slug: 'gucci',
        status: 'active',
        mergedInto: null,
        aliases: [
          { alias: 'GG', source: 'alias' },
          { alias: 'Gucci', source: 'name' },
          { alias: '古驰', source: 'name_zh' },
        ],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      });
      expect(await brand(`hashid: "${gucci.hashid}"`)).toEqual(found);
      expect(await brand(`id: "612", hashid: "${gucci.hashid}"`)).toEqual(found);
      expect(await brand(`id: "613", hashid: "${gucci.hashid}"`)).toBeNull();
      expect(await brand('id: 613')).toMatchObject({ name: 'Gucci Kids', status: 'merged', mergedInto: '612' });
      for (const unknown of [
        'id: 1',
        'id: "x"',
        'id: "0"',
        'id: "99999999999999999999"',
        'hashid: "zzzz"',
        `hashid: "${gucci.hashid.toLowerCase()}"`,
      ]) {
        expect([unknown, await brand(unknown)]).toEqual([unknown, null]);
      }
    });
  });

  describe('update records', () => {
    it('made by one INSERT come complete and once in pages of 20 while new ones arrive', async () => {
      await put({ id: 1, name: 'Gucci' });
      const before = await insertJobs(app.db, 300, { brand_id: 1 });
      const seen: string[] = [];
      let after = '';
      for (;;) {
        const page = await recordsPage(`first: 20 ${after}`);
        expect(page.edges.map(({ node }) => node.id)).toEqual(page.nodes.map(({ id }) => id));
        seen.push(...page.nodes.map(({ id }) => id));
        if (!page.pageInfo.hasNextPage) break;
        expect(page.nodes).toHaveLength(20);
        expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor);
        after = `after: "${page.pageInfo.endCursor ?? ''}"`;
        await insertJobs(app.db, 7, { brand_id: 1 });
      }
      expect(seen).toEqual([...before].reverse());
    });

    it('are those of the brand alone, newest first, filtered by status and outcome', async () => {
      await put({ id: 1, name: 'Gucci' });
      const done = (outcome: string) => ({ brand_id: 1, status: 'done', outcome });
      const [created] = await insertJobs(app.db, 1, done('created'));
      const [skipped] = await insertJobs(app.db, 1, done('skipped_existing'));
      const [failed] = await insertJobs(app.db, 1, { brand_id: 1, status: 'failed' });
      const [pending] = await insertJobs(app.db, 1, { brand_id: 1 });
      await insertJobs(app.db, 3, { brand_id: 2 });
      const ids = async (args: string) => (await recordsPage(args)).nodes.map(({ id }) => id);
      expect(await ids('first: 10')).toEqual([pending, failed, skipped, created]);
      expect(await ids(`status: [failed, pending]`)).toEqual([pending, failed]);
      expect(await ids(`status: done`)).toEqual([skipped, created]);
      expect(await ids('outcome: "created"')).toEqual([created]);
      expect(await ids('outcome: ["created", "skipped_existing"], first: 1')).toEqual([skipped]);
      expect(await ids(`status: failed, outcome: "created"`)).toEqual([]);
    });

    it('show what the job did: note, attempts, errors, subject, the next attempt', async () => {
      await put({ id: 1, name: 'Gucci' });
      const times = { created_at: 1_800_000_000, updated_at: 1_800_000_060, next_attempt_at: 1_800_000_090 };
      const [id] = await insertJobs(app.db, 1, {
        ...times,
        brand_id: 1,
        kind: 'crawl',
        subject: '2026 秋冬 · 高级成衣 · 巴黎',
        attempts: 1,
        error_code: 'host_busy',
        last_error: 'The host was busy',
      });
      await insertJobs(app.db, 1, { ...times, brand_id: 1, status: 'done', outcome: 'created', note: '新建 42 张图' });
      await app.db.query(
        `INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error)
         VALUES ($1, 5, 1, 1800000000, 1800000060, 'w', 'retry', 'host_busy', 'The host was busy')`,
        [id],
      );
      const { data, errors } = await ask(
        app,
        `{ brand(id: 1) { updateRecords { nodes { id kind subject outcome note attempts errorCode lastError
           createdAt updatedAt nextAttemptAt attemptHistory { number worker errorCode error startedAt endedAt } } } } }`,
      );
      expect(errors).toEqual([]);
      const { nodes } = (data as unknown as { brand: { updateRecords: { nodes: unknown[] } } }).brand.updateRecords;
      expect(nodes[0]).toMatchObject({
        outcome: 'created',
        note: '新建 42 张图',
        nextAttemptAt: null,
        attemptHistory: [],
      });
      expect(nodes[1]).toEqual({
        id,
        kind: 'crawl',
        subject: '2026 秋冬 · 高级成衣 · 巴黎',
        outcome: null,
        note: null,
        attempts: 1,
        errorCode: 'host_busy',
        lastError: 'The host was busy',
        createdAt: '2027-01-15T08:00:00.000Z',
        updatedAt: '2027-01-15T08:01:00.000Z',
        nextAttemptAt: '2027-01-15T08:01:30.000Z',
        attemptHistory: [
          {
            number: 1,
            worker: 'w',
            errorCode: 'host_busy',
            error: 'The host was busy',
            startedAt: '2027-01-15T08:00:00.000Z',
            endedAt: '2027-01-15T08:01:00.000Z',
          },
        ],
      });
    });

    it('of street style and of unknown brands have lists of their own', async () => {
      const [street] = await insertJobs(app.db, 1, { brand_id: 0, brandless: true });
      const [unknown] = await insertJobs(app.db, 1, { brand_id: 0 });
      await insertJobs(app.db, 1, { brand_id: 4 });
      const { data, errors } = await ask(
        app,
        '{ streetStyleUpdateRecords { nodes { id } } unknownBrandUpdateRecords(first: 1) { nodes { id } pageInfo { hasNextPage } } }',
      );
      expect(errors).toEqual([]);
      expect(data).toEqual({
        streetStyleUpdateRecords: { nodes: [{ id: street }] },
        unknownBrandUpdateRecords: { nodes: [{ id: unknown }], pageInfo: { hasNextPage: false } },
      });
    });

    it('of fifty brands take one statement a level', async () => {
      for (let id = 1; id <= 50; id++) {
        await put({ id, name: `House ${id}` });
        await insertJobs(app.db, 6, { brand_id: id });
      }
      let nodes: { updateRecords: { nodes: unknown[] }; aliases: unknown[] }[] = [];
      const statements = await statementsOf(app.app, async () => {
        const query = `{ brands(first: 50) { nodes { hashid aliases { alias }
          updateRecords(first: 5) { nodes { id attempts attemptHistory { number } } } } } }`;
        const { data } = await askGraphql<{ brands: { nodes: typeof nodes } }>(app, query);
        nodes = data?.brands.nodes ?? [];
      });
      expect(nodes).toHaveLength(50);
      expect(nodes.every((node) => node.updateRecords.nodes.length === 5 && node.aliases.length > 0)).toBe(true);
      // The brands, their aliases, their records, the records' attempts.
      expect(statements).toBe(4);
    });

    it('asked for twice with other arguments are not mixed up', async () => {
      await put({ id: 1, name: 'Gucci' });
      const [older] = await insertJobs(app.db, 1, { brand_id: 1, status: 'failed' });
      const [newer] = await insertJobs(app.db, 1, { brand_id: 1 });
      const { data } = await ask(
        app,
        '{ brand(id: 1) { one: updateRecords(first: 1) { nodes { id } } two: updateRecords(first: 2) { nodes { id } } } }',
      );
      expect(data).toEqual({
        brand: { one: { nodes: [{ id: newer }] }, two: { nodes: [{ id: newer }, { id: older }] } },
      });
    });
  });
});
