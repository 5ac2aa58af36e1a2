/** What the rules know of a source file. Paths are relative to the project, with slashes. */
export interface HouseFile {
  path: string;
  imports: { to: string; typeOnly: boolean }[];
  /** What it imports from outside the project. */
  packages: string[];
  /** Whether it declares a provider: injectable, controller, resolver, handler … */
  provides: boolean;
  /** Of a module: the files of what it exports. */
  exported: string[];
  sightings: Sighting[];
}

/** Something that has its place in the house, and the line where it stands. */
export interface Sighting {
  what: 'process.env' | 'now' | 'sql' | 'forwardRef' | 'export *' | 'http client';
  line: number;
}

/** A rule answers a sentence for everything that it does not allow. */
export type Rule = (files: readonly HouseFile[]) => string[];

/** The storeys, from the top; an import points down only. Zones of one storey do not import each other. */
const STOREYS: readonly (readonly string[])[] = [
  ['main', 'commands', 'ormconfig', 'test'],
  ['app.module'],
  ['entities'],
  ['ingest', 'galleries', 'extension'],
  ['media', 'taxonomy', 'brands'],
  ['jobs'],
  ['auth'],
  ['platform'],
  ['lib'],
];

/** Who puts the whole together, and so may take migrations and whatever a room has of the role named here. */
const COMPOSERS: Readonly<Record<string, string>> = {
  main: '',
  'app.module': '',
  ormconfig: '',
  test: '',
  commands: 'command',
  entities: 'entity',
};

/** Roles that are a room's own business, types included: whoever needs a shape of these asks a service for it. */
const PRIVATE = new Set(['repository', 'entity', 'worker', 'resolver', 'controller']);
/** Roles whose types may be named outside, and whose values may not. */
const PRIVATE_VALUES = new Set([
  'handler',
  'intake-type',
  'intake-query',
  'guard',
  'hook',
  'filter',
  'command',
  'state',
]);

/** Rooms that only compute: no framework, no database, no network, no files. */
const PURE = new Set(['lib', 'taxonomy']);
const IMPURE = /^(?:@nestjs\/|node:(?:fs|net|http|https|dns|child_process|timers)|typeorm$|pg$|got$|fastify$|sharp$)/;

/** The zone that a file belongs to; undefined for one that has no place in the plan. */
export function zoneOf(path: string): string | undefined {
  const top = /^(?:src\/)?(main|commands|ormconfig|app\.module|entities)\.ts$/.exec(path)?.[1];
  if (top !== undefined) return top;
  if (path.startsWith('migrations/')) return 'migrations';
  if (path.startsWith('test/extension/')) return 'extension';
  if (path.startsWith('test/')) return 'test';
  const room = /^src\/([^/]+)\//.exec(path)?.[1];
  return room !== undefined && storeyOf(room) >= 0 ? room : undefined;
}

function storeyOf(zone: string): number {
  return STOREYS.findIndex((zones) => zones.includes(zone));
}

/** `crawl.handler.ts` has the role `handler`, `job-queue.ts` has none. */
function roleOf(path: string): string {
  return /\.([a-z-]+)\.ts$/.exec(path)?.[1] ?? '';
}

export const everyFileHasAZone: Rule = (files) =>
  files
    .filter((file) => zoneOf(file.path) === undefined)
    .map(({ path }) => `${path} is in no room of the plan: give it a place in DESIGN and in house-rules.ts.`);

export const arrowsPointDown: Rule = (files) =>
  importsOf(files).flatMap(({ from, to }) => {
    const [above, below] = [zoneOf(from.path) ?? '', zoneOf(to) ?? to];
    if (above === below) return [];
    if (above === 'migrations') return [`${from.path} imports ${to}: migrations stand alone.`];
    if (below === 'migrations') {
      return above in COMPOSERS && above !== 'entities'
        ? []
        : [`${from.path} imports ${to}: only what puts the whole together names migrations.`];
    }
    if (storeyOf(below) < 0) return [`${from.path} imports ${to}, which is outside the house.`];
    if (storeyOf(below) > storeyOf(above)) return [];
    const where = storeyOf(below) === storeyOf(above) ? 'beside' : 'above';
    return [`${from.path} imports ${to}: ${below} stands ${where} ${above}, and imports point down only.`];
  });

/** Only doors are imported from another room; see docs/architecture.md for what a door is. */
export const roomsHaveDoors: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const exported = new Set(files.flatMap((file) => file.exported));
  return importsOf(files).flatMap(({ from, to, typeOnly }) => {
    const [above, room] = [zoneOf(from.path) ?? '', zoneOf(to) ?? ''];
    if (above === room || room === 'migrations') return [];
    const role = roleOf(to);
    if (role !== '' && role === COMPOSERS[above]) return [];
    const says = `${from.path} imports ${to}:`;
    if (PRIVATE.has(role)) return [`${says} a ${role} is private to its room. Ask a service of ${room}.`];
    if (typeOnly || role === 'module') return [];
    if (PRIVATE_VALUES.has(role)) return [`${says} of a ${role}, other rooms may name types only.`];
    if (byPath.get(to)?.provides && !exported.has(to)) {
      return [`${says} it is no door, since the module of ${room} does not export it.`];
    }
    return [];
  });
};

/** Types count too: two files that must be read together are one file, or the shared part belongs in a third. */
export const noFileComesBackToItself: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push(`${[...way.slice(start), path].join(' → ')} is a circle: move what they share.`);
    if (start >= 0 || done.has(path)) return;
    for (const { to } of byPath.get(path)?.imports ?? []) walk(to, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return circles;
};

export const noForwardRef: Rule = (files) =>
  seen(files, 'forwardRef').map((where) => `${where}: forwardRef hides a circle; turn the arrow instead.`);

export const noBarrels: Rule = (files) => [
  ...files
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('/index.ts'))
    .map(({ path }) => `${path} is a barrel: import the file that is meant.`),
  ...seen(files, 'export *').map((where) => `${where}: "export *" makes a barrel of the file.`),
];

export const oneReaderOfTheEnvironment: Rule = (files) =>
  seen(files, 'process.env', (path) => path.startsWith('src/platform/config/')).map(
    (where) => `${where}: process.env is read in src/platform/config and nowhere else. Make it a setting.`,
  );

export const oneClock: Rule = (files) =>
  seen(files, 'now', (path) => /^src\/platform\/(?:clock|logging)\//.test(path)).map(
    (where) => `${where}: ask Clock for the time, or take "now" as an argument.`,
  );

/** The fetcher with its agents; and the command that asks the configured store for an object of its own. */
const HTTP_CLIENTS = ['src/media/picture-fetcher.ts', 'src/media/filtering-agents.ts', 'src/media/media.command.ts'];

/** A second way to fetch is one that checks no address: that is how allow-lists come to be ignored. */
export const oneClientFetches: Rule = (files) =>
  seen(files, 'http client', (path) => HTTP_CLIENTS.includes(path)).map(
    (where) => `${where}: PictureFetcher is what asks other hosts, since it checks where they are.`,
  );

/** LISTEN and NOTIFY are of no table, so no repository owns them. */
const SQL_WITHOUT_A_TABLE = 'src/jobs/wake-up.ts';

export const sqlIsInRepositories: Rule = (files) =>
  seen(
    files,
    'sql',
    (path) =>
      roleOf(path) === 'repository' ||
      path.startsWith('migrations/') ||
      path.startsWith('src/platform/database/') ||
      path === SQL_WITHOUT_A_TABLE,
  ).map((where) => `${where}: SQL belongs in the *.repository.ts of the table's owner.`);

export const pureRoomsOnlyCompute: Rule = (files) =>
  files
    .filter(({ path }) => PURE.has(zoneOf(path) ?? ''))
    .flatMap(({ path, packages }) =>
      packages
        .filter((name) => IMPURE.test(name))
        .map((name) => `${path} imports ${name}: ${zoneOf(path)} only computes.`),
    );

function importsOf(files: readonly HouseFile[]): { from: HouseFile; to: string; typeOnly: boolean }[] {
  return files.flatMap((from) => from.imports.map((found) => ({ from, ...found })));
}

/** @param allowed says where it has its place */
function seen(
  files: readonly HouseFile[],
  what: Sighting['what'],
  allowed: (path: string) => boolean = () => false,
): string[] {
  return files
    .filter(({ path }) => !allowed(path))
    .flatMap(({ path, sightings }) =>
      sightings.filter((sighting) => sighting.what === what).map(({ line }) => `${path}:${line}`),
    );
}
