import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hosts of pictures that asked to be left alone; and of each picture what a page shows before its thumbnail is there. */
export class CreateMediaHosts1795996800050 implements MigrationInterface {
  name = 'CreateMediaHosts1795996800050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE media_hosts (
        host text CONSTRAINT media_hosts_pkey PRIMARY KEY,
        cool_until bigint NOT NULL,
        code varchar(64) NOT NULL,
        updated_at bigint NOT NULL
      )`);
    await runner.query('ALTER TABLE ingest_pictures ADD COLUMN thumbhash varchar(64)');
    await runner.query('ALTER TABLE gallery_pictures ADD COLUMN thumbhash varchar(64)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gallery_pictures DROP COLUMN thumbhash');
    await runner.query('ALTER TABLE ingest_pictures DROP COLUMN thumbhash');
    await runner.query('DROP TABLE media_hosts');
  }
}
