import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, MigrationExecutor } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { entities } from '../../src/entities.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertJobs } from '../harness/job-rows.js';
import { schemaSql } from '../harness/schema-sql.js';

/** Reverts the newest migrations until so many are left. */
async function down(dataSource: DataSource, left = 0): Promise<void> {
  const executor = new MigrationExecutor(dataSource);
  while ((await executor.getExecutedMigrations()).length > left) await executor.undoLastMigration();
}

describe('migrations', () => {
  let db: TestDatabase;

  beforeEach(async () => {
    db = await createTestDatabase({}, 'empty');
  });
  afterEach(() => db.drop());

  const schema = (): Promise<string> => schemaSql(db.query);

  it('run on an empty database, and once more do nothing', async () => {
    expect(await migrate(db.dataSource)).toHaveLength(migrations.length);
    const before = await schema();
    expect(await migrate(db.dataSource)).toEqual([]);
    expect(await schema()).toBe(before);
  });

  it('go down to nothing, one by one, and up again to the same schema', async () => {
    await migrate(db.dataSource);
    const first = await schema();
    await down(db.dataSource);
    const left = await db.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v')
         AND relname NOT LIKE 'schema_migrations%'`,
    );
    expect(left).toEqual([]);
    await migrate(db.dataSource);
    expect(await schema()).toBe(first);
  });

  it('go down and up over rows without touching what they keep', async () => {
    await migrate(db.dataSource);
    const [done = ''] = await insertJobs(db, 1, {
      status: 'done',
      outcome: 'created',
      note: '新建 42 张图',
      brand_id: 7,
    });
    await down(db.dataSource, 2);
    await migrate(db.dataSource);
    const rows = await db.query('SELECT id, status, outcome, note, brand_id FROM ingest_jobs');
    expect(rows).toEqual([{ id: done, status: 'done', outcome: 'created', note: '新建 42 张图', brand_id: '7' }]);
  });

  it('run once when ten processes start at the same moment', async () => {
    const sources = await Promise.all(
      Array.from({ length: 10 }, () =>
        new DataSource(
          dataSourceOptions({ ...db.config.database, poolSize: 2 }, { entities, migrations }),
        ).initialize(),
      ),
    );
    try {
      const ran = await Promise.all(sources.map((source) => migrate(source)));
      expect(ran.map((names) => names.length).sort((a, b) => b - a)).toEqual([
        migrations.length,
        ...Array.from({ length: 9 }, () => 0),
      ]);
    } finally {
      await Promise.all(sources.map((source) => source.destroy()));
    }
    const kept = await db.query('SELECT name FROM schema_migrations ORDER BY id');
    expect(kept).toHaveLength(migrations.length);
  });

  it('come in all together or not at all', async () => {
    class Broken1999999999999 {
      name = 'Broken1999999999999';
      up = (): Promise<void> => Promise.reject(new Error('this one does not work'));
      down = (): Promise<void> => Promise.resolve();
    }
    const options = dataSourceOptions(db.config.database, {
      entities,
      migrations: [...migrations, Broken1999999999999],
    });
    const source = await new DataSource(options).initialize();
    try {
      await expect(migrate(source)).rejects.toThrow('this one does not work');
    } finally {
      await source.destroy();
    }
    expect(await db.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('leave nothing for TypeORM to generate: entities and schema are the same', async () => {
    await migrate(db.dataSource);
    const { upQueries } = await db.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('are listed oldest first', () => {
    const stamps = migrations.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
    expect(new Set(stamps).size).toBe(migrations.length);
  });
});
