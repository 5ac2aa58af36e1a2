import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Kinds of jobs that nobody claims until somebody resumes them. */
export class CreateJobKindPauses1795996800080 implements MigrationInterface {
  name = 'CreateJobKindPauses1795996800080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_kind_pauses (
        kind varchar(16) NOT NULL,
        paused_at bigint NOT NULL,
        paused_by text NOT NULL,
        reason text NOT NULL,
        CONSTRAINT job_kind_pauses_pkey PRIMARY KEY (kind)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_kind_pauses');
  }
}
