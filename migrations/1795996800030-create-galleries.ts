import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The archive: galleries, the keys and sources they are found by, their pictures, and the slots of crawls under way. */
export class CreateGalleries1795996800030 implements MigrationInterface {
  name = 'CreateGalleries1795996800030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE galleries (
        id bigserial CONSTRAINT galleries_pkey PRIMARY KEY,
        kind varchar(16) NOT NULL CONSTRAINT galleries_kind_check CHECK (kind IN ('runway', 'street')),
        brand_id bigint NOT NULL DEFAULT 0,
        year smallint,
        term varchar(16),
        category varchar(32) NOT NULL,
        category_source varchar(16) NOT NULL,
        market varchar(64),
        title text NOT NULL DEFAULT '',
        show_date date,
        audience varchar(8),
        day smallint,
        photographer text,
        status varchar(16) NOT NULL DEFAULT 'pending_review'
          CONSTRAINT galleries_status_check CHECK (status IN ('pending_review', 'published', 'rejected')),
        reject_reason text,
        deleted_at bigint NOT NULL DEFAULT 0,
        purged_at bigint NOT NULL DEFAULT 0,
        published_at bigint NOT NULL DEFAULT 0,
        revision integer NOT NULL DEFAULT 1,
        cover_position integer NOT NULL DEFAULT 0,
        picture_count integer NOT NULL DEFAULT 0,
        missing_count integer NOT NULL DEFAULT 0,
        sent_count integer NOT NULL DEFAULT 0,
        expected_count integer,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        CONSTRAINT galleries_kind_brand_id_check CHECK ((kind = 'street') = (brand_id = 0)),
        CONSTRAINT galleries_purged_at_check CHECK (purged_at >= 0 AND deleted_at >= 0)
      )`);
    await runner.query('CREATE INDEX galleries_brand_id_id_desc_idx ON galleries (brand_id, id DESC)');
    await runner.query('CREATE INDEX galleries_status_id_desc_idx ON galleries (status, id DESC) WHERE deleted_at = 0');
    await runner.query(`
      CREATE TABLE gallery_keys (
        id bigserial CONSTRAINT gallery_keys_pkey PRIMARY KEY,
        gallery_id bigint NOT NULL CONSTRAINT gallery_keys_gallery_id_fkey REFERENCES galleries (id),
        brand_id bigint NOT NULL,
        year smallint,
        term varchar(16),
        category varchar(32) NOT NULL,
        market varchar(64),
        detail text,
        CONSTRAINT gallery_keys_natural_key UNIQUE NULLS NOT DISTINCT (brand_id, year, term, category, market, detail)
      )`);
    await runner.query('CREATE INDEX gallery_keys_gallery_id_idx ON gallery_keys (gallery_id)');
    await runner.query(`
      CREATE TABLE gallery_sources (
        id bigserial CONSTRAINT gallery_sources_pkey PRIMARY KEY,
        gallery_id bigint NOT NULL CONSTRAINT gallery_sources_gallery_id_fkey REFERENCES galleries (id),
        brand_id bigint NOT NULL,
        source text NOT NULL,
        CONSTRAINT gallery_sources_gallery_id_source_key UNIQUE (gallery_id, source)
      )`);
    await runner.query('CREATE INDEX gallery_sources_source_brand_id_idx ON gallery_sources (source, brand_id)');
    await runner.query(`
      CREATE TABLE gallery_pictures (
        gallery_id bigint NOT NULL CONSTRAINT gallery_pictures_gallery_id_fkey REFERENCES galleries (id),
        position integer NOT NULL,
        kind varchar(16) NOT NULL,
        look varchar(16),
        caption text,
        credit text,
        source_url text NOT NULL,
        identity text NOT NULL,
        state varchar(16) NOT NULL
          CONSTRAINT gallery_pictures_state_check CHECK (state IN ('stored', 'missing', 'failed')),
        error_code varchar(64),
        object_key text,
        sha256 varchar(64),
        content_type varchar(32),
        width integer,
        height integer,
        bytes bigint,
        CONSTRAINT gallery_pictures_pkey PRIMARY KEY (gallery_id, position),
        CONSTRAINT gallery_pictures_stored_object_key_check CHECK (state <> 'stored' OR object_key IS NOT NULL)
      )`);
    await runner.query('CREATE INDEX gallery_pictures_object_key_idx ON gallery_pictures (object_key)');
    await runner.query('CREATE INDEX gallery_pictures_sha256_idx ON gallery_pictures (sha256)');
    await runner.query(`
      CREATE TABLE ingest_pictures (
        job_id bigint NOT NULL,
        position integer NOT NULL,
        url text NOT NULL,
        state varchar(16) NOT NULL DEFAULT 'waiting'
          CONSTRAINT ingest_pictures_state_check CHECK (state IN ('waiting', 'storing', 'stored', 'failed', 'removing')),
        tries smallint NOT NULL DEFAULT 0,
        error_code varchar(64),
        error text,
        object_key text,
        sha256 varchar(64),
        content_type varchar(32),
        width integer,
        height integer,
        bytes bigint,
        CONSTRAINT ingest_pictures_pkey PRIMARY KEY (job_id, position),
        CONSTRAINT ingest_pictures_stored_object_key_check
          CHECK (state NOT IN ('storing', 'stored', 'removing') OR object_key IS NOT NULL)
      )`);
    await runner.query('CREATE INDEX ingest_pictures_object_key_idx ON ingest_pictures (object_key)');
    await runner.query(`
      CREATE TABLE gallery_events (
        id bigserial CONSTRAINT gallery_events_pkey PRIMARY KEY,
        gallery_id bigint NOT NULL CONSTRAINT gallery_events_gallery_id_fkey REFERENCES galleries (id),
        at bigint NOT NULL,
        actor text NOT NULL,
        action varchar(32) NOT NULL,
        detail text,
        job_id bigint
      )`);
    await runner.query('CREATE INDEX gallery_events_gallery_id_id_desc_idx ON gallery_events (gallery_id, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE gallery_events, ingest_pictures, gallery_pictures, gallery_sources, gallery_keys, galleries',
    );
  }
}
