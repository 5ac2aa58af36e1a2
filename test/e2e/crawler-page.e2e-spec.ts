import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../harness/app.js';
import { drainJobs } from '../harness/jobs-app.js';
import { bareEnvironment, missing } from '../harness/run-program.js';
import { StartedProcess } from '../harness/started-process.js';
import { ADMIN_TOKEN } from '../harness/test-config.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/crawler.md'), 'utf8');

/** Where the page says that the archive and the pictures are. */
const ARCHIVE = 'http://127.0.0.1:8092';
const PICTURES = 'http://127.0.0.1:8093';

interface Block {
  kind: 'run' | 'output';
  text: string;
}

/** Fenced blocks marked "sh run", and those marked "text output", which say what the one before printed. */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(sh run|text output)\n([^]*?)^```$/gm)].map(([, mark, text = '']) => ({
    kind: mark === 'sh run' ? 'run' : 'output',
    text,
  }));
}

/** Every object in the JSON lines of an output, however deep. */
function objectsIn(output: string): object[] {
  const found: object[] = [];
  for (const line of output.split('\n').filter((text) => text.startsWith('{'))) {
    JSON.parse(line, (_, value: unknown) => {
      if (typeof value === 'object' && value !== null) found.push(value);
      return value;
    });
  }
  return found;
}

const lacking = missing(['curl --version', 'openssl version', 'awk 1 /dev/null', 'od -An /dev/null']);
const where = lacking.length === 0 ? '' : `, without ${lacking.join(' and ')} on this machine`;

(lacking.length === 0 ? describe : describe.skip)(`the crawler's page${where}`, () => {
  let archive: TestApp;
  let pictures: StartedProcess;
  let shell: StartedProcess;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runway-page-'));
    // Port 0: a free one, whoever else has the page's.
    pictures = new StartedProcess(spawn(process.execPath, ['examples/crawlers/pictures.mjs', '0'], { cwd: ROOT }));
    const [, host = ''] = await pictures.says(/MEDIA_ALLOWED_PRIVATE_HOSTS=(\S+)/);
    const env = { DATA_DIR: join(folder, '.data'), MEDIA_ALLOWED_PRIVATE_HOSTS: host };
    archive = await startTestApp({ env });
    await layOut(folder, (text) => text.replaceAll(ARCHIVE, archive.url).replaceAll(PICTURES, `http://${host}`));
    shell = startShell(folder, archive);
  });

  afterAll(async () => {
    for (const started of [shell, pictures]) {
      started.kill('SIGKILL');
      await started.ended();
    }
    await archive.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to a show in the archive, command by command, and each prints what the page says', async () => {
    const blocks = blocksOf(PAGE);
    expect(blocks.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(5);
    let output = '';
    let number = 0;
    for (const { kind, text } of blocks) {
      if (kind === 'run') {
        output = await run(`${++number}.sh`);
        // By the time that a person has read what was printed.
        await drainJobs(archive.app);
        continue;
      }
      for (const line of text.trim().split('\n')) {
        if (line.startsWith('{')) {
          expect(objectsIn(output)).toContainEqual(expect.objectContaining(JSON.parse(line) as object));
        } else {
          expect(output.split('\n')).toContain(line);
        }
      }
    }
    const galleries = await archive.db.query('SELECT kind, picture_count, missing_count FROM galleries ORDER BY kind');
    expect(galleries).toEqual([
      { kind: 'runway', picture_count: 2, missing_count: 0 },
      { kind: 'runway', picture_count: 2, missing_count: 0 },
      { kind: 'street', picture_count: 1, missing_count: 0 },
    ]);
  });

  /** Runs a block in the shell that the ones before ran in. @returns what it printed */
  async function run(script: string): Promise<string> {
    const before = shell.output.length;
    shell.tell(`${script}\n`);
    await shell.says(new RegExp(`^${script} is through$`, 'm'));
    return shell.output.slice(before);
  }
});

/** The project as the page's reader has it in front of them: its examples, its secrets, and npm. */
async function layOut(folder: string, change: (text: string) => string): Promise<void> {
  await cp(join(ROOT, 'examples/crawlers'), join(folder, 'examples/crawlers'), { recursive: true });
  const shows = join(folder, 'examples/crawlers/shows.jsonl');
  await writeFile(shows, change(await readFile(shows, 'utf8')));
  await mkdir(join(folder, '.data'), { recursive: true });
  await writeFile(join(folder, '.data/secrets.json'), JSON.stringify({ adminToken: ADMIN_TOKEN }));
  const runs = blocksOf(PAGE).filter(({ kind }) => kind === 'run');
  for (const [index, { text }] of runs.entries()) await writeFile(join(folder, `${index + 1}.sh`), change(text));

  // npm itself would look whether the project has to be built anew, while the tests run on it.
  const npm = `#!/bin/sh
shift; [ "$1" != --silent ] || shift; command=$1; shift; [ "$1" != -- ] || shift
exec '${process.execPath}' '${join(ROOT, 'dist/src/commands.js')}' "$command" "$@"
`;
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npm'), npm);
  await chmod(join(folder, 'bin/npm'), 0o755);
}

/** A shell that reads names of scripts and runs each in itself, with the settings that reach the test's archive. */
function startShell(folder: string, archive: TestApp): StartedProcess {
  const loop = 'while read -r script; do . "./$script" </dev/null; printf "\\n%s is through\\n" "$script"; done';
  const child = spawn('sh', ['-euc', loop], {
    cwd: folder,
    env: {
      ...bareEnvironment(),
      PATH: `${join(folder, 'bin')}:${bareEnvironment()['PATH']}`,
      DATABASE_URL: archive.db.url,
      BRAND_HASHID_SALT: 'a salt for tests',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      ADMIN_TOKEN,
      INGEST_URL: `${archive.url}/ingest`,
    },
  });
  return new StartedProcess(child);
}
