// Installs and builds when that is needed, then runs one of the project's commands. Needs Node and npm, nothing else:
// it is what a bare clone runs first, so it imports no package.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);
const node = process.execPath;
const jest = [node, '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

/** What each command runs once the project is installed and built. */
const COMMANDS = {
  start: [[node, '--enable-source-maps', 'dist/src/main.js']],
  demo: [[node, '--enable-source-maps', 'dist/examples/demo/demo.js']],
  test: [jest],
  check: [
    [node, 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    [node, 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
    [node, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  ],
};

const wanted = /^v(\d+)\.(\d+)/.exec(process.version) ?? [];
if (Number(wanted[1]) < 20 || (Number(wanted[1]) === 20 && Number(wanted[2]) < 19)) {
  fail(`Node ${process.version} is too old: version 20.19 or later is needed.`);
}
if (command === undefined) fail('Say what to run: start, demo, test, check, or one of the commands in package.json.');

install();
build();
const steps = COMMANDS[command] ?? [[node, '--enable-source-maps', 'dist/src/commands.js', command]];
for (const step of steps.slice(0, -1)) run(step);
hand(steps.at(-1), args);

function install() {
  const stamp = join(root, 'node_modules', '.installed-from');
  const lock = fingerprint([join(root, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  tell('Installing packages (only when the lock file changed) …');
  const npm = process.env.npm_execpath;
  const how = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // Development packages are needed to build, whatever NODE_ENV says.
  const client = npm && /\.c?js$/.test(npm) ? [node, npm] : ['npm'];
  run([...client, ...how, '--include=dev']);
  writeFileSync(stamp, lock);
}

function build() {
  const stamp = join(root, 'dist', '.built-from');
  const sources = ['src', 'migrations', 'examples/demo'].flatMap((folder) => filesOf(join(root, folder)));
  const state = fingerprint([...sources, ...['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) => join(root, name))]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  tell('Building (only when sources changed) …');
  run([node, 'node_modules/@nestjs/cli/bin/nest.js', 'build']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** Names, sizes and contents: times would lie after a checkout. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files.filter(existsSync).sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}

/** Runs a step to its end. stdout belongs to the command itself, so what a step says goes to stderr. */
function run([program, ...given]) {
  const result = spawnSync(program, given, { cwd: root, stdio: ['inherit', 2, 'inherit'] });
  if (result.error) fail(`${program} could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Hands over to the command: its output, its exit code, and the signals that are meant for it. */
function hand([program, ...given], more) {
  const child = spawn(program, [...given, ...more], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches the child from the terminal itself; here it only must not end us before the child.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${program} could not be started: ${error.message}`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function tell(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  tell(message);
  process.exit(1);
}
