import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { type StartedProcess, startMain } from '../harness/started-process.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';

const SECRETS = {
  BRAND_HASHID_SALT: 'the salt of the test',
  SECRETS_KEY: Buffer.alloc(32, 3).toString('base64'),
  ADMIN_TOKEN: 'an-admin-token-that-is-long-enough',
};
const READY = /Ready as intake, admin, worker on (http:\/\/127\.0\.0\.1:\d+)/;

const started: StartedProcess[] = [];
function start(env: Record<string, string>): StartedProcess {
  const main = startMain(env);
  started.push(main);
  return main;
}

async function stop(main: StartedProcess): Promise<void> {
  main.kill('SIGTERM');
  expect(await main.ended()).toEqual({ code: 0, signal: null });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that has ended stays listed while nobody asks for its exit code, and in a container there may be nobody.
  return !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
}

function ask(url: string, token: string): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ brands(first: 1) { edges { node { id } } } }' }),
  });
}

afterEach(async () => {
  for (const main of started.splice(0)) {
    main.kill('SIGKILL');
    await main.ended();
  }
});

describe('a process with a database of its own choice', () => {
  let db: TestDatabase;
  let proxy: TcpProxy;
  let address: string;

  beforeAll(async () => {
    db = await createTestDatabase({}, 'empty');
    const url = new URL(db.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port));
    url.port = String(proxy.port);
    address = url.toString();
  });
  afterAll(async () => {
    await proxy.close();
    await db.drop();
  });

  it('does not start with bad settings, and names all of them', async () => {
    const main = start({
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      PORT: 'x',
      JOB_STUCK_SECONDS: '30',
      ADMIN_TOKEN: 'abc',
    });
    expect(await main.ended()).toEqual({ code: 1, signal: null });
    for (const name of [
      'DATABASE_URL',
      'PORT',
      'JOB_HEARTBEAT_SECONDS',
      'ADMIN_TOKEN',
      'BRAND_HASHID_SALT',
      'SECRETS_KEY',
    ]) {
      expect(main.output).toContain(`- ${name} `);
    }
    expect(main.output).not.toMatch(/hunter2|abc|\n\s+at /);
  });

  it('waits for a database that is away, saying so, and starts when it comes', async () => {
    await proxy.cut();
    const main = start({ DATABASE_URL: address, ...SECRETS });
    await main.says(/The database at 127\.0\.0\.1:\d+\/\w+ does not answer yet \(.+\); waiting for it/);
    await proxy.restore();
    const [, url = ''] = await main.says(READY);
    expect(await (await ask(url, SECRETS.ADMIN_TOKEN)).json()).toEqual({ data: { brands: { edges: [] } } });
    await stop(main);
    expect(main.output).not.toContain(new URL(address).password);
  });

  it('can be stopped while it waits', async () => {
    await proxy.cut();
    const main = start({ DATABASE_URL: address, ...SECRETS });
    await main.says(/waiting for it/);
    main.kill('SIGTERM');
    await main.ended();
    await proxy.restore();
    expect(main.output).toContain('Stopped before it was ready.');
    expect(main.output).not.toMatch(/\n\s+at /);
  });

  it('does not start on a database that was filled with another salt or key, and says which', async () => {
    const first = start({ DATABASE_URL: address, ...SECRETS });
    await first.says(READY);
    await stop(first);
    const salt = start({ DATABASE_URL: address, ...SECRETS, BRAND_HASHID_SALT: 'another salt' });
    const key = start({ DATABASE_URL: address, ...SECRETS, SECRETS_KEY: Buffer.alloc(32, 4).toString('base64') });
    const length = start({ DATABASE_URL: address, ...SECRETS, BRAND_HASHID_MIN_LENGTH: '9' });
    for (const main of [salt, key, length]) {
      expect(await main.ended()).toEqual({ code: 1, signal: null });
      expect(main.output).not.toMatch(/\n\s+at /);
    }
    expect(salt.output).toMatch(/^This database was filled with another BRAND_HASHID_SALT/m);
    expect(length.output).toMatch(/^This database was filled with another .*BRAND_HASHID_MIN_LENGTH/m);
    expect(key.output).toMatch(/^This database was filled with another SECRETS_KEY\. /m);
  });

  it('starts many times at once on an empty database', async () => {
    const empty = await createTestDatabase({}, 'empty');
    const mains = [1, 2, 3].map((place) => start({ DATABASE_URL: empty.url, ...SECRETS, WORKER_NAME: `w-${place}` }));
    for (const main of mains) await main.says(READY);
    expect(mains.filter((main) => main.output.includes('schema was brought up to date'))).toHaveLength(1);
    await Promise.all(mains.map(stop));
    await empty.drop();
  });
});

describe('a process with the embedded database', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runway-process-'));
    // As root the database runs as another user, who has to pass through.
    await chmod(folder, 0o755);
  });
  afterAll(async () => {
    // Whatever a failed test left running is stopped by the next start of the same folder.
    if (existsSync(pidFile())) {
      const main = startMain({ DATA_DIR: folder });
      await main.says(READY);
      main.kill('SIGTERM');
      await main.ended();
    }
    await rm(folder, { recursive: true, force: true });
  });

  const pidFile = (): string => join(folder, 'postgres', 'data', 'postmaster.pid');
  const serverPid = async (): Promise<number> => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);
  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const port = (await readFile(pidFile(), 'utf8')).split('\n')[3];
    const password = (await readFile(join(folder, 'database-password'), 'utf8')).trim();
    const client = new pg.Client({ connectionString: `postgresql://runway:${password}@127.0.0.1:${port}/runway` });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const ADDED = `INSERT INTO ingest_refusals VALUES (1, 'kept', 'brand', 'title', 1, 1, 1)`;
  const FOUND = `SELECT count(*)::int AS kept FROM ingest_refusals WHERE code = 'kept'`;

  it('makes database and secrets on its first start, and tells the secrets then and never again', async () => {
    const first = start({ DATA_DIR: folder });
    const [, password = ''] = await first.says(/Sign in as "admin" with the password (\S{20})/);
    const [, token = ''] = await first.says(/ADMIN_TOKEN\) is (\S{32,})/);
    const [, secret = ''] = await first.says(/signs with (whsec_\S+)/);
    await first.says(READY);
    await stop(first);
    const second = start({ DATA_DIR: folder });
    const [, url = ''] = await second.says(READY);
    expect(await (await ask(url, token)).json()).toEqual({ data: { brands: { edges: [] } } });
    const signedIn = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password }),
    });
    expect(await signedIn.json()).toEqual({ name: 'admin', role: 'operator' });
    await stop(second);
    expect(second.output).not.toContain(password);
    expect(second.output).not.toContain(token);
    expect(second.output).not.toContain(secret);
    expect(second.output).not.toContain('First start');
  });

  it('holds its folder alone: a second start is refused and told who is there', async () => {
    const first = start({ DATA_DIR: folder });
    await first.says(READY);
    const second = start({ DATA_DIR: folder });
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    expect(second.output).toContain(`in use by process ${first.pid}, which is running`);
    expect(await query('SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    await stop(first);
  });

  it('leaves nothing running and no claim behind when it is stopped', async () => {
    const main = start({ DATA_DIR: folder });
    await main.says(READY);
    const server = await serverPid();
    expect(isAlive(server)).toBe(true);
    await stop(main);
    expect(isAlive(server)).toBe(false);
    expect([existsSync(pidFile()), existsSync(join(folder, 'owner.json'))]).toEqual([false, false]);
  });

  it('takes over what a killed one left behind, with all its data', async () => {
    const killed = start({ DATA_DIR: folder });
    await killed.says(READY);
    await query(ADDED);
    const leftover = await serverPid();
    killed.kill('SIGKILL');
    await killed.ended();
    expect(isAlive(leftover)).toBe(true);
    const next = start({ DATA_DIR: folder });
    await next.says(READY);
    expect(isAlive(leftover)).toBe(false);
    expect(await query(FOUND)).toEqual([{ kept: 1 }]);
    await stop(next);
  });

  it('does no harm to a stranger whose pid stands in a stale pid file', async () => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    try {
      await writeFile(pidFile(), `${stranger.pid}\n${join(folder, 'postgres', 'data')}\n1\n5432\n\n127.0.0.1\n`);
      const main = start({ DATA_DIR: folder });
      await main.says(READY);
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
      expect(await query(FOUND)).toEqual([{ kept: 1 }]);
      await stop(main);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('does not start with other secrets than its data were made with', async () => {
    const main = start({ DATA_DIR: folder, SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') });
    expect(await main.ended()).toEqual({ code: 1, signal: null });
    expect(main.output).toMatch(/^This database was filled with another SECRETS_KEY\. /m);
    expect(existsSync(pidFile())).toBe(false);
  });
});
