import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JobFilter, JobListsRepository } from '../../src/jobs/job-lists.repository.js';
import { JOB_STATUSES, type JobStatus } from '../../src/jobs/ingest-job.state.js';
import type { UpdateRecord } from '../../src/jobs/update-records.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

const OUTCOMES = ['created', 'noop', null];
const ROWS = 120;
const BASE = 1_700_000_000;

describe('lists of jobs', () => {
  let db: TestDatabase;
  let jobs: JobListsRepository;
  let all: UpdateRecord[];

  beforeAll(async () => {
    db = await createTestDatabase();
    jobs = new JobListsRepository(db.dataSource);
    for (let n = 0; n < ROWS; n++) {
      const status = JOB_STATUSES[(n * 7) % 4] ?? 'pending';
      await insertJobs(db, 1, {
        status,
        locked_at: status === 'processing' ? 5 : 0,
        outcome: status === 'done' ? (OUTCOMES[n % 3] ?? null) : null,
        note: status === 'done' ? `新建 ${n} 张图, 100% _of_ Élan` : null,
        last_error: n % 5 === 1 ? `Host n${n}.example is DOWN` : null,
        error_code: n % 5 === 1 ? 'host_down' : null,
        brand_id: (n * 5) % 3,
        kind: n % 5 === 0 ? 'other' : 'test',
        submitted_by: n % 6 === 0 ? 'ana' : 'ben',
        created_at: BASE + n,
      });
    }
    all = (await jobs.page({ first: 1_000, filter: {}, budget: 1_000 })).rows;
  });
  afterAll(() => db.drop());

  const holds = (text: string | null, part: string): boolean => (text ?? '').toLowerCase().includes(part.toLowerCase());
  const fits = (record: UpdateRecord, filter: JobFilter): boolean =>
    (filter.statuses?.includes(record.status) ?? true) &&
    (filter.outcomes?.includes(record.outcome ?? '(none)') ?? true) &&
    (filter.kinds?.includes(record.kind) ?? true) &&
    (filter.brandId === undefined || filter.brandId === record.brandId) &&
    (filter.crawler === undefined || filter.crawler === record.submittedBy) &&
    (filter.errorCode === undefined || filter.errorCode === record.errorCode) &&
    record.createdAt >= (filter.createdFrom ?? 0) &&
    record.createdAt < (filter.createdTo ?? Infinity) &&
    (filter.text === undefined || holds(record.note, filter.text) || holds(record.lastError, filter.text));

  /** Page after page, each looking at `budget` jobs at most. */
  const walk = async (filter: JobFilter, first: number, budget: number): Promise<{ ids: string[]; pages: number }> => {
    const ids: string[] = [];
    let after: string | undefined;
    for (let pages = 1; ; pages++) {
      const { rows, edge } = await jobs.page({ first, after, filter, budget });
      const shown = rows.slice(0, first);
      ids.push(...shown.map(({ id }) => id));
      if (rows.length <= first && edge === undefined) return { ids, pages };
      after = rows.length > first ? shown.at(-1)?.id : edge;
    }
  };

  const STATUSES: (JobStatus[] | undefined)[] = [
    undefined,
    [],
    ['failed'],
    ['pending'],
    ['processing'],
    ['done', 'failed'],
  ];
  const FILTERS: JobFilter[] = STATUSES.flatMap((statuses) =>
    [undefined, ['created'], ['created', 'noop'], []].flatMap((outcomes) =>
      [undefined, '1'].flatMap((brandId) =>
        [
          {},
          { kinds: ['other'] },
          { kinds: [] },
          { crawler: 'ana', errorCode: 'host_down' },
          { createdFrom: BASE + 30, createdTo: BASE + 60 },
          { text: 'is down', kinds: ['test'] },
        ].map((more) => ({ statuses, outcomes, brandId, ...more })),
      ),
    ),
  );

  it('come newest first', () => {
    expect(all).toHaveLength(ROWS);
    expect(all.map(({ id }) => Number(id))).toEqual(Array.from({ length: ROWS }, (_, n) => ROWS - n));
  });

  it('are those that the filter asks for, whatever it combines, complete and each once, however little a page looks at', async () => {
    for (const filter of FILTERS) {
      const wanted = all.filter((record) => fits(record, filter)).map(({ id }) => id);
      expect({ filter, ids: (await walk(filter, 50, 1_000)).ids }).toEqual({ filter, ids: wanted });
      expect({ filter, ids: (await walk(filter, 3, 13)).ids }).toEqual({ filter, ids: wanted });
    }
  });

  it('end a page where it has looked at as much as it may, and say where to go on', async () => {
    expect(await jobs.page({ first: 5, filter: { text: 'never' }, budget: 50 })).toEqual({ rows: [], edge: '71' });
    expect(await walk({ text: 'never' }, 5, 50)).toEqual({ ids: [], pages: 3 });
    const { rows, edge } = await jobs.page({ first: 50, filter: { crawler: 'ana' }, budget: 40 });
    expect({ count: rows.length, edge }).toEqual({ count: 6, edge: '81' });
    expect((await jobs.page({ first: 5, filter: { brandId: '77' }, budget: 10 })).edge).toBeUndefined();
  });

  it.each([
    ['新建 7', 1],
    ['100% _of_', 30],
    ['100%', 30],
    ['10%0', 0],
    ['_OF_', 30],
    ['_xx_', 0],
    ['élan', 0],
    ['Élan', 30],
    ['IS DOWN', 24],
    ['\\', 0],
    ["'; DROP TABLE ingest_jobs", 0],
    ['x'.repeat(10_000), 0],
  ])('are searched for "%s" as it stands there', async (text, count) => {
    const { rows } = await jobs.page({ first: 100, filter: { text }, budget: 1_000 });
    expect(rows).toHaveLength(count === 1 ? rows.filter(({ note }) => note?.includes(text)).length : count);
    expect(rows.length > 0).toBe(count > 0);
  });

  it('come complete and once in pages of 20 while new ones of the same second arrive', async () => {
    const [first = ''] = await insertJobs(db, 300, { kind: 'flood' });
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const { rows, edge } = await jobs.page({ first: 20, after, filter: { kinds: ['flood'] }, budget: 33 });
      seen.push(...rows.slice(0, 20).map(({ id }) => id));
      if (rows.length <= 20 && edge === undefined) break;
      after = rows.length > 20 ? rows[19]?.id : edge;
      await insertJobs(db, 25, { kind: 'flood' });
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => String(Number(first) + 299 - n)));
  });
});
