import type { AddressInfo } from 'node:net';
import { type ModuleMetadata, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { createHttpAdapter } from '../../src/platform/http/http-adapter.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { testConfig } from './test-config.js';

export interface TestApp {
  /** Without a slash at the end. */
  url: string;
  port: number;
  app: NestFastifyApplication;
  db: TestDatabase;
  close: () => Promise<void>;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  /** Modules beside the application's own. */
  modules?: NonNullable<ModuleMetadata['imports']>;
  /** Providers beside the application's own, such as an intake type or a job handler of the test. */
  providers?: NonNullable<ModuleMetadata['providers']>;
  clock?: Clock;
  /** Where the application reaches its database, when not straight: the address of a proxy, say. */
  reach?: (databaseUrl: string) => Promise<string>;
  /** A database that is there already, for a second process beside the first; it stays when this one closes. */
  db?: TestDatabase;
}

/** The real application on a port of its own, with a database of its own and no timers. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const db = options.db ?? (await createTestDatabase(options.env));
  const address = options.reach === undefined ? db.url : await options.reach(db.url);
  const config = testConfig(address, options.env);

  @Module({ imports: [AppModule.with(config), ...(options.modules ?? [])], providers: options.providers ?? [] })
  class TestModule {}

  const dropDatabase = (): Promise<void> => (options.db === undefined ? db.drop() : Promise.resolve());
  let building = Test.createTestingModule({ imports: [TestModule] }).setLogger(new AppLogger('text', config.logLevel));
  if (options.clock !== undefined) building = building.overrideProvider(Clock).useValue(options.clock);
  const app = await building
    .compile()
    .then(async (built) => {
      const made = built.createNestApplication<NestFastifyApplication>(createHttpAdapter(config));
      await made.listen(0, '127.0.0.1');
      return made;
    })
    .catch(async (error: unknown) => {
      await dropDatabase();
      throw error;
    });
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    db,
    close: async () => {
      await app.close();
      await dropDatabase();
    },
  };
}
