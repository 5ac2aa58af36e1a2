import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.js';

interface Owner {
  pid: number;
  /** When that process began, in whatever words the system has; tells a process from a later one with the same pid. */
  started: string;
}

const FILE = 'owner.json';

/**
 * Claims a data folder for this process. A claim whose process is gone is taken over.
 * @throws AppError `data-dir-in-use` naming the live owner
 */
export async function claimOwnership(dataDir: string): Promise<void> {
  const file = join(dataDir, FILE);
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o644);
      await handle.writeFile(JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner));
      await handle.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const pid = await liveOwner(dataDir);
    if (pid !== undefined) {
      throw new AppError(
        'data-dir-in-use',
        `The data in ${dataDir} is in use by process ${pid}, which is running. Stop it first, or set DATA_DIR to another folder.`,
        { status: 500 },
      );
    }
    await rm(file, { force: true });
  }
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
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
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
