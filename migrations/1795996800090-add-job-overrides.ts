import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a person decided against a job's payload, which itself stays as it was signed. */
export class AddJobOverrides1795996800090 implements MigrationInterface {
  name = 'AddJobOverrides1795996800090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ingest_jobs ADD COLUMN overrides text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ingest_jobs DROP COLUMN overrides');
  }
}
