import type { DataSourceOptions, MigrationInterface, ObjectLiteral } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';

export interface Tables {
  entities: (new () => ObjectLiteral)[];
  migrations: (new () => MigrationInterface)[];
}

/** The one description of the connection: the application, the TypeORM command line and the tests all call it. */
export function dataSourceOptions(database: DatabaseConfig, tables: Tables): DataSourceOptions {
  return {
    type: 'postgres',
    url: database.url,
    entities: tables.entities,
    migrations: tables.migrations,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    // No extension is needed, and installing one takes rights that a service's role should not have.
    installExtensions: false,
    poolSize: database.poolSize,
    connectTimeoutMS: 5_000,
    extra: {
      keepAlive: true,
      idleTimeoutMillis: 30_000,
      // Client side, so that a half-open connection ends too. Server-side limits are SET LOCAL, see Transactions.
      query_timeout: database.statementTimeoutMs + 10_000,
    },
  };
}
