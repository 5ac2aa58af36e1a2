import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  arrowsPointDown,
  everyFileHasAZone,
  type HouseFile,
  noBarrels,
  noFileComesBackToItself,
  noForwardRef,
  oneClientFetches,
  oneClock,
  oneReaderOfTheEnvironment,
  pureRoomsOnlyCompute,
  roomsHaveDoors,
  type Rule,
  sqlIsInRepositories,
} from './architecture/house-rules.js';
import { readFile, readHouse } from './architecture/read-house.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

describe('the house', () => {
  const house = readHouse(root, ['src', 'migrations', 'ormconfig.ts', 'test/extension']);

  const rules: [string, Rule][] = [
    ['gives every file a room', everyFileHasAZone],
    ['has imports that point down only', arrowsPointDown],
    ['has rooms that are entered by their doors', roomsHaveDoors],
    ['has no circle of files', noFileComesBackToItself],
    ['has no forwardRef', noForwardRef],
    ['has no barrels', noBarrels],
    ['reads the environment in one place', oneReaderOfTheEnvironment],
    ['asks one clock', oneClock],
    ['has one client that fetches (CASES, pictures 3)', oneClientFetches],
    ['keeps its SQL in repositories', sqlIsInRepositories],
    ['has rooms that only compute', pureRoomsOnlyCompute],
  ];

  it.each(rules)('%s', (_, rule) => {
    expect(rule(house)).toEqual([]);
  });

  it('was read whole: the rules saw the files, their imports, and what the modules export', () => {
    const files = new Map(house.map((file) => [file.path, file]));
    expect(files.get('src/main.ts')?.imports.map(({ to }) => to)).toContain('src/app.module.ts');
    expect(files.get('src/jobs/jobs.module.ts')?.exported).toContain('src/jobs/job-queue.ts');
    expect(files.get('src/platform/platform.module.ts')?.exported).toContain('src/platform/clock/clock.ts');
    expect(files.get('src/jobs/job-queue.ts')?.provides).toBe(true);
    expect(files.get('src/jobs/leases.repository.ts')?.sightings.some(({ what }) => what === 'sql')).toBe(true);
    expect(files.get('src/platform/config/environment.ts')?.sightings).toEqual([{ what: 'process.env', line: 5 }]);
  });
});

/** A small house without a fault; each test adds one. */
const SOUND: Record<string, string> = {
  'src/main.ts': `import { AppModule } from './app.module.js';`,
  'src/commands.ts': `import { runBrandsCommand } from './brands/brands.command.js';`,
  'src/app.module.ts': `
    import { migrations } from '../migrations/index.js';
    import { entities } from './entities.js';
    import { GalleriesModule } from './galleries/galleries.module.js';`,
  'src/entities.ts': `import { IngestJob } from './jobs/ingest-job.entity.js';`,
  'migrations/index.ts': `export const migrations = ['CREATE TABLE t (id int)'];`,
  'src/galleries/galleries.module.ts': `
    import { JobsModule } from '../jobs/jobs.module.js';
    @Module({ imports: [JobsModule] }) export class GalleriesModule {}`,
  'src/galleries/crawl.handler.ts': `
    import { JobQueue } from '../jobs/job-queue.js';
    import type { JobStatus } from '../jobs/ingest-job.state.js';
    import { readSeason } from '../taxonomy/season-reader.js';`,
  'src/ingest/ingest.module.ts': '',
  'src/brands/brands.command.ts': '',
  'src/taxonomy/season-reader.ts': `import { fold } from '../lib/text.js';`,
  'src/media/picture-identity.ts': '',
  'src/jobs/jobs.module.ts': `
    import { JobQueue } from './job-queue.js';
    @Module({ exports: [JobQueue] }) export class JobsModule {}`,
  'src/jobs/job-queue.ts': `@Injectable() export class JobQueue {}`,
  'src/jobs/job-runner.ts': `@Injectable() export class JobRunner {}`,
  'src/jobs/job-error.ts': `export class JobError extends Error {}`,
  'src/jobs/ingest-job.state.ts': `export type JobStatus = 'done'; export const MAX_ATTEMPTS = 3;`,
  'src/jobs/ingest-job.entity.ts': '',
  'src/jobs/leases.repository.ts': 'export const SQL = `WITH mine AS (SELECT id FROM ingest_jobs) SELECT 1`;',
  'src/jobs/jobs.resolver.ts': '',
  'src/jobs/claim.worker.ts': '',
  'src/auth/actor.ts': '',
  'src/platform/config/environment.ts': 'export const environment = () => process.env;',
  'src/platform/clock/clock.ts': 'export const now = () => new Date();',
  'src/lib/text.ts': '',
};

function house(more: Record<string, string> = {}): HouseFile[] {
  return Object.entries({ ...SOUND, ...more }).map(([path, text]) => readFile(path, text));
}

/** The sound house, with one more import at the end of a file. */
function withImport(from: string, statement: string): HouseFile[] {
  return house({ [from]: `${SOUND[from] ?? ''}\n${statement}` });
}

const ALL: Rule[] = [
  everyFileHasAZone,
  arrowsPointDown,
  roomsHaveDoors,
  noFileComesBackToItself,
  noForwardRef,
  noBarrels,
  oneReaderOfTheEnvironment,
  oneClock,
  oneClientFetches,
  sqlIsInRepositories,
  pureRoomsOnlyCompute,
];

describe('the rules', () => {
  it('find nothing in a house without a fault', () => {
    expect(ALL.flatMap((rule) => rule(house()))).toEqual([]);
  });

  it.each([
    ['src/lib/text.ts', '../platform/clock/clock.js', 'platform stands above lib'],
    ['src/platform/clock/clock.ts', '../../auth/actor.js', 'auth stands above platform'],
    ['src/auth/actor.ts', '../jobs/job-error.js', 'jobs stands above auth'],
    ['src/jobs/job-error.ts', '../brands/brand-hashids.js', 'brands stands above jobs'],
    ['src/jobs/job-error.ts', '../galleries/galleries.module.js', 'galleries stands above jobs'],
    ['src/taxonomy/season-reader.ts', '../media/picture-identity.js', 'media stands beside taxonomy'],
    ['src/media/picture-identity.ts', '../brands/brand-hashids.js', 'brands stands beside media'],
    ['src/brands/brands.command.ts', '../taxonomy/season-reader.js', 'taxonomy stands beside brands'],
    ['src/galleries/crawl.handler.ts', '../ingest/ingest.module.js', 'ingest stands beside galleries'],
    ['src/ingest/ingest.module.ts', '../galleries/galleries.module.js', 'galleries stands beside ingest'],
    ['src/galleries/crawl.handler.ts', '../app.module.js', 'app.module stands above galleries'],
    ['src/entities.ts', './app.module.js', 'app.module stands above entities'],
    ['src/app.module.ts', './main.js', 'main stands above app.module'],
    ['src/main.ts', './commands.js', 'commands stands beside main'],
    ['src/jobs/job-error.ts', '../../migrations/index.js', 'only what puts the whole together names migrations'],
    ['migrations/index.ts', '../src/lib/text.js', 'migrations stand alone'],
    ['src/jobs/job-error.ts', '../../examples/demo/demo.js', 'outside the house'],
  ])('do not let %s import %s', (from, specifier, why) => {
    for (const statement of [`import { x } from '${specifier}';`, `import type { X } from '${specifier}';`]) {
      expect(arrowsPointDown(withImport(from, statement))).toEqual([expect.stringContaining(why)]);
    }
  });

  it.each([
    ['../jobs/leases.repository.js', 'a repository is private'],
    ['../jobs/ingest-job.entity.js', 'a entity is private'],
    ['../jobs/claim.worker.js', 'a worker is private'],
    ['../jobs/jobs.resolver.js', 'a resolver is private'],
    ['../jobs/jobs.controller.js', 'a controller is private'],
  ])('let no other room name anything of %s, not even a type', (specifier, why) => {
    for (const statement of [`import { x } from '${specifier}';`, `import { type X } from '${specifier}';`]) {
      const found = roomsHaveDoors(withImport('src/galleries/crawl.handler.ts', statement));
      expect(found).toEqual([expect.stringContaining(why)]);
    }
  });

  it.each([
    ['../jobs/ingest-job.state.js', 'types only'],
    ['../jobs/job-runner.js', 'does not export it'],
  ])('let other rooms name types of %s, and no values', (specifier, why) => {
    const from = 'src/galleries/crawl.handler.ts';
    expect(roomsHaveDoors(withImport(from, `import type { X } from '${specifier}';`))).toEqual([]);
    expect(roomsHaveDoors(withImport(from, `import { type X, y } from '${specifier}';`))).toEqual([
      expect.stringContaining(why),
    ]);
  });

  it.each(['../jobs/jobs.module.js', '../jobs/job-queue.js', '../jobs/job-error.js', '../media/picture-identity.js'])(
    'let other rooms use %s, which is a door',
    (specifier) => {
      const found = withImport('src/galleries/crawl.handler.ts', `import { x } from '${specifier}';`);
      expect([...roomsHaveDoors(found), ...arrowsPointDown(found)]).toEqual([]);
    },
  );

  it('let only the list of tables name entities, and only the command line name commands', () => {
    const statement = `import { x } from './jobs/ingest-job.entity.js'; import { y } from './brands/brands.command.js';`;
    expect(roomsHaveDoors(withImport('src/main.ts', statement))).toHaveLength(2);
    expect(roomsHaveDoors(withImport('src/entities.ts', statement))).toHaveLength(1);
    expect(roomsHaveDoors(withImport('src/commands.ts', statement))).toHaveLength(1);
  });

  it('hold a module from outside to the same doors', () => {
    const module = `
      import { JobQueue } from '../../src/jobs/job-queue.js';
      import { LeasesRepository } from '../../src/jobs/leases.repository.js';
      import { GalleriesModule } from '../../src/galleries/galleries.module.js';`;
    const found = house({ 'test/extension/lookbooks.module.ts': module });
    expect(roomsHaveDoors(found)).toEqual([expect.stringContaining('a repository is private')]);
    expect(arrowsPointDown(found)).toEqual([expect.stringContaining('galleries stands beside extension')]);
  });

  it('find a circle, also one of types, and show the way round', () => {
    const found = house({
      'src/lib/a.ts': `import { b } from './b.js';`,
      'src/lib/b.ts': `import type { C } from './c.js';`,
      'src/lib/c.ts': `export type { A } from './a.js';`,
    });
    expect(noFileComesBackToItself(found)).toEqual([
      'src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts is a circle: move what they share.',
    ]);
  });

  it.each<[string, Rule, string, string]>([
    ['a file without a room', everyFileHasAZone, 'src/utils/strings.ts', ''],
    ['forwardRef', noForwardRef, 'src/jobs/x.ts', 'inject(forwardRef(() => JobQueue));'],
    ['a barrel', noBarrels, 'src/jobs/index.ts', ''],
    ['export *', noBarrels, 'src/jobs/x.ts', `export * from './job-queue.js';`],
    ['process.env', oneReaderOfTheEnvironment, 'src/jobs/x.ts', 'const port = process.env.PORT;'],
    ["process['env']", oneReaderOfTheEnvironment, 'src/jobs/x.ts', `const port = process['env'].PORT;`],
    ['Date.now()', oneClock, 'src/jobs/x.ts', 'const now = Date.now();'],
    ['new Date()', oneClock, 'src/jobs/x.ts', 'const now = new Date();'],
    ['fetch', oneClientFetches, 'src/galleries/x.ts', 'const answer = await fetch(picture.url);'],
    ['globalThis.fetch', oneClientFetches, 'src/galleries/x.ts', 'await globalThis.fetch(url);'],
    ['another client', oneClientFetches, 'src/media/x.ts', `import { got } from 'got';`],
    ['node’s own client', oneClientFetches, 'src/media/x.ts', `import https from 'node:https';`],
    ['a request of node’s', oneClientFetches, 'src/ingest/x.ts', `import { createServer, request } from 'node:http';`],
    ['a statement', sqlIsInRepositories, 'src/jobs/x.ts', `const sql = 'SELECT id FROM t';`],
    ['a statement in a template', sqlIsInRepositories, 'src/jobs/x.ts', 'const sql = `\n  UPDATE t SET a = ${b}`;'],
    ['a lock', sqlIsInRepositories, 'src/jobs/x.ts', 'const sql = `${find} FOR NO KEY UPDATE`;'],
    ['a query builder', sqlIsInRepositories, 'src/jobs/x.ts', 'rows.createQueryBuilder();'],
    ['Nest in lib', pureRoomsOnlyCompute, 'src/lib/x.ts', `import { Injectable } from '@nestjs/common';`],
    ['files in taxonomy', pureRoomsOnlyCompute, 'src/taxonomy/x.ts', `import { readFile } from 'node:fs/promises';`],
  ])('find %s', (_, rule, path, text) => {
    expect(rule(house({ [path]: text }))).toEqual([expect.stringContaining(path)]);
  });

  it('leave alone what only looks like a fault', () => {
    const innocent = `
      const at = new Date(0); const day = new Date(year, 1);
      const words = 'Select a brand from the list, or update it';
      import.meta.env; database.query('SELECT 1'); fetcher.fetch(url);
      import { createServer, type Server } from 'node:http'; import type { Got } from 'got';`;
    const found = house({ 'src/jobs/x.ts': innocent });
    expect(ALL.flatMap((rule) => rule(found))).toEqual([]);
  });
});
