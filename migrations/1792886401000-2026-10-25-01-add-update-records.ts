import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * 2026-10-25-01: the job remembers what it did. A table taken over may have any of the three columns already, and the
 * index under another name.
 */
export class AddUpdateRecords2026102501x1792886401000 implements MigrationInterface {
  name = 'AddUpdateRecords2026102501x1792886401000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ingest_jobs
        ADD COLUMN IF NOT EXISTS outcome varchar(24),
        ADD COLUMN IF NOT EXISTS note text,
        ADD COLUMN IF NOT EXISTS brand_id bigint NOT NULL DEFAULT 0`);
    await runner.query(`
      DO $$ DECLARE same text; BEGIN
        SELECT indexrelid::regclass::text INTO same FROM pg_index
        WHERE indrelid = 'ingest_jobs'::regclass AND indpred IS NULL AND indisvalid
          AND pg_get_indexdef(indexrelid) LIKE '% USING btree (brand_id, id DESC)' LIMIT 1;
        IF same IS NULL THEN
          CREATE INDEX ingest_jobs_brand_id_id_desc_idx ON ingest_jobs (brand_id, id DESC);
        ELSIF same <> 'ingest_jobs_brand_id_id_desc_idx' THEN
          EXECUTE format('ALTER INDEX %s RENAME TO ingest_jobs_brand_id_id_desc_idx', same);
        END IF;
      END $$`);
  }

  /** A table that was taken over may have had all of this before, with what it says about years of work: there it stays. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = 'ingest_jobs'::regclass
                   AND obj_description(oid, 'pg_constraint') = 'made by runway-ingest') THEN
          DROP INDEX ingest_jobs_brand_id_id_desc_idx;
          ALTER TABLE ingest_jobs DROP COLUMN outcome, DROP COLUMN note, DROP COLUMN brand_id;
        END IF;
      END $$`);
  }
}
