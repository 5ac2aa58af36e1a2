import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.js';

interface Owner {
  pid: number;
  /** When that process began, in whatever words the system has; tells a process from a later one with the same pid. */
  started: string;
}

const FILE = 'owner.json';

/**
 * Claims a data folder for this process, and makes it if need be. A claim whose process is gone is taken over.
 * @throws AppError `data-dir-in-use` naming the live owner, `data-dir-unwritable`
 */
export async function claimOwnership(dataDir: string): Promise<void> {
  const file = join(dataDir, FILE);
  const mine = `${file}.${process.pid}`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner));
    // Linked and not written: whoever sees a claim sees whose it is.
    while (!(await linked(mine, file))) {
      const pid = await liveOwner(dataDir);
      if (pid !== undefined) throw inUse(dataDir, pid);
      await rm(file, { force: true });
    }
  } catch (error) {
    throw isForbidden(error) ? unwritable(dataDir, error) : error;
  } finally {
    await rm(mine, { force: true }).catch(() => undefined);
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function inUse(dataDir: string, pid: number): AppError {
  return new AppError(
    'data-dir-in-use',
    `The data in ${dataDir} is in use by process ${pid}, which is running. Stop it first, or set DATA_DIR to another folder.`,
    { status: 500 },
  );
}

function unwritable(dataDir: string, cause: unknown): AppError {
  return new AppError(
    'data-dir-unwritable',
    `${dataDir} cannot be written by this user. Start as its owner, or set DATA_DIR to a folder of yours.`,
    { status: 500, cause },
  );
}

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(String((error as { code?: unknown } | null)?.code));
}

export async function releaseOwnership(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true });
}

/** Pid of the running process that claimed the folder, if there is one. */
export async function liveOwner(dataDir: string): Promise<number | undefined> {
  const owner = await readOwner(join(dataDir, FILE));
  return owner !== undefined && owner.started !== '' && startOf(owner.pid) === owner.started ? owner.pid : undefined;
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as Owner;
    return Number.isInteger(owner.pid) && typeof owner.started === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** When a process began; empty when there is none. */
function startOf(pid: number): string {
  try {
    // Field 22 of stat, counted after the command name, which may hold spaces and parentheses itself.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Dead, and only not yet waited for by its parent: in a container whose first process waits for nobody, for ever.
    if (fields[0] === 'Z' || fields[0] === 'X') return '';
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return ps(pid, 'lstart=');
  }
}

/** The command line of a process; empty when there is none. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ps(pid, 'args=');
  }
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
