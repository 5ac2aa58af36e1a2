import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { migrations } from '../migrations/index.js';
import { AppModule } from './app.module.js';
import { runAdminCommand } from './auth/admin.command.js';
import { UsersService } from './auth/users.service.js';
import { BrandCatalogue } from './brands/brand-catalogue.service.js';
import { runBrandsCommand } from './brands/brands.command.js';
import { BrandsService } from './brands/brands.service.js';
import { entities } from './entities.js';
import { runFillBrandsCommand } from './galleries/fill-brands.command.js';
import { FillBrandsService } from './galleries/fill-brands.service.js';
import { runMediaSweepCommand } from './galleries/media-sweep.command.js';
import { MediaSweepService } from './galleries/media-sweep.service.js';
import { runMediaVerifyCommand } from './galleries/media-verify.command.js';
import { MediaVerifyService } from './galleries/media-verify.service.js';
import { runCrawlersCommand } from './ingest/crawlers.command.js';
import { CrawlersService } from './ingest/crawlers.service.js';
import { runMediaCheckCommand } from './media/media.command.js';
import { Clock } from './platform/clock/clock.js';
import { CONFIG, type Config } from './platform/config/config.js';
import { environment } from './platform/config/environment.js';
import { readMediaConfig } from './platform/config/media-config.js';
import { AppLogger } from './platform/logging/app-logger.js';
import { explain } from './platform/logging/explain.js';
import { Progress } from './platform/progress.js';
import { openSystem, type System } from './platform/system.js';

/** Where a command writes: results to stdout, remarks and progress to stderr. */
const out = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  remark: (line: string) => void process.stderr.write(`${line}\n`),
  input: () => text(process.stdin),
  progress: new Progress(process.stderr),
};

/** Commands within the application, by the names that package.json gives them. @returns the exit code */
const COMMANDS: Record<string, (app: INestApplicationContext, args: string[]) => Promise<number>> = {
  admin: (app, args) => runAdminCommand(args, app.get(UsersService, LOOSE), out),
  brands: (app, args) =>
    runBrandsCommand(args, { brands: app.get(BrandsService, LOOSE), catalogue: app.get(BrandCatalogue, LOOSE) }, out),
  crawler: (app, args) => runCrawlersCommand(args, app.get(CrawlersService, LOOSE), out),
  'fill-brands': (app) => runFillBrandsCommand(app.get(FillBrandsService, LOOSE), out),
  'media-sweep': (app, args) => runMediaSweepCommand(args, app.get(MediaSweepService, LOOSE), out),
  'media-verify': (app, args) => {
    const { dataDir } = app.get<Config>(CONFIG, LOOSE);
    return runMediaVerifyCommand(args, { service: app.get(MediaVerifyService, LOOSE), dataDir }, out);
  },
};

/** Commands that need a setting or two and nothing that is open. @returns the exit code */
const WITHOUT_DATABASE: Record<string, (args: string[]) => Promise<number>> = {
  'media-check': () => runMediaCheckCommand(readMediaConfig(environment()), new Clock(), out),
};

const LOOSE = { strict: false };

/** One command against the database of the settings, or the embedded one, also while a server runs on it. */
async function main(): Promise<number> {
  const [name = '', ...args] = process.argv.slice(2);
  const alone = WITHOUT_DATABASE[name];
  if (alone !== undefined) return alone(args);
  const command = COMMANDS[name];
  if (command === undefined && name !== 'typeorm') {
    const names = Object.keys({ ...COMMANDS, ...WITHOUT_DATABASE });
    out.remark(`There is no command "${name}". There are: ${names.join(', ')}.`);
    return 2;
  }
  const system = await openSystem(environment(), {
    tables: { entities, migrations },
    say: out.remark,
    shareRunning: true,
    // What generates a migration compares with the schema that there is, which must be the present one.
    migrate: command !== undefined || args[0] === 'migration:generate',
  });
  try {
    return command === undefined
      ? await typeorm(system, args)
      : await inApplication(system, (app) => command(app, args));
  } finally {
    await system.close();
  }
}

async function inApplication(system: System, work: (app: INestApplicationContext) => Promise<number>): Promise<number> {
  const config = { ...system.config, roles: new Set<never>(), timers: false };
  const logger = new AppLogger('text', 'warn');
  const app = await NestFactory.createApplicationContext(AppModule.with(config), { logger, abortOnError: false });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** TypeORM's own command line over ormconfig, with the address of the database that this process opened. */
function typeorm(system: System, args: string[]): Promise<number> {
  const cli = createRequire(import.meta.url).resolve('typeorm/cli.js');
  const config = new URL('../ormconfig.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [cli, ...args, '-d', decodeURIComponent(config)], {
    stdio: 'inherit',
    env: { ...environment(), DATABASE_URL: system.config.database.url },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  out.remark(explain(error));
  process.exitCode = 1;
}
