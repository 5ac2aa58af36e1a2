import { DataSource } from 'typeorm';
import type { Config } from './config/config.js';
import { madeSecrets, type MadeSecrets } from './config/made-secrets.js';
import { readConfig } from './config/read-config.js';
import type { Environment } from './config/settings-reader.js';
import { awaitDatabase } from './database/await-database.js';
import { dataSourceOptions, type Tables } from './database/data-source-options.js';
import { EMBEDDED_DATABASE, findRunningEmbeddedPostgres, startEmbeddedPostgres } from './database/embedded-postgres.js';
import { migrate } from './database/migrate.js';

export interface System {
  config: Config;
  /** The secrets that were made just now, to be told once. */
  firstStart: MadeSecrets | undefined;
  /** Stops what was started here; a database that was given stays. */
  close: () => Promise<void>;
}

export interface OpenOptions {
  tables: Tables;
  say: (message: string) => void;
  /** A command beside a running server shares its embedded database; a second server must not. */
  shareRunning: boolean;
  /** Whether to bring the schema up to date; the migration commands do it themselves. */
  migrate: boolean;
  signal?: AbortSignal;
}

// Stand-ins, so that every bad setting is told before a database is made for nothing.
const UNCHECKED = { hashidSalt: 'x', secretsKey: Buffer.alloc(32).toString('base64'), adminToken: 'x'.repeat(32) };

/**
 * Everything that must stand before the application does: settings, a database that answers, its schema up to date.
 * @throws ConfigError, AppError
 */
export async function openSystem(env: Environment, options: OpenOptions): Promise<System> {
  const opened = env['DATABASE_URL']
    ? { config: readConfig(env), firstStart: undefined, close: nothing }
    : await openEmbedded(env, options);
  try {
    await awaitDatabase(opened.config.database.url, options.say, options.signal);
    if (!options.migrate) return opened;
    const dataSource = new DataSource(dataSourceOptions(opened.config.database, options.tables));
    await dataSource.initialize();
    try {
      const ran = await migrate(dataSource);
      if (ran.length > 0) options.say(`The database's schema was brought up to date (${ran.length} migrations)`);
    } finally {
      await dataSource.destroy();
    }
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openEmbedded(env: Environment, options: OpenOptions): Promise<System> {
  const placeholder = 'postgresql://127.0.0.1/checked-before-it-is-there';
  const { dataDir } = readConfig(env, { ...UNCHECKED, databaseUrl: placeholder, devCrawlerSecret: undefined });
  const running = options.shareRunning ? await findRunningEmbeddedPostgres(dataDir) : undefined;
  const server = running ? { url: running, stop: nothing } : await startEmbeddedPostgres(dataDir);
  try {
    const { secrets, fresh } = await madeSecrets(dataDir, env);
    const config = readConfig(env, { ...secrets, databaseUrl: server.url(EMBEDDED_DATABASE) });
    return { config, firstStart: fresh ? secrets : undefined, close: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function nothing(): Promise<void> {
  // A database that was given is not ours to stop.
}
