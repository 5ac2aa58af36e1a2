import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';
import { entities } from './src/entities.js';
import { environment } from './src/platform/config/environment.js';
import { readDatabaseConfig } from './src/platform/config/read-config.js';
import { dataSourceOptions } from './src/platform/database/data-source-options.js';

/** What the TypeORM command line works on: the very connection and tables of the application. */
export default new DataSource(dataSourceOptions(readDatabaseConfig(environment()), { entities, migrations }));
