import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBrands1795996800010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Keys and slugs are folded before they come here, so they sort by code point, the same on every server.
    await runner.query(`
      CREATE TABLE brands (
        id bigserial CONSTRAINT brands_pkey PRIMARY KEY,
        name text NOT NULL,
        name_zh text,
        slug text COLLATE "C" NOT NULL,
        status varchar(16) NOT NULL DEFAULT 'active',
        merged_into bigint,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        CONSTRAINT brands_slug_key UNIQUE (slug),
        CONSTRAINT brands_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES brands (id),
        CONSTRAINT brands_id_check CHECK (id > 0),
        CONSTRAINT brands_name_check CHECK (name <> ''),
        CONSTRAINT brands_slug_check CHECK (slug <> ''),
        CONSTRAINT brands_status_check CHECK (status IN ('active', 'merged')),
        CONSTRAINT brands_merged_into_check
          CHECK ((status = 'merged') = (merged_into IS NOT NULL) AND merged_into IS DISTINCT FROM id)
      )`);
    await runner.query(`CREATE INDEX brands_merged_into_idx ON brands (merged_into) WHERE merged_into IS NOT NULL`);
    await runner.query(`
      CREATE TABLE brand_aliases (
        brand_id bigint NOT NULL,
        alias_key text COLLATE "C" NOT NULL,
        alias text NOT NULL,
        source varchar(16) NOT NULL,
        CONSTRAINT brand_aliases_pkey PRIMARY KEY (brand_id, alias_key),
        CONSTRAINT brand_aliases_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands (id),
        CONSTRAINT brand_aliases_alias_key_check CHECK (alias_key <> '')
      )`);
    await runner.query(`CREATE INDEX brand_aliases_alias_key_idx ON brand_aliases (alias_key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE brand_aliases`);
    await runner.query(`DROP TABLE brands`);
  }
}
