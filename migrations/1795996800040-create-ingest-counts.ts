import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the door answered, by the hour; and the way to the oldest messages, so that they can be forgotten. */
export class CreateIngestCounts1795996800040 implements MigrationInterface {
  name = 'CreateIngestCounts1795996800040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingest_counts (
        hour bigint NOT NULL,
        crawler_id bigint NOT NULL,
        status smallint NOT NULL,
        answer varchar(64) NOT NULL,
        count bigint NOT NULL,
        CONSTRAINT ingest_counts_pkey PRIMARY KEY (hour, crawler_id, status, answer),
        CONSTRAINT ingest_counts_count_check CHECK (count > 0),
        CONSTRAINT ingest_counts_hour_check CHECK (hour % 3600 = 0)
      )`);
    await runner.query('CREATE INDEX ingest_messages_received_at_idx ON ingest_messages (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ingest_messages_received_at_idx');
    await runner.query('DROP TABLE ingest_counts');
  }
}
