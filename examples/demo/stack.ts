import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { liveOwner } from '../../src/platform/database/data-dir-owner.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';

export interface StackOptions {
  dataDir: string;
  port: number;
  /** `host:port` of the picture origin, which is on loopback and has to be allowed. */
  pictureHost: string;
  /** Further settings of the server. */
  settings?: Record<string, string>;
  signal: AbortSignal;
}

/** The built project's folder. This file is in dist/examples/demo. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

const USUAL_PORT = 8092;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 40_000;
const LOG_LINES_SHOWN = 15;

/** What a process needs from its surroundings. Everything else stays outside: no setting of another server leaks in. */
const SURROUNDINGS = /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|SystemRoot|PATHEXT|USERPROFILE)$/i;

/**
 * The whole system as a process of its own, on its own embedded database. The demo knows of it what a user would: an
 * address, the secrets in its data folder, the command line and the log.
 */
export class Stack {
  readonly url: string;
  readonly dataDir: string;
  readonly logFile: string;
  adminToken = '';
  crawlerSecret = '';
  private readonly exited: Promise<unknown>;
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly options: StackOptions,
    private readonly child: ChildProcess,
    private readonly logStart: number,
  ) {
    this.url = `http://127.0.0.1:${options.port}`;
    this.dataDir = options.dataDir;
    this.logFile = logFileOf(options.dataDir);
    this.exited = once(child, 'exit');
    // The last resort, when the demo itself breaks: the server then stops without us waiting for it.
    process.once('exit', () => child.kill('SIGTERM'));
  }

  static async start(options: StackOptions): Promise<Stack> {
    await mkdir(options.dataDir, { recursive: true });
    const nodeArgs = JSON.parse(await readFile(join(PROJECT, 'scripts', 'server-args.json'), 'utf8')) as string[];
    const log = await open(logFileOf(options.dataDir), 'a', 0o600);
    const { size } = await log.stat();
    // A group of its own: Ctrl-C reaches the demo alone, which then stops the server once and in order.
    const child = spawn(process.execPath, [...nodeArgs, built('main.js')], {
      cwd: PROJECT,
      env: environmentOf(options),
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    const stack = new Stack(options, child, size);
    await log.close();
    try {
      await stack.ready();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves when the server has ended by itself, with what it said last. */
  async died(): Promise<string> {
    await this.exited;
    return `The server ended by itself. ${await this.lastWords()}`;
  }

  /** `npm run brands -- import -`, beside the running server. @param brands as its lines have them */
  async importBrands(brands: readonly object[]): Promise<void> {
    const child = spawn(process.execPath, ['--enable-source-maps', built('commands.js'), 'brands', 'import', '-'], {
      cwd: PROJECT,
      env: environmentOf(this.options),
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: this.options.signal,
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.end(brands.map((brand) => `${JSON.stringify(brand)}\n`).join(''));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`The brands could not be imported:\n${said.trim()}`);
  }

  /** Asks the server to stop and waits until it has. Whoever asks again waits as well. */
  stop(): Promise<void> {
    this.stopping ??= this.stopOnce();
    return this.stopping;
  }

  private async stopOnce(): Promise<void> {
    if (!this.running) return;
    this.child.kill('SIGTERM');
    await Promise.race([this.exited, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    if (!this.running) return;
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private async ready(): Promise<void> {
    const until = Date.now() + READY_WITHIN_MS;
    while (!(await this.answers())) {
      if (!this.running) throw new Error(`The server did not start. ${await this.lastWords()}`);
      if (Date.now() > until) throw new Error(`The server was not ready in time. ${await this.lastWords()}`);
      await sleep(100, undefined, { signal: this.options.signal });
    }
  }

  /** Whether it is our server that answers, which it is only to the token of its own data folder. */
  private async answers(): Promise<boolean> {
    const file = join(this.options.dataDir, 'secrets.json');
    const secrets = await readFile(file, 'utf8').catch(() => undefined);
    if (secrets === undefined) return false;
    try {
      const { adminToken, devCrawlerSecret } = JSON.parse(secrets) as { adminToken: string; devCrawlerSecret?: string };
      this.adminToken = adminToken;
      this.crawlerSecret = devCrawlerSecret ?? '';
      const response = await fetch(`${this.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: '{"query":"{ brands(first: 1) { nodes { id } } }"}',
        signal: this.options.signal,
      });
      return ((await response.json()) as { data?: unknown }).data != null;
    } catch {
      return false;
    }
  }

  private async lastWords(): Promise<string> {
    const log = (await readFile(this.logFile)).subarray(this.logStart).toString('utf8').trimEnd();
    return `Its log is ${this.logFile} and ends with:\n${log.split('\n').slice(-LOG_LINES_SHOWN).join('\n')}`;
  }
}

/** Empties a data folder that is made anew each time. @throws Error when a server runs on it */
export async function emptyDataDir(dataDir: string): Promise<void> {
  const owner = await liveOwner(dataDir);
  if (owner !== undefined) {
    throw new Error(
      `Another demo runs on ${dataDir}: its server is process ${owner}. Stop it first, with Ctrl-C where it was started ` +
        `or, if that is gone, with: kill ${owner}`,
    );
  }
  if (existsSync(join(dataDir, 'owner.json'))) {
    // A server that was killed may have left its PostgreSQL running; starting and stopping it is the way to end that.
    await startEmbeddedPostgres(dataDir).then(
      (server) => server.stop(),
      () => undefined,
    );
  }
  await rm(dataDir, { recursive: true, force: true });
}

/** @param wanted the port that somebody chose; without it the usual one, or a free one when that is taken */
export async function portFor(wanted: string | undefined): Promise<number> {
  const chosen = Number(wanted?.trim() ?? '');
  if (Number.isInteger(chosen) && chosen > 0 && chosen < 65_536) return chosen;
  return (await freePort(USUAL_PORT)) ?? (await freePort(0)) ?? USUAL_PORT;
}

async function freePort(port: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' ? address?.port : undefined;
  } catch {
    return undefined;
  } finally {
    probe.close();
  }
}

function environmentOf({ dataDir, port, pictureHost, settings }: StackOptions): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => SURROUNDINGS.test(name))),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    MEDIA_ALLOWED_PRIVATE_HOSTS: pictureHost,
    ...settings,
  };
}

function built(file: string): string {
  return join(PROJECT, 'dist', 'src', file);
}

function logFileOf(dataDir: string): string {
  return join(dataDir, 'server.log');
}
