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

/** Written on a table that we made, so that `down` never drops one that we only took over. */
const MADE_HERE = 'made by runway-ingest';

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
    if (wrong.length > 0) {
      throw new Error(
        `The table ingest_jobs that is here cannot be taken over: ${wrong.join('; ')}. Nothing was changed.`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF obj_description('ingest_jobs'::regclass, 'pg_class') = '${MADE_HERE}' THEN
          DROP TABLE ingest_jobs;
        END IF;
      END $$`);
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
    await runner.query(`COMMENT ON TABLE ingest_jobs IS '${MADE_HERE}'`);
  }
}
