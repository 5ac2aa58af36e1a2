import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobListsRepository } from '../../src/jobs/job-lists.repository.js';
import { JOB_STATUSES, type JobStatus } from '../../src/jobs/ingest-job.state.js';
import {
  type RecordFilter,
  UpdateRecordsRepository,
  type UpdateRecord,
} from '../../src/jobs/update-records.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';

const OUTCOMES = ['created', 'noop', null];

/** Every list out of some values, the empty one included. */
function subsets<T>(values: readonly T[]): T[][] {
  return values.reduce<T[][]>((lists, value) => [...lists, ...lists.map((list) => [...list, value])], [[]]);
}

describe('update records', () => {
  let db: TestDatabase;
  let records: UpdateRecordsRepository;
  let all: UpdateRecord[];

  beforeAll(async () => {
    db = await createTestDatabase();
    records = new UpdateRecordsRepository(db.dataSource);
    for (let n = 0; n < 120; n++) {
      const status = JOB_STATUSES[(n * 7) % 4] ?? 'pending';
      await insertJobs(db, 1, {
        status,
        locked_at: status === 'processing' ? 5 : 0,
        outcome: status === 'done' ? (OUTCOMES[n % 3] ?? null) : null,
        brand_id: (n * 5) % 3,
        brandless: n % 2 === 0,
      });
    }
    const jobs = new JobListsRepository(db.dataSource);
    all = (await jobs.page({ first: 1_000, filter: {}, budget: 1_000 })).rows;
  });
  afterAll(() => db.drop());

  const fits = (record: UpdateRecord, { statuses, outcomes }: RecordFilter): boolean =>
    (statuses?.includes(record.status) ?? true) && (outcomes?.includes(record.outcome ?? '(none)') ?? true);
  const idsOf = (found: readonly UpdateRecord[]): string[] => found.map((record) => record.id);
  const FILTERS: RecordFilter[] = [undefined, ...subsets<JobStatus>(JOB_STATUSES)].flatMap((statuses) =>
    [undefined, ...subsets(['created', 'noop', 'never'])].map((outcomes) => ({ statuses, outcomes })),
  );

  it('come newest first', () => {
    expect(all).toHaveLength(120);
    expect(idsOf(all)).toEqual(idsOf(all).sort((a, b) => Number(b) - Number(a)));
  });

  it('of many brands come brand by brand, as many of each as there would be of it alone', async () => {
    for (const filter of FILTERS) {
      const page = await records.pagesOfBrands(['2', '1', '77'], { first: 3, filter });
      const wanted = ['2', '1'].flatMap((brand) =>
        all.filter((record) => record.brandId === brand && fits(record, filter)).slice(0, 4),
      );
      expect({ filter, ids: idsOf(page) }).toEqual({ filter, ids: idsOf(wanted) });
    }
  });

  it('of no brand are told apart: on purpose, or not known', async () => {
    const filter = { statuses: ['failed', 'done'] as const };
    for (const [which, brandless] of [
      ['brandless', true],
      ['unknown', false],
    ] as const) {
      const page = idsOf(await records.pageWithoutBrand(which, { first: 200, filter }));
      const rows = await db.query<{ id: string }>(
        `SELECT id FROM ingest_jobs WHERE brand_id = 0 AND brandless = $1 AND status IN ('failed', 'done') ORDER BY id DESC`,
        [brandless],
      );
      expect(page).toEqual(rows.map((row) => row.id));
      expect(page.length).toBeGreaterThan(5);
    }
  });

  it('are complete and come once when paged through, though all were made in one second and new ones keep coming', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await records.pagesOfBrands(['1'], { first: 7, after, filter: { statuses: ['pending', 'done'] } });
      const shown = page.slice(0, 7);
      seen.push(...idsOf(shown));
      if (page.length <= 7) break;
      after = shown.at(-1)?.id;
      await insertJobs(db, 2, { brand_id: 1 });
    }
    const wanted = all.filter(({ brandId, status }) => brandId === '1' && ['pending', 'done'].includes(status));
    expect(seen).toEqual(idsOf(wanted));
  });

  it('are counted no further than asked', async () => {
    const counts = await records.cappedCounts(['2', '77'], 10);
    expect([...counts]).toEqual([
      ['2', 11],
      ['77', 0],
    ]);
    expect((await records.cappedCounts(['2'], 1_000)).get('2')).toBe(
      all.filter(({ brandId }) => brandId === '2').length,
    );
  });
});
