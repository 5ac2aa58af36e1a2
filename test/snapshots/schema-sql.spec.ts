import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { schemaSql } from '../harness/schema-sql.js';
import { expectSnapshot } from '../harness/snapshot.js';

describe('schema.sql', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
  });

  afterAll(() => db.drop());

  it('is the schema that the migrations make', async () => {
    await expectSnapshot(new URL('./schema.sql', import.meta.url), await schemaSql(db.query));
  });

  it('shows what TypeORM cannot: descending and partial indexes, checks that were not validated, sequences', async () => {
    const found = await schemaSql(db.query);
    expect(found).toContain('CREATE INDEX ingest_jobs_brand_id_id_desc_idx ON ingest_jobs (brand_id, id DESC);');
    expect(found).toMatch(
      /CREATE INDEX ingest_jobs_due_idx ON ingest_jobs \(kind, next_attempt_at, id\) WHERE .*'pending'/,
    );
    expect(found).toMatch(/CONSTRAINT ingest_jobs_attempts_check CHECK .* NOT VALID/);
    expect(found).toContain('CREATE SEQUENCE ingest_jobs_claim_token_seq AS bigint;');
  });

  it('sees every kind of change', async () => {
    const before = await schemaSql(db.query);
    const changes = [
      'CREATE INDEX x_idx ON brands (name DESC)',
      'ALTER TABLE brands ADD COLUMN x int DEFAULT 3',
      'ALTER TABLE brands ALTER COLUMN name_zh SET NOT NULL',
      `ALTER TABLE brands ADD CONSTRAINT x_check CHECK (name <> 'x') NOT VALID`,
      'DROP INDEX ingest_jobs_lease_idx',
      'CREATE SEQUENCE x_seq',
      `COMMENT ON TABLE brands IS 'x'`,
      'CREATE TABLE x (id int)',
    ];
    for (const change of changes) {
      await db.query(change);
      const after = await schemaSql(db.query);
      expect({ change, seen: after !== before }).toEqual({ change, seen: true });
    }
  });
});
