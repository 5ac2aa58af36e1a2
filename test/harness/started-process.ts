import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SERVER_ARGS = JSON.parse(readFileSync(join(ROOT, 'scripts', 'server-args.json'), 'utf8')) as string[];

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process of the built project, told apart from the test's own by what it says and how it ends. */
export class StartedProcess {
  private said = '';
  private waiting: (() => void)[] = [];
  private end: Ended | undefined;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.said += text;
        this.changed();
      });
    }
    child.once('close', (code, signal) => {
      this.end = { code, signal };
      this.changed();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return this.said;
  }

  /** Writes to its stdin, if it has one. */
  tell(text: string): void {
    this.child.stdin?.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits until it has said so. @throws Error with all that it said when it ends before */
  async says(words: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = words.exec(this.said);
      if (found !== null) return found;
      if (this.end !== undefined) throw new Error(`It ended before it said ${String(words)}:\n${this.said}`);
      await this.change();
    }
  }

  /** Waits for its end; `output` is whole then. */
  async ended(): Promise<Ended> {
    while (this.end === undefined) await this.change();
    return this.end;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private changed(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/**
 * Starts `dist/src/main.js`, which `npm test` has built, as `npm start` does, with these settings and none of the test's own.
 * @param nodeArgs for Node itself, beside those of `npm start`
 */
export function startMain(env: Record<string, string>, nodeArgs: readonly string[] = []): StartedProcess {
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_FORMAT: 'text', ...env };
  const child = spawn(process.execPath, [...SERVER_ARGS, ...nodeArgs, 'dist/src/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new StartedProcess(child);
}
