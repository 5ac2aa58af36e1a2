import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimOwnership, liveOwner, releaseOwnership } from './data-dir-owner.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'runway-owner-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the owner of a data folder', () => {
  it('is the process that claimed it, until it lets go', async () => {
    expect(await liveOwner(dataDir)).toBeUndefined();
    await claimOwnership(dataDir);
    expect(await liveOwner(dataDir)).toBe(process.pid);
    await expect(claimOwnership(dataDir)).rejects.toMatchObject({ code: 'data-dir-in-use' });
    await releaseOwnership(dataDir);
    expect(await liveOwner(dataDir)).toBeUndefined();
  });

  it('is not a later process with the same number', async () => {
    await writeFile(join(dataDir, 'owner.json'), JSON.stringify({ pid: process.pid, started: 'another boot/1' }));
    expect(await liveOwner(dataDir)).toBeUndefined();
    await claimOwnership(dataDir);
    expect(await liveOwner(dataDir)).toBe(process.pid);
  });

  (existsSync('/proc/self/stat') ? it : it.skip)(
    'is not a dead process that its parent has not waited for',
    async () => {
      // The shell becomes a program that waits for no child.
      const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [said] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(said.toString());
        const fields = async (): Promise<string[]> =>
          (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
        const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
        const started = `${boot}/${(await fields())[19]}`;
        await writeFile(join(dataDir, 'owner.json'), JSON.stringify({ pid, started }));
        expect(await liveOwner(dataDir)).toBe(pid);
        process.kill(pid, 'SIGKILL');
        while ((await fields())[0] !== 'Z') await sleep(5);
        expect(await liveOwner(dataDir)).toBeUndefined();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
