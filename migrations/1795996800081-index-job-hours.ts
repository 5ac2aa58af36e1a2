import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs by the hour. Arrivals are nearly in the order of the table, so that a summary of ranges of pages finds them and costs
 * an insert next to nothing. Ends are counted off the index alone, which only the last change of a job adds to.
 */
export class IndexJobHours1795996800081 implements MigrationInterface {
  name = 'IndexJobHours1795996800081';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ingest_jobs_created_at_idx ON ingest_jobs USING brin (created_at)
        WITH (pages_per_range = 32, autosummarize = on)`);
    await runner.query(`
      CREATE INDEX ingest_jobs_ended_idx ON ingest_jobs (updated_at, kind, status, outcome)
        WHERE status IN ('done', 'failed')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ingest_jobs_created_at_idx, ingest_jobs_ended_idx');
  }
}
