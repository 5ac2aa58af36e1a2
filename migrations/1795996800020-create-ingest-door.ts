import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The crawler's door: who may post, with which secrets, what came, and what was turned away. */
export class CreateIngestDoor1795996800020 implements MigrationInterface {
  name = 'CreateIngestDoor1795996800020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE crawlers (
        id bigserial CONSTRAINT crawlers_pkey PRIMARY KEY,
        name varchar(64) NOT NULL CONSTRAINT crawlers_name_key UNIQUE,
        enabled boolean NOT NULL DEFAULT true,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        CONSTRAINT crawlers_name_check CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$')
      )`);
    await runner.query(`
      CREATE TABLE crawler_secrets (
        id bigserial CONSTRAINT crawler_secrets_pkey PRIMARY KEY,
        crawler_id bigint NOT NULL CONSTRAINT crawler_secrets_crawler_id_fkey REFERENCES crawlers (id) ON DELETE CASCADE,
        sealed bytea NOT NULL,
        fingerprint bytea NOT NULL CONSTRAINT crawler_secrets_fingerprint_key UNIQUE,
        created_at bigint NOT NULL,
        valid_until bigint NOT NULL DEFAULT 0,
        revoked_at bigint NOT NULL DEFAULT 0,
        last_used_at bigint NOT NULL DEFAULT 0,
        CONSTRAINT crawler_secrets_fingerprint_check CHECK (octet_length(fingerprint) = 32)
      )`);
    await runner.query(`CREATE INDEX crawler_secrets_crawler_id_idx ON crawler_secrets (crawler_id)`);
    await runner.query(`
      CREATE TABLE ingest_messages (
        crawler_id bigint NOT NULL,
        message_id varchar(128) NOT NULL,
        body_sha256 bytea NOT NULL,
        job_id bigint NOT NULL,
        received_at bigint NOT NULL,
        subject text NOT NULL,
        warnings jsonb NOT NULL DEFAULT '[]',
        CONSTRAINT ingest_messages_pkey PRIMARY KEY (crawler_id, message_id),
        CONSTRAINT ingest_messages_body_sha256_check CHECK (octet_length(body_sha256) = 32)
      )`);
    await runner.query(`
      CREATE TABLE ingest_refusals (
        crawler_id bigint NOT NULL,
        code varchar(64) NOT NULL,
        brand text NOT NULL,
        last_title text NOT NULL,
        count bigint NOT NULL,
        first_seen_at bigint NOT NULL,
        last_seen_at bigint NOT NULL,
        CONSTRAINT ingest_refusals_pkey PRIMARY KEY (crawler_id, code, brand),
        CONSTRAINT ingest_refusals_count_check CHECK (count > 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingest_refusals');
    await runner.query('DROP TABLE ingest_messages');
    await runner.query('DROP TABLE crawler_secrets');
    await runner.query('DROP TABLE crawlers');
  }
}
