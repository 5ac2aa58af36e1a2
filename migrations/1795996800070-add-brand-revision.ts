import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What editing brands needs: a revision to notice each other by, and the lists that editors look through. */
export class AddBrandRevision1795996800070 implements MigrationInterface {
  name = 'AddBrandRevision1795996800070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE brands ADD COLUMN revision integer NOT NULL DEFAULT 1');
    await runner.query('CREATE INDEX brands_created_at_id_desc_idx ON brands (created_at DESC, id DESC)');
    // Counts per brand are read off this one, without a look at the galleries.
    await runner.query(
      'CREATE INDEX galleries_brand_id_status_idx ON galleries (brand_id, status) WHERE deleted_at = 0',
    );
    await runner.query(`
      CREATE INDEX ingest_refusals_unknown_brand_seen_idx ON ingest_refusals (last_seen_at DESC, brand COLLATE "C" DESC)
      WHERE code IN ('brand-unknown', 'brand-ambiguous', 'brand-mismatch')`);
    await runner.query(`
      CREATE INDEX ingest_refusals_unknown_brand_idx ON ingest_refusals (brand COLLATE "C", last_seen_at DESC)
      WHERE code IN ('brand-unknown', 'brand-ambiguous', 'brand-mismatch')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ingest_refusals_unknown_brand_idx, ingest_refusals_unknown_brand_seen_idx');
    await runner.query('DROP INDEX galleries_brand_id_status_idx');
    await runner.query('DROP INDEX brands_created_at_id_desc_idx');
    await runner.query('ALTER TABLE brands DROP COLUMN revision');
  }
}
