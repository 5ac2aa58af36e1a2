import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { migrations } from '../migrations/index.js';
import { AppModule } from './app.module.js';
import { entities } from './entities.js';
import { environment } from './platform/config/environment.js';
import type { MadeSecrets } from './platform/config/made-secrets.js';
import { createHttpAdapter } from './platform/http/http-adapter.js';
import { AppLogger } from './platform/logging/app-logger.js';
import { explain } from './platform/logging/explain.js';
import { onStopSignal } from './platform/stop-signal.js';
import { openSystem } from './platform/system.js';

/** One process: settings, database, application for its roles; and all of it down again in the same order backwards. */
async function main(): Promise<void> {
  const stop = onStopSignal();
  const early = new AppLogger('text', 'info');
  const system = await openSystem(environment(), {
    tables: { entities, migrations },
    say: (message) => early.log(message),
    shareRunning: false,
    migrate: true,
    signal: stop.signal,
  });
  const { config } = system;
  const logger = new AppLogger(config.logFormat, config.logLevel);
  try {
    const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config), createHttpAdapter(config), {
      logger,
      abortOnError: false,
    });
    try {
      await app.listen(config.http.port, config.http.host);
      if (system.firstStart) tellSecrets(logger, system.firstStart);
      logger.log(`Ready as ${[...config.roles].join(', ')} on ${await app.getUrl()}`);
      await stop.received;
      logger.log('Stopping');
    } finally {
      await app.close();
    }
  } finally {
    await system.close();
  }
}

/** Once, on the first start: they are kept in the data folder, and nowhere else. */
function tellSecrets(logger: AppLogger, secrets: MadeSecrets): void {
  logger.log(`First start. Sign in as "admin" with the password ${secrets.adminPassword ?? '(none)'}`);
  logger.log(`The admin's token (ADMIN_TOKEN) is ${secrets.adminToken}`);
  logger.log(`The crawler "dev" signs with ${secrets.devCrawlerSecret ?? '(none)'}`);
  logger.log('All three are kept in secrets.json in the data folder and are not shown again');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
