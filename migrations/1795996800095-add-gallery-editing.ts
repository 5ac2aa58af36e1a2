import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What editors decide beyond a review, and the lists that they look through. */
export class AddGalleryEditing1795996800095 implements MigrationInterface {
  name = 'AddGalleryEditing1795996800095';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE galleries
        ADD COLUMN cover_chosen boolean NOT NULL DEFAULT false,
        ADD COLUMN takedown_reason text,
        ADD COLUMN forgotten_at bigint NOT NULL DEFAULT 0
          CONSTRAINT galleries_forgotten_at_check CHECK (forgotten_at = 0 OR deleted_at > 0)`);
    await runner.query('ALTER TABLE gallery_pictures ADD COLUMN hidden boolean NOT NULL DEFAULT false');
    await runner.query(
      'CREATE INDEX galleries_updated_at_id_desc_idx ON galleries (updated_at DESC, id DESC) WHERE deleted_at = 0',
    );
    await runner.query(
      'CREATE INDEX galleries_year_term_id_desc_idx ON galleries (year, term, id DESC) WHERE deleted_at = 0',
    );
    await runner.query(
      'CREATE INDEX galleries_trash_id_desc_idx ON galleries (id DESC) WHERE deleted_at > 0 AND forgotten_at = 0',
    );
    await runner.query(
      `CREATE INDEX galleries_trash_updated_at_id_desc_idx ON galleries (updated_at DESC, id DESC)
       WHERE deleted_at > 0 AND forgotten_at = 0`,
    );
    await runner.query(
      `CREATE INDEX galleries_guessed_id_desc_idx ON galleries (id DESC) WHERE category_source = 'default' AND deleted_at = 0`,
    );
    await runner.query(
      'CREATE INDEX galleries_suspect_id_desc_idx ON galleries (id DESC) WHERE suspect AND deleted_at = 0',
    );
    await runner.query(`
      CREATE INDEX galleries_partial_id_desc_idx ON galleries (id DESC)
      WHERE (missing_count > 0 OR expected_count > picture_count) AND deleted_at = 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX galleries_partial_id_desc_idx, galleries_suspect_id_desc_idx');
    await runner.query(
      'DROP INDEX galleries_guessed_id_desc_idx, galleries_trash_updated_at_id_desc_idx, galleries_trash_id_desc_idx',
    );
    await runner.query('DROP INDEX galleries_year_term_id_desc_idx, galleries_updated_at_id_desc_idx');
    await runner.query('ALTER TABLE gallery_pictures DROP COLUMN hidden');
    await runner.query(
      'ALTER TABLE galleries DROP COLUMN forgotten_at, DROP COLUMN takedown_reason, DROP COLUMN cover_chosen',
    );
  }
}
