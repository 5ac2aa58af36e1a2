import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of the table as the earlier service made it, and the type each must have to be taken over. */
const COLUMNS: Record<string, string[]> = {
  id: ['bigint'],
  created_at: ['bigint'],
  updated_at: ['bigint'],
  locked_at: ['bigint'],
  next_attempt_at: ['bigint'],
  status: ['character varying', 'text'],
  attempts: ['smallint', 'integer'],
  payload: ['text'],
  last_error: ['text'],
  kind: ['character varying', 'text'],
};

/** The queue's table as it was before it had a memory: made here, or taken over as it stands. */
export class CreateIngestJobs1767225600000 implements MigrationInterface {
  name = 'CreateIngestJobs1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    const found = (await runner.query(
      `SELECT column_name, data_type FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = 'ingest_jobs'`,
    )) as { column_name: string; data_type: string }[];
    if (found.length === 0) return this.create(runner);
    const types = new Map(found.map((column) => [column.column_name, column.data_type]));
    const wrong = Object.entries(COLUMNS)
      .filter(([name, allowed]) => !allowed.includes(types.get(name) ?? ''))
      .map(([name, allowed]) => `${name} must be ${allowed[0]} and is ${types.get(name) ?? 'missing'}`);
    if (wrong.length === 0) wrong.push(...(await this.problemsOfId(runner)));
    if (wrong.length > 0) {
      throw new Error(
        `The table ingest_jobs that is here cannot be taken over: ${wrong.join('; ')}. Nothing was changed.`,
      );
    }
  }

  /** A table that was taken over stays: the remark on the primary key tells the one that was made here. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = 'ingest_jobs'::regclass
                   AND obj_description(oid, 'pg_constraint') = 'made by runway-ingest') THEN
          DROP TABLE ingest_jobs;
        END IF;
      END $$`);
  }

  /** New ids come from the column's own sequence, and attempts refer to them. */
  private async problemsOfId(runner: QueryRunner): Promise<string[]> {
    const [id] = (await runner.query(
      `SELECT pg_get_serial_sequence('ingest_jobs', 'id') IS NOT NULL AS counts, EXISTS (
         SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = 'ingest_jobs'::regclass AND a.attname = 'id'
           AND i.indisunique AND i.indimmediate AND i.indpred IS NULL AND i.indnatts = 1
       ) AS identifies`,
    )) as { counts: boolean; identifies: boolean }[];
    return [
      ...(id?.counts ? [] : ['id must have a sequence of its own (bigserial or identity)']),
      ...(id?.identifies ? [] : ['id must be the primary key']),
    ];
  }

  private async create(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingest_jobs (
        id bigserial CONSTRAINT ingest_jobs_pkey PRIMARY KEY,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        locked_at bigint NOT NULL DEFAULT 0,
        next_attempt_at bigint NOT NULL DEFAULT 0,
        status varchar(16) NOT NULL DEFAULT 'pending',
        attempts smallint NOT NULL DEFAULT 0,
        payload text NOT NULL,
        last_error text,
        kind varchar(16) NOT NULL DEFAULT 'crawl'
      )`);
    // Not on the table, where TypeORM would take it for a difference to the entity.
    await runner.query(`COMMENT ON CONSTRAINT ingest_jobs_pkey ON ingest_jobs IS 'made by runway-ingest'`);
  }
}
