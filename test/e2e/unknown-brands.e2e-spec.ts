import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import { encodeCursor } from '../../src/lib/keyset-cursor.js';
import type { TestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { codeOf, signedPost } from '../harness/signed-post.js';
import { statementsOf } from '../harness/statements.js';

interface Unknown {
  brand: string;
  codes: string[];
  crawlers: string[];
  lastTitle: string;
  count: number;
  near: { id: string; name: string }[];
}

interface UnknownPage {
  nodes: Unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const FIELDS = 'nodes { brand codes crawlers lastTitle count near { id name } } pageInfo { hasNextPage endCursor }';

let intake: TestApp;

beforeAll(async () => {
  intake = await startIntakeApp({ env: { INTAKE_RATE_PER_SECOND: '1000', INTAKE_RATE_BURST: '1000' } });
  await intake.app.get(CrawlersService, { strict: false }).add(COMMAND_LINE, 'other', SECRET);
});
afterEach(async () => {
  await intake.db.query('TRUNCATE ingest_refusals, ingest_jobs, ingest_messages, admin_events CASCADE');
  await intake.db.query('DELETE FROM brand_aliases WHERE brand_id > 8');
  await intake.db.query('DELETE FROM brands WHERE id > 8');
  await intake.db.query(`DELETE FROM brand_aliases WHERE source = 'alias'`);
});
afterAll(() => intake.close());

const ask = <D>(query: string, variables: Record<string, unknown> = {}) => askGraphql<D>(intake, query, variables);

async function turnedAway(data: Record<string, unknown>, crawler?: 'other'): Promise<void> {
  const options = crawler === undefined ? {} : { crawler, secret: SECRET };
  expect((await signedPost(`${intake.url}/ingest`, show(data), options)).status).toBe(422);
}

async function unknownBrands(args = ''): Promise<UnknownPage> {
  const { data, errors } = await ask<{ unknownBrands: UnknownPage }>(`{ unknownBrands${args} { ${FIELDS} } }`);
  expect(errors).toEqual([]);
  if (data === null) throw new Error('no data');
  return data.unknownBrands;
}

/** Makes what is there look as if it had come so many seconds ago. */
const age = (brand: string, seconds: number) =>
  intake.db.query('UPDATE ingest_refusals SET last_seen_at = last_seen_at - $2 WHERE brand = $1', [brand, seconds]);

describe('unknown brands', () => {
  it('are what the door turned away, by the name, with whoever sent it and brands that may be meant', async () => {
    await turnedAway({ brand: 'Maison Eclaire', title: 'One' });
    await turnedAway({ brand: 'Maison Eclaire', title: 'Two' }, 'other');
    await turnedAway({ brand: 'Maison Éclair', brand_id: 8, title: 'Three' });
    await turnedAway({ title: 3 });
    await age('Maison Eclaire', 60);
    expect((await unknownBrands()).nodes).toEqual([
      {
        brand: 'Maison Éclair',
        codes: ['brand-mismatch'],
        crawlers: ['dev'],
        lastTitle: 'Three',
        count: 1,
        near: [{ id: '7', name: 'Maison Éclair' }],
      },
      {
        brand: 'Maison Eclaire',
        codes: ['brand-unknown'],
        crawlers: ['dev', 'other'],
        lastTitle: expect.stringMatching(/One|Two/),
        count: 2,
        near: [{ id: '7', name: 'Maison Éclair' }],
      },
    ]);
    const ofOther = (await unknownBrands('(crawler: "other")')).nodes;
    expect(ofOther).toMatchObject([{ brand: 'Maison Eclaire', count: 1, crawlers: ['other'], lastTitle: 'Two' }]);
  });

  it('come in pages, each once, though many were turned away at one moment', async () => {
    await intake.db.query(
      `INSERT INTO ingest_refusals (crawler_id, code, brand, last_title, count, first_seen_at, last_seen_at)
       SELECT crawler, code, 'Name ' || n, 't', 1, 1, 1800000000 + n / 5 * crawler
       FROM generate_series(1, 23) n, unnest(ARRAY[1, 2]) crawler, unnest(ARRAY['brand-unknown', 'brand-ambiguous']) code`,
    );
    const seen: string[] = [];
    for (let after = ''; ;) {
      const page = await unknownBrands(`(first: 4${after})`);
      expect(page.nodes.every(({ count }) => count === 4)).toBe(true);
      seen.push(...page.nodes.map(({ brand }) => brand));
      if (!page.pageInfo.hasNextPage) break;
      after = `, after: "${page.pageInfo.endCursor ?? ''}"`;
    }
    expect(seen).toHaveLength(23);
    expect(new Set(seen).size).toBe(23);
    expect(seen[0]).toBe('Name 23');
  });

  it('take three statements, however many are on the page', async () => {
    for (let n = 0; n < 12; n++) await turnedAway({ brand: `Maison Eclaire ${n}` });
    expect(await statementsOf(intake.app, () => unknownBrands())).toBe(3);
  });

  it('are made brands by one word, in all their spellings, and the crawler is let in', async () => {
    await turnedAway({ brand: 'Jil Sander' });
    await turnedAway({ brand: 'JIL-SANDER ' }, 'other');
    const made = await ask<{ makeUnknownBrand: { name: string; slug: string } }>(
      'mutation { makeUnknownBrand(brand: "Jil Sander") { name slug } }',
    );
    expect(made.data?.makeUnknownBrand).toEqual({ name: 'Jil Sander', slug: 'jil-sander' });
    expect((await unknownBrands()).nodes).toEqual([]);
    expect((await signedPost(`${intake.url}/ingest`, show({ brand: 'jil sander' }))).status).toBe(202);
    const [event] = await intake.db.query('SELECT actor, action, detail FROM admin_events');
    expect(event).toMatchObject({ action: 'brand.created', detail: 'Jil Sander (jil-sander)' });
  });

  it('are made brands under their right name, and what the crawlers say becomes an alias', async () => {
    await turnedAway({ brand: 'J. Sander' });
    const { data } = await ask<{ makeUnknownBrand: unknown }>(
      `mutation { makeUnknownBrand(brand: "J. Sander", input: { name: "Jil Sander", nameZh: "吉尔·桑达", slug: "jil" }) {
         name nameZh slug aliases { alias source } sharedNames { alias } } }`,
    );
    expect(data?.makeUnknownBrand).toEqual({
      name: 'Jil Sander',
      nameZh: '吉尔·桑达',
      slug: 'jil',
      aliases: [
        { alias: 'jil', source: 'slug' },
        { alias: 'Jil Sander', source: 'name' },
        { alias: 'J. Sander', source: 'alias' },
        { alias: '吉尔·桑达', source: 'name_zh' },
      ],
      sharedNames: [],
    });
  });

  it('are made aliases of a brand, and the crawler is let in', async () => {
    await turnedAway({ brand: 'Eclair Paris' });
    const { data } = await ask<{ aliasUnknownBrand: unknown }>(
      'mutation { aliasUnknownBrand(brand: "Eclair Paris", brandId: 7) { id } }',
    );
    expect(data).toEqual({ aliasUnknownBrand: { id: '7' } });
    expect((await signedPost(`${intake.url}/ingest`, show({ brand: 'ECLAIR, PARIS' }))).status).toBe(202);
    expect((await unknownBrands()).nodes).toEqual([]);
  });

  it('are dismissed until they are turned away again', async () => {
    await turnedAway({ brand: 'Spam' });
    await turnedAway({ brand: 'Spam' });
    expect((await ask('mutation { dismissUnknownBrand(brand: "Spam") }')).data).toEqual({ dismissUnknownBrand: true });
    expect((await unknownBrands()).nodes).toEqual([]);
    expect(await intake.db.query('SELECT action, entity, entity_id FROM admin_events')).toEqual([
      { action: 'unknown_brand.dismissed', entity: 'unknown_brand', entity_id: 'Spam' },
    ]);
    await turnedAway({ brand: 'Spam' });
    expect((await unknownBrands()).nodes).toMatchObject([{ brand: 'Spam', count: 1 }]);
  });

  it('stay on the list when nothing came of the editor’s word', async () => {
    await turnedAway({ brand: 'Jil' });
    const codes = async (mutation: string) =>
      (await ask(`mutation { ${mutation} }`)).errors.map(({ extensions }) => extensions['code']);
    expect(await codes('makeUnknownBrand(brand: "Jil", input: { name: "Maison Éclair" }) { id }')).toEqual([
      'slug-taken',
    ]);
    expect(await codes('aliasUnknownBrand(brand: "Jil", brandId: 99) { id }')).toEqual(['brand-not-found']);
    expect((await unknownBrands()).nodes).toMatchObject([{ brand: 'Jil' }]);
    for (const mutation of [
      'makeUnknownBrand(brand: "Never") { id }',
      'aliasUnknownBrand(brand: "Never", brandId: 7) { id }',
      'dismissUnknownBrand(brand: "Never")',
    ]) {
      expect(await codes(mutation)).toEqual(['unknown-brand-not-found']);
    }
    expect(await intake.db.query('SELECT 1 FROM admin_events')).toEqual([]);
    expect(await intake.db.query('SELECT id FROM brands WHERE id > 8')).toEqual([]);
  });

  it('taken by two editors at once are one brand', async () => {
    await turnedAway({ brand: 'Jil Sander' });
    const answers = await Promise.all(
      ['jil', 'sander'].map((slug) =>
        ask(`mutation { makeUnknownBrand(brand: "Jil Sander", input: { slug: "${slug}" }) { id } }`),
      ),
    );
    expect(answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions['code']))).toEqual([
      'unknown-brand-not-found',
    ]);
  });

  it('are refused with codes when the question is wrong', async () => {
    const code = async (args: string) =>
      (await ask(`{ unknownBrands(${args}) { nodes { brand } } }`)).errors[0]?.extensions['code'];
    expect(await code('crawler: "nobody"')).toBe('crawler-unknown');
    expect(await code('after: "nonsense"')).toBe('cursor-invalid');
    expect(await code(`after: "${encodeCursor(['x', 'Jil'])}"`)).toBe('cursor-invalid');
    expect(await code('first: 101')).toBe('page-size-invalid');
    expect(codeOf(await signedPost(`${intake.url}/ingest`, show({ brand: 'Jil' })))).toBe('422 brand-unknown');
  });
});
