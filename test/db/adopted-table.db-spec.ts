import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MigrationExecutor } from 'typeorm';
import { IngestJobsRepository } from '../../src/jobs/ingest-jobs.repository.js';
import { LeasesRepository } from '../../src/jobs/leases.repository.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { schemaSql } from '../harness/schema-sql.js';

/** The table as an earlier service may have made it. */
const OLD_TABLE = `
  CREATE TABLE ingest_jobs (
    id bigserial PRIMARY KEY,
    created_at bigint NOT NULL,
    updated_at bigint,
    locked_at bigint DEFAULT 0,
    next_attempt_at bigint DEFAULT 0,
    status varchar(16) NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    payload text NOT NULL,
    last_error text NOT NULL DEFAULT '',
    kind varchar(16) NOT NULL DEFAULT 'crawl'
  )`;
const UPDATE_RECORDS = `
  ALTER TABLE ingest_jobs ADD outcome varchar(24) NOT NULL DEFAULT '', ADD note text NOT NULL DEFAULT '', ADD brand_id bigint;
  CREATE INDEX idx_jobs_brand ON ingest_jobs (brand_id, id DESC)`;

describe('a queue’s table from an earlier service', () => {
  let db: TestDatabase;

  beforeEach(async () => {
    db = await createTestDatabase({}, 'empty');
  });
  afterEach(() => db.drop());

  /** A row of each state, as such a table holds them. */
  const fillOld = (): Promise<unknown> =>
    db.query(`
      INSERT INTO ingest_jobs (created_at, updated_at, locked_at, next_attempt_at, status, attempts, payload, last_error) VALUES
        (100, 100, 0, 0, 'pending', 0, '{"n":1}', ''),
        (101, 102, 102, 0, 'processing', 1, '{"n":2}', ''),
        (102, 103, 0, 0, 'processing', 2, '{"n":3}', ''),
        (103, 104, 0, 0, 'done', 1, '{"n":4}', ''),
        (104, 105, 0, 0, 'failed', 3, '{"n":5}', 'boom'),
        (105, 106, 0, 0, 'pending', 4, '{"n":6}', 'boom'),
        (106, 107, 0, 0, 'paused', 1, '{"n":7}', 'by hand'),
        (107, NULL, NULL, NULL, 'pending', 0, '{"n":8}', '')`);
  const rows = (columns: string): Promise<Record<string, unknown>[]> =>
    db.query(`SELECT ${columns} FROM ingest_jobs ORDER BY id`);
  const downToNothing = async (): Promise<void> => {
    const executor = new MigrationExecutor(db.dataSource);
    while ((await executor.getExecutedMigrations()).length > 0) await executor.undoLastMigration();
  };
  const indexes = async (): Promise<unknown[]> =>
    (
      await db.query(
        `SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%(brand_id, id DESC)' AND tablename = 'ingest_jobs'`,
      )
    ).map((index) => index['indexname']);

  it('is taken over with every row, and what no rule of ours allows is put right', async () => {
    await db.query(OLD_TABLE);
    await fillOld();
    await migrate(db.dataSource);
    expect(await rows('status, attempts, locked_at, updated_at, error_code, outcome, brand_id')).toEqual(
      [
        ['pending', 0, '0', '100', null],
        ['processing', 1, '102', '102', null],
        ['processing', 2, '1', '103', null],
        ['done', 1, '0', '104', null],
        ['failed', 3, '0', '105', null],
        ['pending', 4, '0', '106', null],
        ['failed', 1, '0', '107', 'unknown_status'],
        ['pending', 0, '0', '107', null],
      ].map(([status, attempts, locked_at, updated_at, error_code]) => ({
        ...{ status, attempts, locked_at, updated_at, error_code, outcome: null, brand_id: '0' },
      })),
    );
    expect((await rows('payload')).map((row) => row['payload'])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `{"n":${n}}`),
    );
    expect((await rows('last_error'))[6]).toEqual({
      last_error: 'Its status was "paused", which is none of ours\nby hand',
    });
  });

  it('works from then on: due rows are claimed, stuck ones freed, spent ones failed, new ones come in', async () => {
    await db.query(OLD_TABLE);
    await fillOld();
    await migrate(db.dataSource);
    const jobs = new IngestJobsRepository(db.dataSource);
    const leases = new LeasesRepository(db.dataSource);
    const stuck = await leases.findStuck(['crawl'], 300, 10, { lockedAt: '-1', id: '0' });
    expect(stuck.map((row) => row.id)).toEqual(['3', '2']);
    expect(await leases.reclaim(['2', '3'], 300)).toEqual({ reclaimed: 2, failed: 0 });
    expect(await leases.failSpent(['crawl'], 10)).toBe(1);
    const claimed = await jobs.claimDue('crawl', 10, 'w');
    expect(claimed.map((job) => job.id).sort()).toEqual(['1', '2', '3', '8']);
    const blank = { kind: 'crawl', payload: '{}', brandId: '0', subject: '', subjectKey: '', submittedBy: '' };
    expect(await jobs.insert(db.dataSource.manager, [blank])).toEqual(['9']);
  });

  it('keeps outcomes, notes and brands that it has already, and the index that it has for them', async () => {
    await db.query(OLD_TABLE);
    await db.query(UPDATE_RECORDS);
    await fillOld();
    await db.query(
      `UPDATE ingest_jobs SET outcome = 'created', note = '新建 42 张图', brand_id = 7 WHERE status = 'done'`,
    );
    await db.query(`UPDATE ingest_jobs SET outcome = 'created' WHERE status = 'failed'`);
    await migrate(db.dataSource);
    const found = await rows('status, outcome, note, brand_id');
    expect(found[3]).toEqual({ status: 'done', outcome: 'created', note: '新建 42 张图', brand_id: '7' });
    expect(found.filter((row) => row['outcome'] !== null)).toHaveLength(1);
    expect(found.map((row) => row['brand_id'])).toEqual(['0', '0', '0', '7', '0', '0', '0', '0']);
    expect(await indexes()).toEqual(['ingest_jobs_brand_id_id_desc_idx']);
  });

  it('gets the columns and the index that it has not', async () => {
    await db.query(OLD_TABLE);
    await db.query('ALTER TABLE ingest_jobs ADD note text');
    await migrate(db.dataSource);
    expect(await rows('outcome, note, brand_id')).toEqual([]);
    expect(await indexes()).toEqual(['ingest_jobs_brand_id_id_desc_idx']);
  });

  it('may have rules of its own under the names of ours', async () => {
    await db.query(
      OLD_TABLE.replace(
        'status varchar(16) NOT NULL',
        `$& CHECK (status IN ('pending', 'processing', 'done', 'paused'))`,
      ),
    );
    await db.query(`INSERT INTO ingest_jobs (created_at, status, payload) VALUES (1, 'paused', '')`);
    await migrate(db.dataSource);
    expect(await rows('status')).toEqual([{ status: 'failed' }]);
  });

  it('is not dropped when the migrations go down, nor what it held before they came', async () => {
    await db.query(OLD_TABLE);
    await db.query(UPDATE_RECORDS);
    await db.query(
      `INSERT INTO ingest_jobs (created_at, status, payload, outcome, note, brand_id) VALUES (1, 'done', '{}', 'created', 'a note', 7)`,
    );
    await migrate(db.dataSource);
    await downToNothing();
    expect(await rows('status, payload, outcome, note, brand_id')).toEqual([
      { status: 'done', payload: '{}', outcome: 'created', note: 'a note', brand_id: '7' },
    ]);
    await migrate(db.dataSource);
    expect(await rows('status, outcome, note, brand_id, claim_token')).toHaveLength(1);
  });

  it.each([
    ['created_at bigint', 'created_at timestamptz', 'created_at must be bigint and is timestamp with time zone'],
    ['status varchar(16)', 'status integer', 'status must be character varying and is integer'],
    ['payload text NOT NULL,', '', 'payload must be text and is missing'],
    ['payload text', 'payload jsonb', 'payload must be text and is jsonb'],
    ['id bigserial PRIMARY KEY', 'id bigserial', 'id must be the primary key'],
    ['id bigserial PRIMARY KEY', 'id bigint PRIMARY KEY', 'id must have a sequence of its own'],
  ])('is refused with words, and left as it is, when it has no "%s" but "%s"', async (ours, theirs, words) => {
    await db.query(OLD_TABLE.replace(ours, theirs));
    const before = await schemaSql(db.query);
    await expect(migrate(db.dataSource)).rejects.toThrow(words);
    expect(await schemaSql(db.query)).toBe(before);
  });
});
