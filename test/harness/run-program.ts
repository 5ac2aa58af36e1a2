import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What is on its stdin. */
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs a program to its end, with the settings given and none of the test's own but where programs are. */
export async function runProgram(command: readonly string[], { input, env, cwd }: RunOptions = {}): Promise<Ran> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...bareEnvironment(), ...env } });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It may end before it has read all.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
}

/** Those of these programs that this machine does not have. @param calls each as it is called to do nothing: `curl --version` */
export function missing(calls: readonly string[]): string[] {
  return calls
    .filter((call) => {
      const [program = '', ...args] = call.split(' ');
      return spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status !== 0;
    })
    .map((call) => call.split(' ')[0] ?? '');
}
