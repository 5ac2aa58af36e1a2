import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { BulkRetryRepository } from '../../src/jobs/bulk-retry.repository.js';
import { DeparturesRepository } from '../../src/jobs/departures.repository.js';
import { departDone, departFailing, departReleased } from '../../src/jobs/ingest-job.state.js';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { JobError } from '../../src/jobs/job-error.js';
import type { ClaimedJob } from '../../src/jobs/job-handler.js';
import { type JobFilter, JobListsRepository } from '../../src/jobs/job-lists.repository.js';
import { JobNumbersRepository } from '../../src/jobs/job-numbers.repository.js';
import { LeasesRepository } from '../../src/jobs/leases.repository.js';
import {
  type RecordFilter,
  type UpdateRecord,
  UpdateRecordsRepository,
} from '../../src/jobs/update-records.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { explain, type Explained } from '../harness/explain.js';

/** Half of all rows, 500,000, are this brand's. */
const DOMINANT = '1';
/** Forty rows, all over the table. */
const RARE = '2';
/** Two hundred rows, none among the newest 500,000. */
const OLD = '3';
const UNKNOWN = '999999';
const NO_BRAND = '0';

/** Fifty first pages are sorted together, and no statement has more to sort. */
const MOST_SORTED = 50 * 21;

/**
 * 1,000,000 rows: 500,000 ended ones, 250,000 that wait and are due, 250,000 of a kind that nobody takes, in an order as
 * they would come. Every statement has to stay as cheap on them as on an empty table: bounds are in pages touched.
 */
describe('plans on a long history and a long backlog', () => {
  let db: TestDatabase;
  let held: ClaimedJob[];

  beforeAll(async () => {
    db = await createTestDatabase();
    const indexes = await db.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
       WHERE indrelid = 'ingest_jobs'::regclass AND NOT indisprimary`,
    );
    for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
    await db.query(`
      INSERT INTO ingest_jobs (kind, payload, status, outcome, note, attempts, created_at, updated_at, next_attempt_at,
                               brand_id, brandless, subject, subject_key, submitted_by, error_code, last_error)
      SELECT CASE WHEN n % 4 = 3 THEN 'nobodys' ELSE 'test' END, '{}',
             CASE WHEN n % 4 IN (2, 3) THEN 'pending' WHEN n % 500 = 1 THEN 'failed' ELSE 'done' END,
             CASE WHEN n % 4 IN (0, 1) AND n % 500 <> 1 THEN
               CASE WHEN n % 1000 = 4 THEN 'reused_rejected' WHEN n % 3 = 0 THEN 'skipped_existing' ELSE 'created' END END,
             CASE WHEN n % 4 IN (0, 1) THEN '新建 42 张图' END, CASE WHEN n % 4 IN (0, 1) THEN 1 ELSE 0 END,
             1700000000 + n, 1700000000 + n, CASE WHEN n % 4 = 3 THEN 4000000000 + n ELSE 1700000000 + n END,
             CASE WHEN n % 20000 = 7 THEN ${RARE}
                  WHEN n < 500000 AND n % 2500 = 9 THEN ${OLD}
                  WHEN n * 7919 % 997 < 501 THEN ${DOMINANT}
                  WHEN n * 7919 % 997 < 520 THEN ${NO_BRAND}
                  ELSE 10 + n * 104729 % 1999 END,
             n * 7919 % 997 < 510, 'A show', 'key-' || n, 'crawler', NULL, NULL
      FROM generate_series(1::bigint, 1000000) AS n`);
    for (const { definition } of indexes) await db.query(definition);
    // Not ANALYZE alone: the visibility map is part of what a table is after a while.
    await db.query('VACUUM (ANALYZE) ingest_jobs');
    held = await new IngestJobsRepository(db.dataSource).claimDue('test', 100, 'w');
  }, 120_000);
  afterAll(() => db.drop());

  /** The plan of each statement that is sent: no reading from end to end, no sorting of a backlog, so many pages at most. */
  const expectCheap = async (
    pages: number,
    work: (dataSource: DataSource) => Promise<unknown>,
  ): Promise<Explained[]> => {
    const statements = await explain(db.dataSource, work);
    expect(statements.length).toBeGreaterThan(0);
    for (const { buffers, seqScans, sorted, indexes, sql } of statements) {
      const dear = buffers > pages || sorted > MOST_SORTED || seqScans.includes('ingest_jobs');
      expect(dear && { buffers, sorted, seqScans, indexes, sql }).toBe(false);
    }
    return statements;
  };
  const some = (count: number): ClaimedJob[] => held.slice(0, count);
  const only = (): ClaimedJob => {
    const [job] = held;
    if (job === undefined) throw new Error('jobs were due');
    return job;
  };
  const done = (job: ClaimedJob) => departDone(job, { outcome: 'created', note: '新建 42 张图', brandId: '10' });

  describe('of the queue', () => {
    it('claims ten of 250,000 due jobs', () =>
      expectCheap(500, (source) => new IngestJobsRepository(source).claimDue('test', 10, 'w')));

    it('claims nothing of 250,000 jobs that are due later', () =>
      expectCheap(20, async (source) => {
        expect(await new IngestJobsRepository(source).claimDue('nobodys', 10, 'w')).toEqual([]);
      }));

    it('claims nothing of a kind that has nothing, beside 250,000 rows of one that nobody takes', () =>
      expectCheap(20, (source) => new IngestJobsRepository(source).claimDue('media_cleanup', 10, 'w')));

    it('counts what waits of each kind no further than it is told, and finds the first of each', () =>
      expectCheap(1_500, async (source) => {
        const backlogs = await new IngestJobsRepository(source).backlogs(['test', 'nobodys', 'none'], 500);
        expect(backlogs.get('test')).toMatchObject({ depth: 500, lateSeconds: expect.any(Number) });
        expect(backlogs.get('test')?.lateSeconds).toBeGreaterThan(0);
        expect(backlogs.get('nobodys')).toEqual({ depth: 500, lateSeconds: 0 });
        expect(backlogs.get('none')).toEqual({ depth: 0, lateSeconds: 0 });
      }));

    it('finds which of 200 subjects are under way', () =>
      expectCheap(1_500, async (source) => {
        const keys = Array.from({ length: 200 }, (_, n) => `key-${n + 1}`);
        expect((await new IngestJobsRepository(source).openSubjects(keys)).size).toBe(100);
      }));

    it('finds stuck jobs where there are none', () =>
      expectCheap(20, (source) =>
        new LeasesRepository(source).findStuck(['test'], 300, 100, { lockedAt: '-1', id: '0' }),
      ));

    it('finds and frees a hundred stuck jobs', async () => {
      await expectCheap(5_000, async (source) => {
        await source.query(`UPDATE ingest_jobs SET locked_at = 5 WHERE id = ANY($1)`, [held.map((job) => job.id)]);
        const leases = new LeasesRepository(source);
        const stuck = await leases.findStuck(['test'], 300, 100, { lockedAt: '-1', id: '0' });
        expect(stuck).toHaveLength(100);
        const ids = stuck.map((job) => job.id);
        expect(await leases.reclaim(ids, 300)).toEqual({ reclaimed: 100, failed: 0 });
      });
    });

    it('finds no job whose attempts are spent', () =>
      expectCheap(20, (source) => new LeasesRepository(source).failSpent(['test'], 100)));

    it('renews a hundred leases', () =>
      expectCheap(4_500, async (source) => {
        const leases = held.map(({ id, claimToken }) => ({ id, claimToken, progress: '1/2' }));
        const sender = {
          query: async (sql: string, params: unknown[]) => ({ rows: await rowsOf(source, sql, params) }),
        };
        expect((await new LeasesRepository(source).renew(sender, leases)).size).toBe(100);
      }));

    it('settles one job', () =>
      expectCheap(100, async (source) => {
        expect((await new DeparturesRepository(source).depart([done(only())])).size).toBe(1);
      }));

    it('settles a batch of a hundred, however they end', () =>
      expectCheap(5_000, async (source) => {
        const ends = held.map((job, place) =>
          place % 3 === 0
            ? done(job)
            : place % 3 === 1
              ? departReleased(job)
              : departFailing(job, JobError.transient('x', 'x'), 30),
        );
        expect((await new DeparturesRepository(source).depart(ends)).size).toBe(100);
      }));

    it('settles as cheaply while an old transaction keeps every dead row from being cleaned up', async () => {
      const old = await db.connect();
      await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await old.query('SELECT count(*) FROM ingest_jobs WHERE id = 1');
      const jobs = new IngestJobsRepository(db.dataSource);
      const departures = new DeparturesRepository(db.dataSource);
      for (let round = 0; round < 30; round++) {
        const claimed = await jobs.claimDue('test', 100, 'w');
        expect((await departures.depart(claimed.map(done))).size).toBe(100);
      }
      const [job] = await jobs.claimDue('test', 1, 'w');
      if (job === undefined) throw new Error('jobs were due');
      await expectCheap(100, async (source) => {
        expect((await new DeparturesRepository(source).depart([done(job)])).size).toBe(1);
      });
      await old.query('ROLLBACK');
    });

    it('gives back what an earlier life of a worker held', () =>
      expectCheap(5_000, async (source) => {
        expect(await new LeasesRepository(source).releaseEarlierLife('w', [])).toBeGreaterThanOrEqual(100);
      }));

    it('looks for an open job of a subject', () =>
      expectCheap(20, (source) => new IngestJobsRepository(source).lockOpenSubject(source.manager, 'key-3')));

    it('cancels a job', () =>
      expectCheap(100, (source) => new DeparturesRepository(source).cancel(only().id, 'by test')));
  });

  describe('of update records', () => {
    const page = (
      brands: string[],
      filter: RecordFilter = {},
      after?: string,
    ): ((source: DataSource) => Promise<unknown>) => {
      return (source) => new UpdateRecordsRepository(source).pagesOfBrands(brands, { first: 20, after, filter });
    };
    const BRANDS = { dominant: DOMINANT, rare: RARE, 'long quiet': OLD, unknown: UNKNOWN };

    describe.each(Object.entries(BRANDS))('of a %s brand', (_name, brand) => {
      it('reads the first page', () => expectCheap(60, page([brand])));
      it('reads a page deep down', () => expectCheap(60, page([brand], {}, '1000')));
      it('reads a page in the middle', () => expectCheap(60, page([brand], {}, '400000')));

      // Running ones may be read off the leases: all that run, which are a few hundred at most, and never the history.
      it.each([
        ['done', ['done']],
        ['failed', ['failed']],
        ['running', ['processing']],
        ['waiting', ['pending']],
        ['unfinished or failed', ['pending', 'processing', 'failed']],
      ] as const)('reads those that are %s', (_what, statuses) => expectCheap(400, page([brand], { statuses })));

      it.each([
        ['frequent', ['created']],
        ['rare', ['reused_rejected']],
        ['unheard of', ['never']],
        ['one of several', ['reused_rejected', 'never', 'cleaned']],
      ])('reads those whose outcome is %s', (_what, outcomes) => expectCheap(200, page([brand], { outcomes })));

      it('reads failed ones deep down', () => expectCheap(200, page([brand], { statuses: ['failed'] }, '5000')));

      it('counts no further than it shows', () =>
        expectCheap(1_200, (source) => new UpdateRecordsRepository(source).cappedCounts([brand], 1_000)));
    });

    const fifty = [DOMINANT, RARE, OLD, UNKNOWN, ...Array.from({ length: 46 }, (_, index) => String(100 + index))];

    it('reads the first pages of fifty brands by one statement', async () => {
      expect(await expectCheap(2_500, page(fifty))).toHaveLength(1);
    });

    it('reads the failed ones of fifty brands by one statement', async () => {
      expect(await expectCheap(5_000, page(fifty, { statuses: ['failed'] }))).toHaveLength(1);
    });

    it.each(['brandless', 'unknown'] as const)('reads those that belong to no brand: %s', (which) =>
      expectCheap(60, (source) => new UpdateRecordsRepository(source).pageWithoutBrand(which, { first: 20 })),
    );

    it('reads the payloads of fifty jobs', () =>
      expectCheap(400, (source) => new UpdateRecordsRepository(source).payloadsOf(some(50).map((job) => job.id))));

    it('reads the history of attempts of fifty jobs', () =>
      expectCheap(400, (source) => new UpdateRecordsRepository(source).attemptsOf(some(50).map((job) => job.id))));
  });

  describe('of jobs whatever their brand', () => {
    const BUDGET = 20_000;
    const jobs = async (
      pages: number,
      filter: JobFilter,
      after?: string,
    ): Promise<{ rows: UpdateRecord[]; edge: string | undefined }> => {
      let page: { rows: UpdateRecord[]; edge: string | undefined } = { rows: [], edge: undefined };
      const work = async (source: DataSource) => {
        page = await new JobListsRepository(source).page({ first: 20, after, filter, budget: BUDGET });
      };
      expect(await expectCheap(pages, work)).toHaveLength(1);
      return page;
    };

    it.each([
      ['all', {}],
      ['failed ones', { statuses: ['failed'] }],
      ['running ones', { statuses: ['processing'] }],
      ['done ones', { statuses: ['done'] }],
      ['waiting ones', { statuses: ['pending'] }],
      ['unfinished or failed ones', { statuses: ['pending', 'processing', 'failed'] }],
      ['those of a kind', { kinds: ['nobodys'] }],
      ['those of a frequent outcome', { outcomes: ['created'] }],
      ['those of a brand', { brandId: DOMINANT }],
      ['those that came in before the newest', { createdTo: 1_700_000_000 + 999_000 }],
    ] as [string, JobFilter][])('reads a page: %s', async (_what, filter) => {
      await jobs(1_500, filter);
    });

    // Whatever is not found costs what is looked at, and no more; the next page goes on from there.
    it.each([
      ['kind', { kinds: ['never'] }],
      ['outcome', { outcomes: ['never'] }],
      ['kind and state', { kinds: ['nobodys'], statuses: ['done'] }],
      ['crawler', { crawler: 'never' }],
      ['error code', { errorCode: 'never' }],
      ['time', { createdTo: 1_700_000_000 }],
      ['text', { text: 'never' }],
    ] as [string, JobFilter][])('looks at so many jobs for a %s that none has', async (_what, filter) => {
      const { rows, edge } = await jobs(3_000, filter);
      expect({ rows, edge }).toEqual({ rows: [], edge: String(1_000_000 - BUDGET + 1) });
      expect((await jobs(3_000, filter, '500001')).edge).toBe(String(500_001 - BUDGET));
      expect((await jobs(3_000, filter, '1000')).edge).toBeUndefined();
    });

    it.each([
      ['failed ones', { statuses: ['failed'], text: 'never' }, undefined],
      ['a rare brand', { brandId: RARE, text: 'never' }, undefined],
      ['a long quiet brand', { brandId: OLD, text: 'never' }, undefined],
      ['failed ones of a brand', { brandId: DOMINANT, statuses: ['failed'], text: 'never' }, undefined],
      ['an outcome of a brand', { brandId: DOMINANT, outcomes: ['reused_rejected'], text: 'never' }, undefined],
      ['a brand', { brandId: DOMINANT, text: 'never' }, expect.any(String)],
    ] as [string, JobFilter, unknown][])(
      'looks at no others than %s where that is an index',
      async (_what, filter, end) => {
        expect((await jobs(25_000, filter)).edge).toEqual(end);
      },
    );

    it('counts what there is of each kind', () =>
      expectCheap(25_000, async (source) => {
        const counts = await new JobNumbersRepository(source).counts(['test', 'media_cleanup'], 10_000);
        expect(counts.map(({ kind }) => kind)).toEqual(['media_cleanup', 'nobodys', 'test']);
        expect(counts[1]).toMatchObject({ due: 0, waiting: 10_001, oldestDueSeconds: null });
        expect(counts[2]).toMatchObject({ due: 10_001, waiting: 0, running: expect.any(Number) });
      }));

    it('counts what came in and ended in each hour of a day', () =>
      expectCheap(6_000, async (source) => {
        const from = 1_700_000_000 + 500_400;
        const hours = await new JobNumbersRepository(source).hours(from, from + 86_400);
        expect(hours.reduce((sum, { status, count }) => sum + (status === null ? count : 0), 0)).toBe(86_400);
        expect(hours.reduce((sum, { status, count }) => sum + (status === null ? 0 : count), 0)).toBe(43_200);
      }));

    it('finds the failed ones to retry, and retries a batch', async () => {
      await expectCheap(8_000, async (source) => {
        const repository = new BulkRetryRepository();
        const { ids, changedAt } = await repository.failedSet(source.manager, { kinds: ['test'] }, 10_001);
        expect(ids.length).toBeGreaterThan(900);
        expect(await repository.retry(source.manager, ids.slice(0, 100), changedAt)).toBe(100);
      });
    });
  });
});

async function rowsOf(source: DataSource, sql: string, params: unknown[]): Promise<unknown[]> {
  const [rows] = await source.query<[unknown[], number]>(sql, params);
  return rows;
}
