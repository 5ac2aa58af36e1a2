import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Galleries that a crawl was skipped into although it may have been another show. */
export class AddGallerySuspect1795996800091 implements MigrationInterface {
  name = 'AddGallerySuspect1795996800091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE galleries ADD COLUMN suspect boolean DEFAULT false NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE galleries DROP COLUMN suspect');
  }
}
