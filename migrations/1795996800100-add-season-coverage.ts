import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The shows of a brand by their season, with all that their state is told from: read off the index alone. */
export class AddSeasonCoverage1795996800100 implements MigrationInterface {
  name = 'AddSeasonCoverage1795996800100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX galleries_brand_id_season_idx ON galleries (brand_id, year, term, category)
      INCLUDE (id, status, deleted_at, updated_at)
      WHERE kind = 'runway' AND forgotten_at = 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX galleries_brand_id_season_idx');
  }
}
