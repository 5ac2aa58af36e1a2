import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what in the admin. */
export class CreateAdminEvents1795996800060 implements MigrationInterface {
  name = 'CreateAdminEvents1795996800060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin_events (
        id bigserial NOT NULL,
        at bigint NOT NULL,
        actor_id bigint DEFAULT 0 NOT NULL,
        actor text NOT NULL,
        action varchar(64) NOT NULL,
        entity varchar(32) NOT NULL,
        entity_id text NOT NULL,
        detail text,
        CONSTRAINT admin_events_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX admin_events_entity_idx ON admin_events (entity, entity_id, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin_events');
  }
}
