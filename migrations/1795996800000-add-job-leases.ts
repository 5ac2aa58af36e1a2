import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fence, lease, progress and the history of attempts. Rows that no present rule allows are put right first, by one
 * statement that counts them; the rules come after, NOT VALID, so that a large table is not read twice under a lock.
 */
export class AddJobLeases1795996800000 implements MigrationInterface {
  name = 'AddJobLeases1795996800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE ingest_jobs_claim_token_seq AS bigint');
    await runner.query(`
      ALTER TABLE ingest_jobs
        ADD COLUMN claim_token bigint NOT NULL DEFAULT 0,
        ADD COLUMN claimed_at bigint NOT NULL DEFAULT 0,
        ADD COLUMN locked_by text NOT NULL DEFAULT '',
        ADD COLUMN subject text NOT NULL DEFAULT '',
        ADD COLUMN subject_key text NOT NULL DEFAULT '',
        ADD COLUMN progress varchar(32),
        ADD COLUMN error_code varchar(64),
        ADD COLUMN gallery_id bigint,
        ADD COLUMN submitted_by varchar(64) NOT NULL DEFAULT '',
        ADD COLUMN snoozed_since bigint NOT NULL DEFAULT 0,
        ADD COLUMN brandless boolean NOT NULL DEFAULT false,
        ADD COLUMN suspect boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT IF EXISTS ingest_jobs_status_check,
        DROP CONSTRAINT IF EXISTS ingest_jobs_attempts_check,
        ALTER COLUMN last_error DROP NOT NULL,
        ALTER COLUMN outcome DROP NOT NULL, ALTER COLUMN outcome DROP DEFAULT,
        ALTER COLUMN note DROP NOT NULL, ALTER COLUMN note DROP DEFAULT`);
    await runner.query(`
      DO $$ DECLARE known CONSTANT text[] := '{pending,processing,done,failed}'; mended bigint; BEGIN
        UPDATE ingest_jobs SET
          status = CASE WHEN status = ANY (known) THEN status ELSE 'failed' END,
          error_code = CASE WHEN status = ANY (known) THEN NULL ELSE 'unknown_status' END,
          last_error = CASE WHEN status = ANY (known) THEN last_error ELSE
            concat_ws(E'\\n', format('Its status was "%s", which is none of ours', status), nullif(last_error, '')) END,
          outcome = CASE WHEN status = 'done' THEN nullif(outcome, '') END,
          locked_at = CASE WHEN status = 'processing' THEN greatest(locked_at, 1) ELSE coalesce(locked_at, 0) END,
          next_attempt_at = coalesce(next_attempt_at, 0),
          attempts = greatest(attempts, 0),
          created_at = coalesce(created_at, 0),
          updated_at = coalesce(updated_at, created_at, 0),
          payload = coalesce(payload, ''),
          kind = coalesce(kind, 'crawl'),
          brand_id = coalesce(brand_id, 0)
        WHERE (status = ANY (known)) IS NOT TRUE OR (status = 'processing' AND locked_at <= 0)
           OR outcome = '' OR (outcome IS NOT NULL AND status <> 'done') OR (attempts >= 0) IS NOT TRUE
           OR num_nulls(locked_at, next_attempt_at, created_at, updated_at, payload, kind, brand_id) > 0;
        GET DIAGNOSTICS mended = ROW_COUNT;
        RAISE NOTICE '% old rows of ingest_jobs were put right', mended;
      END $$`);
    await runner.query(`
      ALTER TABLE ingest_jobs
        ALTER COLUMN created_at SET NOT NULL, ALTER COLUMN updated_at SET NOT NULL,
        ALTER COLUMN locked_at SET NOT NULL, ALTER COLUMN locked_at SET DEFAULT 0,
        ALTER COLUMN next_attempt_at SET NOT NULL, ALTER COLUMN next_attempt_at SET DEFAULT 0,
        ALTER COLUMN status SET NOT NULL, ALTER COLUMN status SET DEFAULT 'pending',
        ALTER COLUMN attempts SET NOT NULL, ALTER COLUMN attempts SET DEFAULT 0,
        ALTER COLUMN payload SET NOT NULL,
        ALTER COLUMN kind SET NOT NULL, ALTER COLUMN kind SET DEFAULT 'crawl',
        ALTER COLUMN brand_id SET NOT NULL, ALTER COLUMN brand_id SET DEFAULT 0,
        ADD CONSTRAINT ingest_jobs_status_check CHECK (status IN ('pending', 'processing', 'done', 'failed')) NOT VALID,
        ADD CONSTRAINT ingest_jobs_processing_locked_check CHECK (status <> 'processing' OR locked_at > 0) NOT VALID,
        ADD CONSTRAINT ingest_jobs_outcome_done_check CHECK (outcome IS NULL OR status = 'done') NOT VALID,
        ADD CONSTRAINT ingest_jobs_claim_token_check CHECK (status = 'processing' OR claim_token = 0) NOT VALID,
        ADD CONSTRAINT ingest_jobs_attempts_check CHECK (attempts >= 0) NOT VALID`);
    await runner.query(`
      CREATE INDEX ingest_jobs_due_idx ON ingest_jobs (kind, next_attempt_at, id) WHERE status = 'pending'`);
    await runner.query(`
      CREATE INDEX ingest_jobs_lease_idx ON ingest_jobs (locked_at, id) WHERE status = 'processing'`);
    await runner.query(`
      CREATE INDEX ingest_jobs_spent_idx ON ingest_jobs (id) WHERE status = 'pending' AND attempts >= 3`);
    await runner.query(`
      CREATE INDEX ingest_jobs_brand_id_unfinished_idx ON ingest_jobs (brand_id, status, id DESC) WHERE status <> 'done'`);
    await runner.query(`
      CREATE INDEX ingest_jobs_failed_idx ON ingest_jobs (id DESC) WHERE status = 'failed'`);
    await runner.query(`
      CREATE INDEX ingest_jobs_brand_id_outcome_idx ON ingest_jobs (brand_id, outcome, id DESC)`);
    await runner.query(`
      CREATE INDEX ingest_jobs_brandless_idx ON ingest_jobs (id DESC) WHERE brand_id = 0 AND brandless`);
    await runner.query(`
      CREATE INDEX ingest_jobs_brand_unknown_idx ON ingest_jobs (id DESC) WHERE brand_id = 0 AND NOT brandless`);
    await runner.query(`
      CREATE INDEX ingest_jobs_subject_key_open_idx ON ingest_jobs (subject_key)
        WHERE status IN ('pending', 'processing') AND subject_key <> ''`);
    await runner.query(`
      CREATE TABLE ingest_job_attempts (
        job_id bigint NOT NULL CONSTRAINT ingest_job_attempts_job_id_fkey REFERENCES ingest_jobs (id) ON DELETE CASCADE,
        claim_token bigint NOT NULL,
        number smallint NOT NULL,
        started_at bigint NOT NULL,
        ended_at bigint NOT NULL,
        worker text NOT NULL,
        result varchar(16) NOT NULL,
        error_code varchar(64),
        error text,
        CONSTRAINT ingest_job_attempts_pkey PRIMARY KEY (job_id, claim_token),
        CONSTRAINT ingest_job_attempts_result_check
          CHECK (result IN ('done', 'retry', 'failed', 'snoozed', 'released', 'lost', 'cancelled'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingest_job_attempts');
    await runner.query(`
      DROP INDEX ingest_jobs_due_idx, ingest_jobs_lease_idx, ingest_jobs_spent_idx, ingest_jobs_failed_idx,
        ingest_jobs_brand_id_unfinished_idx, ingest_jobs_brand_id_outcome_idx,
        ingest_jobs_brandless_idx, ingest_jobs_brand_unknown_idx, ingest_jobs_subject_key_open_idx`);
    await runner.query(`
      ALTER TABLE ingest_jobs
        DROP CONSTRAINT ingest_jobs_status_check, DROP CONSTRAINT ingest_jobs_processing_locked_check,
        DROP CONSTRAINT ingest_jobs_outcome_done_check, DROP CONSTRAINT ingest_jobs_claim_token_check,
        DROP CONSTRAINT ingest_jobs_attempts_check,
        DROP COLUMN claim_token, DROP COLUMN claimed_at, DROP COLUMN locked_by, DROP COLUMN subject,
        DROP COLUMN subject_key, DROP COLUMN progress, DROP COLUMN error_code, DROP COLUMN gallery_id,
        DROP COLUMN submitted_by, DROP COLUMN snoozed_since, DROP COLUMN brandless, DROP COLUMN suspect`);
    await runner.query('DROP SEQUENCE ingest_jobs_claim_token_seq');
  }
}
