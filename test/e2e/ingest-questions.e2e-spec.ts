import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { parseBrandLine } from '../../src/brands/brand-line.js';
import type { BrandAnswer } from '../../src/brands/brand-list.docs.js';
import { BrandsService } from '../../src/brands/brands.service.js';
import type { KnownShow } from '../../src/galleries/known-shows.docs.js';
import { DataSource, type Logger } from 'typeorm';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import type { JobAnswer } from '../../src/ingest/job-status.docs.js';
import { IntakeQuery } from '../../src/platform/intake/intake-query.js';
import type { TestApp } from '../harness/app.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { startIntakeApp } from '../harness/intake-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { message, runwayData, streetData } from '../harness/payloads.js';
import { type Answer, codeOf, read, signedPost, type SignedPostOptions } from '../harness/signed-post.js';

const SECOND_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const SECOND = { secret: SECOND_SECRET, crawler: 'second' };

let intake: TestApp;

beforeAll(async () => {
  intake = await startIntakeApp();
  await intake.app.get(CrawlersService, { strict: false }).add(COMMAND_LINE, 'second', SECOND_SECRET);
});

afterAll(() => intake.close());

const ask = (path: string, type: string, data: unknown, options?: SignedPostOptions): Promise<Answer> =>
  signedPost(`${intake.url}/ingest/${path}`, { type, timestamp: '2026-11-30T08:00:00Z', data }, options);

/** Statements that the application sends while it answers. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const dataSource = intake.app.get(DataSource);
  const seen: string[] = [];
  const { logger } = dataSource;
  const listener: Logger = Object.create(logger);
  listener.logQuery = (sql) => void seen.push(sql);
  dataSource.logger = listener;
  try {
    await work();
  } finally {
    dataSource.logger = logger;
  }
  return seen.filter((sql) => !/^(START|COMMIT|SET LOCAL)/.test(sql.trim()));
}

describe('every question', () => {
  const QUESTIONS = [
    ['status', 'job.status', { job_ids: ['1'] }],
    ['known', 'show.known', { shows: [{ brand: 'Maison Éclair', season: 'Fall 2026' }] }],
    ['brands', 'brand.list', {}],
  ] as const;

  it.each(QUESTIONS)(
    'at /ingest/%s of type %s is signed, and answered 200 without a trace',
    async (path, type, data) => {
      const before = await intake.db.query('SELECT count(*) FROM ingest_messages');
      const id = 'msg_one_question';
      const answers = [await ask(path, type, data, { id }), await ask(path, type, data, { id })];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.headers.get('content-type')).toContain('application/json');
      expect(await intake.db.query('SELECT count(*) FROM ingest_messages')).toEqual(before);
      expect(codeOf(await ask(path, type, data, { secret: SECOND_SECRET, crawler: 'dev' }))).toBe(
        '401 signature-mismatch',
      );
      expect(codeOf(await ask(path, type, data, { headers: { 'webhook-signature': undefined } }))).toBe(
        '401 signature-missing',
      );
      expect(codeOf(await read(await fetch(`${intake.url}/ingest/${path}`)))).toBe('405 method-not-allowed');
    },
  );

  it.each(QUESTIONS)(
    'at /ingest/%s is not answered at another door, nor is %s asked elsewhere',
    async (path, type, data) => {
      for (const other of QUESTIONS.map(([name]) => name).filter((name) => name !== path)) {
        expect(codeOf(await ask(other, type, data))).toBe('422 type-not-here');
      }
      const body = { type, timestamp: '2026-11-30T08:00:00Z', data };
      expect(codeOf(await signedPost(`${intake.url}/ingest`, body))).toBe('422 type-not-here');
      expect(codeOf(await ask(path, 'runway.show', runwayData()))).toBe('422 type-not-here');
      expect(codeOf(await ask(path, 'nothing.known', data))).toBe('422 type-unknown');
    },
  );

  it.each([
    ['status', 'job.status', 'no ids', {}, '/data/job_ids'],
    ['status', 'job.status', 'an empty list', { job_ids: [] }, '/data/job_ids'],
    ['status', 'job.status', '101 ids', { job_ids: Array(101).fill('1') }, '/data/job_ids'],
    ['status', 'job.status', 'no id', { job_ids: ['1', 'x'] }, '/data/job_ids/1'],
    ['known', 'show.known', '201 shows', { shows: Array(201).fill('https://a.example/') }, '/data/shows'],
    ['known', 'show.known', 'no season', { shows: [{ brand: 'X', season: 'Y' }, { brand: 'X' }] }, '/data/shows/1'],
    ['known', 'show.known', 'no brand', { shows: [{ season: 'Fall 2026' }] }, '/data/shows/0'],
    ['known', 'show.known', 'no page', { shows: ['ftp://a.example/'] }, '/data/shows/0'],
    ['known', 'show.known', 'no address', { shows: [{ source: { url: 'no url' } }] }, '/data/shows/0/source/url'],
    ['brands', 'brand.list', 'too many', { first: 501 }, '/data/first'],
    ['brands', 'brand.list', 'a cursor of nobody', { after: 'eyJ4' }, '/data/after'],
  ])('at /ingest/%s of type %s with %s is refused', async (path, type, _, data, pointer) => {
    const answer = await ask(path, type, data);
    expect(codeOf(answer)).toBe('422 schema-invalid');
    expect(answer.body['errors']).toEqual(expect.arrayContaining([{ pointer, detail: expect.any(String) }]));
  });

  it('with two owners, or with a path where none is asked, refuses the start', async () => {
    @IntakeQuery({ type: 'brand.list', path: '/ingest/brands' })
    class Rival {
      answer(): Promise<unknown> {
        return Promise.resolve({});
      }
    }
    @IntakeQuery({ type: 'test.street', path: '/ingest/brands' })
    class RivalOfAMessage extends Rival {}
    @IntakeQuery({ type: 'test.lost', path: '/ingest/lost' })
    class Lost extends Rival {}
    await expect(startIntakeApp({ providers: [Rival] })).rejects.toThrow(
      /BrandListQuery and Rival|Rival and BrandList/,
    );
    await expect(startIntakeApp({ providers: [RivalOfAMessage] })).rejects.toThrow(/TestStreet and RivalOfAMessage/);
    await expect(startIntakeApp({ providers: [Lost] })).rejects.toThrow(/Lost .*\/ingest\/lost/);
  });
});

describe('job.status', () => {
  const jobs = async (ids: unknown[], options?: SignedPostOptions): Promise<JobAnswer[]> =>
    (await ask('status', 'job.status', { job_ids: ids }, options)).body['jobs'] as JobAnswer[];

  it('tells a crawler what became of its jobs, in the order of its question', async () => {
    const [waiting = ''] = await insertJobs(intake.db, 1, {
      kind: 'crawl',
      submitted_by: 'dev',
      subject: '2026 秋冬',
      attempts: 2,
      error_code: 'pictures_missing',
      last_error: '3 of 42 pictures',
      next_attempt_at: 1_900_000_000,
    });
    const [done = ''] = await insertJobs(intake.db, 1, {
      kind: 'crawl',
      submitted_by: 'dev',
      status: 'done',
      outcome: 'created',
      note: '新建 42 张图',
      attempts: 1,
    });
    expect(await jobs([done, Number(waiting), done])).toEqual([
      expect.objectContaining({
        job_id: done,
        status: 'done',
        outcome: 'created',
        note: '新建 42 张图',
        next_attempt_at: null,
      }),
      {
        job_id: waiting,
        status: 'pending',
        subject: '2026 秋冬',
        outcome: null,
        note: null,
        attempts: 2,
        error_code: 'pictures_missing',
        last_error: '3 of 42 pictures',
        next_attempt_at: '2030-03-17T17:46:40.000Z',
        updated_at: '2023-11-14T22:13:20.000Z',
      },
      expect.objectContaining({ job_id: done, status: 'done' }),
    ]);
  });

  it('answers for 100 jobs, and for none of somebody else: those are as unknown as those that never were', async () => {
    const mine = await insertJobs(intake.db, 97, { kind: 'crawl', submitted_by: 'dev' });
    const [theirs = ''] = await insertJobs(intake.db, 1, { kind: 'crawl', submitted_by: 'second' });
    // An editor may have a crawler's name; what an editor set going is not the crawler's.
    const [cleanup = ''] = await insertJobs(intake.db, 1, { kind: 'media_cleanup', submitted_by: 'dev' });
    const answers = await jobs([...mine, theirs, cleanup, '99999999999999999999999']);
    expect(answers.slice(0, 97).every(({ status }) => status === 'pending')).toBe(true);
    expect(answers.slice(97)).toEqual(
      [theirs, cleanup, '99999999999999999999999'].map((id) =>
        expect.objectContaining({ job_id: id, status: 'unknown', last_error: null, updated_at: null }),
      ),
    );
    expect((await jobs([theirs], SECOND))[0]?.status).toBe('pending');
  });
});

describe('show.known', () => {
  const known = async (...shows: unknown[]): Promise<KnownShow[]> => {
    const answer = await ask('known', 'show.known', { shows });
    expect(codeOf(answer)).toBe('200');
    return answer.body['shows'] as KnownShow[];
  };
  const show = (season: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    brand: 'Maison Éclair',
    season,
    market: 'paris',
    ...more,
  });

  afterEach(() =>
    intake.db.query('TRUNCATE galleries, gallery_keys, gallery_sources, gallery_pictures, ingest_jobs CASCADE'),
  );

  it('answers every state, with picture counts and what was understood', async () => {
    const ids: Record<string, string> = {};
    for (const [status, year] of [
      ['pending_review', 2021],
      ['published', 2022],
      ['rejected', 2023],
    ] as const) {
      ids[status] = await insertGallery(intake.db, { brandId: '7', status, year, stored: 42, missing: 3 });
    }
    ids['deleted'] = await insertGallery(intake.db, { brandId: '7', year: 2024, deletedAt: 1_700_000_000 });
    const images = ['https://pictures.example/1.jpg'];
    await signedPost(`${intake.url}/ingest`, message('runway.show', { ...show('Fall 2025 Ready-to-Wear'), images }));

    const seasons = [2020, 2021, 2022, 2023, 2024, 2025].map((year) => show(`Fall ${year} Ready-to-Wear`));
    const answers = await known(...seasons);

    expect(answers.map(({ state }) => state)).toEqual([
      'none',
      'pending_review',
      'published',
      'rejected',
      'deleted',
      'queued',
    ]);
    expect(answers[2]).toEqual({
      state: 'published',
      gallery_id: ids['published'],
      pictures: { stored: 42, missing: 3 },
      subject: '2022 秋冬 · 高级成衣 · 巴黎',
      problem: null,
    });
    expect(answers[0]).toEqual({
      state: 'none',
      gallery_id: null,
      pictures: null,
      subject: '2020 秋冬 · 高级成衣 · 巴黎',
      problem: null,
    });
  });

  it('says queued of a rejected show that is coming anew, and not of one that needs no crawl', async () => {
    for (const [year, status] of [
      [2022, 'published'],
      [2023, 'rejected'],
    ] as const) {
      await insertGallery(intake.db, { brandId: '7', status, year });
      const subject_key = `runway:7:${year}:fall:rtw:paris:`;
      await insertJobs(intake.db, 1, { kind: 'crawl', subject_key, status: 'processing', locked_at: 1, attempts: 1 });
      await insertJobs(intake.db, 1, { kind: 'crawl', subject_key, status: 'failed' });
    }
    await insertJobs(intake.db, 1, { kind: 'crawl', subject_key: 'runway:7:2024:fall:rtw:paris:', status: 'failed' });
    const answers = await known(...[2022, 2023, 2024].map((year) => show(`Fall ${year} RTW`)));
    expect(answers.map(({ state }) => state)).toEqual(['published', 'queued', 'none']);
  });

  it('reads a show as the door does: hashid, id or alias; title, or year and term; any place when there is one', async () => {
    const hashid = intake.app.get(BrandsService, { strict: false }).hashidOf('7');
    const id = await insertGallery(intake.db, { brandId: '7', category: 'menswear' });
    const answers = await known(
      { brand_hashid: hashid, season: 'Fall 2026 Menswear', market: 'paris' },
      { brand_id: 7, title: 'Maison Éclair Fall 2026 Menswear Paris' },
      { brand_id: '7', year: 2026, term: 'fall', category: 'menswear' },
      { brand: 'maison eclair', season: 'F/W 2026 men’s' },
      { brand_id: 7, season: 'Fall 2026 Menswear', market: 'milan' },
      { brand_id: 7, season: 'Fall 2026' },
      { brand_id: 8, season: 'Fall 2026 Menswear' },
    );
    expect(answers.map(({ gallery_id }) => gallery_id)).toEqual([id, id, id, id, null, null, null]);
  });

  it('finds a show by its page or foreign id, within the brand when one is named', async () => {
    const sources = ['vogue.example/shows/fall-2026', 'vogue#77'];
    const id = await insertGallery(intake.db, { brandId: '7', sources, stored: 5 });
    const street = await insertGallery(intake.db, { brandId: '0', market: 'milan', sources: ['vogue.example/street'] });
    const answers = await known(
      'https://www.vogue.example/shows/fall-2026/?utm_source=x',
      { source: { site: 'Vogue', external_id: '77' } },
      { brand_id: 7, source: { url: 'http://vogue.example/shows/fall-2026' } },
      { brand_id: 8, source: { url: 'http://vogue.example/shows/fall-2026' } },
      'https://vogue.example/street',
      'https://vogue.example/nothing',
    );
    expect(answers.map(({ gallery_id }) => gallery_id)).toEqual([id, id, id, null, street, null]);
    expect(answers[0]).toMatchObject({
      state: 'published',
      subject: '2026 秋冬 · 高级成衣 · 巴黎',
      pictures: { stored: 5 },
    });
    expect(answers[5]).toMatchObject({ state: 'none', subject: null, problem: null });
  });

  it('does not take one listing page of many shows for one of them', async () => {
    const sources = ['vogue.example/list'];
    const fall = await insertGallery(intake.db, { brandId: '7', sources });
    await insertGallery(intake.db, { brandId: '7', sources, term: 'spring' });
    const [alone, named, other] = await known(
      'https://vogue.example/list',
      show('Fall 2026 Ready-to-Wear', { market: undefined, source: { url: 'https://vogue.example/list' } }),
      show('Resort 2026 Ready-to-Wear', { source: { url: 'https://vogue.example/list' } }),
    );
    expect(alone).toMatchObject({ state: 'none', problem: { code: 'source-ambiguous' } });
    expect(named).toMatchObject({ state: 'published', gallery_id: fall, problem: null });
    expect(other).toMatchObject({ state: 'none', problem: null });
  });

  it('says of each show why it could not be looked for, and answers for the others', async () => {
    await insertGallery(intake.db, { brandId: '7' });
    const answers = await known(
      { brand: 'Nobody & Sons', season: 'Fall 2026' },
      { brand: 'Maison Éclair', brand_id: 8, season: 'Fall 2026' },
      show('The very best'),
      show('Fall 2026 Ready-to-Wear', { colour: 'red' }),
    );
    expect(answers.map(({ state, problem }) => [state, problem?.code])).toEqual([
      ['none', 'brand-unknown'],
      ['none', 'brand-mismatch'],
      ['none', 'season-unparsed'],
      ['published', undefined],
    ]);
  });

  it('answers for 200 shows by one statement for brands, one for galleries and one for jobs', async () => {
    const catalogue = intake.app.get(BrandCatalogue, { strict: false });
    for (let n = 100; n < 150; n++) await catalogue.put(parseBrandLine(JSON.stringify({ id: n, name: `House ${n}` })));
    for (let n = 100; n < 150; n++) await insertGallery(intake.db, { brandId: String(n), stored: 1 });
    const shows = Array.from({ length: 200 }, (_, n) => ({
      brand: n < 150 ? `House ${100 + (n % 50)}` : `Nobody ${n}`,
      season: n < 50 ? 'Fall 2026 Ready-to-Wear' : `Spring ${2000 + (n % 20)}`,
      market: 'paris',
    }));
    let answers: KnownShow[] = [];
    const statements = await statementsOf(async () => (answers = await known(...shows)));
    expect(answers).toHaveLength(200);
    expect(answers.filter(({ state }) => state === 'published')).toHaveLength(50);
    expect(answers.filter(({ problem }) => problem?.code === 'brand-unknown')).toHaveLength(50);
    expect(statements.filter((sql) => !sql.includes('crawler_secrets'))).toHaveLength(3);
  });

  it('finds what a street-style crawl is named by: its page', async () => {
    const data = streetData({ source: { url: 'https://street.example/day-3' } });
    expect((await signedPost(`${intake.url}/ingest`, message('street.gallery', data))).status).toBe(202);
    expect((await known('https://street.example/day-3'))[0]?.state).toBe('none');
  });
});

describe('brand.list', () => {
  const page = async (data: Record<string, unknown>): Promise<{ brands: BrandAnswer[]; next: string | null }> =>
    (await ask('brands', 'brand.list', data)).body as never;

  beforeAll(async () => {
    const catalogue = intake.app.get(BrandCatalogue, { strict: false });
    await catalogue.put(parseBrandLine('{"id":500,"name":"The Row","aliases":["Row"]}'));
    await catalogue.put(parseBrandLine('{"id":501,"name":"Row Women"}'));
    await intake.db.query(`UPDATE brands SET status = 'merged', merged_into = 500 WHERE id = 501`);
  });

  it('lists every brand once, by pages, with its hashid and every name that it is known by', async () => {
    const found: BrandAnswer[] = [];
    let pages = 0;
    for (let after: string | null | undefined; after !== null; pages++) {
      const { brands, next }: Awaited<ReturnType<typeof page>> = await page({ first: 3, after });
      found.push(...brands);
      after = next;
    }
    expect(pages).toBeGreaterThan(2);
    const [count] = await intake.db.query<{ count: string }>(`SELECT count(*) FROM brands WHERE status = 'active'`);
    expect(new Set(found.map(({ hashid }) => hashid)).size).toBe(Number(count?.count));
    expect(found).toHaveLength(Number(count?.count));
    const row = found.find(({ name }) => name === 'The Row');
    expect(row?.hashid).toBe(intake.app.get(BrandsService, { strict: false }).hashidOf('500'));
    expect(row?.aliases.toSorted()).toEqual(expect.arrayContaining(['Row', 'Row Women']));
    expect(found.map(({ name }) => name)).not.toContain('Row Women');
  });

  it('looks for part of a name', async () => {
    const { brands, next } = await page({ search: 'eclair' });
    expect(brands.map(({ name }) => name)).toEqual(['Maison Éclair']);
    expect(next).toBeNull();
  });
});
