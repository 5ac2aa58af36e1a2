import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may use the admin: users, their sessions and tokens, and how often somebody tried to sign in. */
export class CreateUsers1795996800061 implements MigrationInterface {
  name = 'CreateUsers1795996800061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id bigserial NOT NULL,
        name varchar(64) NOT NULL,
        name_key text NOT NULL,
        role varchar(16) NOT NULL,
        password_hash text NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        disabled_at bigint DEFAULT 0 NOT NULL,
        CONSTRAINT users_pkey PRIMARY KEY (id),
        CONSTRAINT users_name_key_key UNIQUE (name_key),
        CONSTRAINT users_role_check CHECK (role IN ('viewer', 'editor', 'operator'))
      )`);
    await runner.query(`
      CREATE TABLE user_sessions (
        id bigserial NOT NULL,
        user_id bigint NOT NULL,
        token_sha256 bytea NOT NULL,
        address text NOT NULL,
        user_agent text NOT NULL,
        created_at bigint NOT NULL,
        last_seen_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        CONSTRAINT user_sessions_pkey PRIMARY KEY (id),
        CONSTRAINT user_sessions_token_sha256_key UNIQUE (token_sha256),
        CONSTRAINT user_sessions_token_sha256_check CHECK (octet_length(token_sha256) = 32),
        CONSTRAINT user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX user_sessions_user_id_idx ON user_sessions (user_id)');
    await runner.query('CREATE INDEX user_sessions_expires_at_idx ON user_sessions (expires_at)');
    await runner.query(`
      CREATE TABLE user_tokens (
        id bigserial NOT NULL,
        user_id bigint NOT NULL,
        token_sha256 bytea NOT NULL,
        label varchar(100) NOT NULL,
        created_at bigint NOT NULL,
        last_used_at bigint DEFAULT 0 NOT NULL,
        expires_at bigint DEFAULT 0 NOT NULL,
        revoked_at bigint DEFAULT 0 NOT NULL,
        CONSTRAINT user_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT user_tokens_token_sha256_key UNIQUE (token_sha256),
        CONSTRAINT user_tokens_token_sha256_check CHECK (octet_length(token_sha256) = 32),
        CONSTRAINT user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX user_tokens_user_id_idx ON user_tokens (user_id)');
    await runner.query(`
      CREATE TABLE sign_in_attempts (
        subject varchar(64) NOT NULL,
        count integer NOT NULL,
        resets_at bigint NOT NULL,
        CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject)
      )`);
    await runner.query('CREATE INDEX sign_in_attempts_resets_at_idx ON sign_in_attempts (resets_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_attempts');
    await runner.query('DROP TABLE user_tokens');
    await runner.query('DROP TABLE user_sessions');
    await runner.query('DROP TABLE users');
  }
}
