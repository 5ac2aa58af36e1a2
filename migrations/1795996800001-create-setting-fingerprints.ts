import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keyed fingerprints of the settings that the rows of a database depend on. */
export class CreateSettingFingerprints1795996800001 implements MigrationInterface {
  name = 'CreateSettingFingerprints1795996800001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setting_fingerprints (
        setting text CONSTRAINT setting_fingerprints_pkey PRIMARY KEY,
        fingerprint text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE setting_fingerprints');
  }
}
