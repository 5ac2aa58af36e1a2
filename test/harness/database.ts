import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { entities } from '../../src/entities.js';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import type { Config } from '../../src/platform/config/config.js';
import { testConfig } from './test-config.js';

const TEMPLATE = 'runway_test_template';
let template: Promise<void> | undefined;

export interface TestDatabase {
  url: string;
  config: Config;
  dataSource: DataSource;
  /** Rows of a statement on a connection of the data source's pool. */
  query: <T = Record<string, unknown>>(sql: string, params?: unknown[]) => Promise<T[]>;
  /** A connection of the test's own, for interleaving; closed with the database. */
  connect: () => Promise<pg.Client>;
  drop: () => Promise<void>;
}

function serverOf(address: string): { url: (name: string) => string; run: (sql: string) => Promise<void> } {
  return {
    url: (name) => {
      const url = new URL(address);
      url.pathname = `/${name}`;
      return url.toString();
    },
    run: async (sql) => {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
  };
}

/**
 * A database of its own for a test file: a clone of the migrated template, or an empty one.
 * @param env settings over the test's defaults
 */
export async function createTestDatabase(
  env: Record<string, string> = {},
  from: 'template' | 'empty' = 'template',
): Promise<TestDatabase> {
  const address = process.env['RUNWAY_TEST_SERVER'];
  if (address === undefined) throw new Error('No test server: the global set-up did not run');
  const server = serverOf(address);
  if (from === 'template') await (template ??= ensureTemplate(address));
  const name = `runway_test_${randomBytes(6).toString('hex')}`;
  await server.run(
    from === 'template'
      ? `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`
      : `CREATE DATABASE ${name} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  const url = server.url(name);
  const config = testConfig(url, env);
  const dataSource = new DataSource(dataSourceOptions(config.database, { entities, migrations }));
  await dataSource.initialize();
  const clients: pg.Client[] = [];
  return {
    url,
    config,
    dataSource,
    query: <T>(sql: string, params?: unknown[]) => dataSource.query<T[]>(sql, params),
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
      return client;
    },
    drop: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
      if (dataSource.isInitialized) await dataSource.destroy();
      await server.run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The migrated database that test files clone: made by the first worker that needs it, while the others wait. */
async function ensureTemplate(address: string): Promise<void> {
  const admin = new pg.Client({ connectionString: address });
  await admin.connect();
  try {
    await admin.query(`SELECT pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    // Made anew by every run, known by the run's id, so that a given server never serves an old schema.
    const run = process.env['RUNWAY_TEST_RUN'] ?? '';
    const { rows } = await admin.query<{ made_by: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS made_by FROM pg_database WHERE datname = '${TEMPLATE}'`,
    );
    if (rows[0]?.made_by === run) return;
    await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${TEMPLATE} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    const dataSource = new DataSource(
      dataSourceOptions(testConfig(serverOf(address).url(TEMPLATE)).database, { entities, migrations }),
    );
    await dataSource.initialize();
    await migrate(dataSource);
    await dataSource.destroy();
    await admin.query(`COMMENT ON DATABASE ${TEMPLATE} IS '${run}'`);
  } finally {
    await admin.end();
  }
}
