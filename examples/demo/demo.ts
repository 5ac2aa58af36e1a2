import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ArchiveClient, type UpdateRecord } from './archive-client.js';
import { type DemoArgs, readDemoArgs, USAGE, UsageError } from './demo-args.js';
import { IntakeClient } from './intake-client.js';
import { type PictureOrigin, startPictureOrigin } from './picture-origin.js';
import { recordsTable, type TableStyle } from './records-table.js';
import { readPayloads } from './replay-payloads.js';
import { runReplay, summaryOf } from './replay.js';
import { BRANDS } from './sample-crawl.js';
import { complaintsOf, runSample, verdictOf } from './sample-run.js';
import { emptyDataDir, portFor, PROJECT, Stack } from './stack.js';

/** What a run came to. */
interface Shown {
  ok: boolean;
  /** What is not as it should be, a line each. */
  complaints: string[];
  /** For people. */
  lines: string[];
  /** For programs. */
  json: object;
}

/** Ends what is under way. */
class Interrupted extends Error {}

const CRAWLER = 'dev';
const NOBODYS_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** A kept archive knows its pictures by where they were: the same port each time keeps them the same pictures. */
const REPLAY_ORIGIN_PORT = 18_092;
const SAMPLE_PATIENCE_MS = 90_000;
const REPLAY_PATIENCE_MS = 15 * 60_000;
const SECONDS_OF_A_DAY = 86_400;

// What may take half a minute each in real life takes seconds here.
const HURRIED = { JOB_RETRY_BASE_SECONDS: '1', NOTES_LOCALE: 'zh-CN' };
const SHORT_TRASH = { TRASH_DAYS: String(3 / SECONDS_OF_A_DAY) };

const stop = new AbortController();
let exitOnStop = 0;

async function main(): Promise<number> {
  const args = readDemoArgs(process.argv.slice(2));
  if (args === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  listenForStop();
  const began = performance.now();
  const origin = await startPictureOrigin(args.payloads === undefined ? {} : { port: REPLAY_ORIGIN_PORT });
  if (args.payloads !== undefined && origin.port !== REPLAY_ORIGIN_PORT) {
    tell(`Port ${REPLAY_ORIGIN_PORT} is taken: the pictures have other addresses than in an earlier replay.`);
  }
  let stack: Stack | undefined;
  try {
    const file = args.payloads === undefined ? undefined : await readPayloadsFile(args.payloads);
    stack = await startStack(args, origin);
    const progress = (line: string): void => tell(`${secondsSince(began).padStart(5)} s  ${line}`);
    progress(`The server is ready on ${stack.url}`);
    const shown = await orEndedBy(
      stack,
      file === undefined ? sample(stack, origin, progress) : replay(file, stack, origin, progress),
    );
    if (args.json) process.stdout.write(`${JSON.stringify(shown.json, null, 2)}\n`);
    else process.stdout.write(['', ...shown.lines, `Took ${secondsSince(began)} s.`, ''].join('\n'));
    for (const complaint of shown.complaints) tell(complaint);
    if (!shown.ok) tell(`The server's log is ${stack.logFile}.`);
    if (!args.once) await staysUp(stack);
    return shown.ok ? 0 : 1;
  } finally {
    await stack?.stop();
    await origin.close();
  }
}

async function startStack({ payloads }: DemoArgs, origin: PictureOrigin): Promise<Stack> {
  const kept = payloads !== undefined;
  const dataDir = kept ? resolve(process.env['DATA_DIR']?.trim() || join(PROJECT, '.data', 'replay')) : freshFolder();
  if (!kept) await emptyDataDir(dataDir);
  tell(`Starting the server on ${relative(process.cwd(), dataDir) || dataDir} …`);
  return Stack.start({
    dataDir,
    port: await portFor(process.env['PORT']),
    pictureHost: origin.host,
    settings: { ...HURRIED, ...(kept ? {} : SHORT_TRASH) },
    signal: stop.signal,
  });
}

/** Never a folder of somebody's choice: it is emptied. */
function freshFolder(): string {
  return join(PROJECT, '.data', 'demo');
}

async function sample(stack: Stack, origin: PictureOrigin, progress: (line: string) => void): Promise<Shown> {
  await stack.importBrands(BRANDS);
  progress(`${BRANDS.length} brands imported; posting the sample crawl`);
  const archive = archiveOf(stack, SAMPLE_PATIENCE_MS);
  const stage = { archive, origin, intake: intakeOf(stack), impostor: intakeOf(stack, NOBODYS_SECRET) };
  const result = await runSample(stage, progress);
  const { ok, brands, streetStyle, expected, problems } = result;
  const groups = brands.map(({ brand, records }) => ({
    heading: [brand.name, brand.nameZh].filter(Boolean).join(' · '),
    records,
  }));
  return {
    ok,
    complaints: complaintsOf(result),
    json: { ok, brands, streetStyle, expected, problems },
    lines: [
      ...recordsTable([...groups, { heading: 'Street style · 街拍', records: streetStyle }], terminal()),
      verdictOf(expected),
      '',
      ...whereToLook(stack, result.publishedPicture),
    ],
  };
}

type PayloadsFile = ReturnType<typeof readPayloads>;

async function readPayloadsFile(name: string): Promise<PayloadsFile> {
  // npm runs scripts in the project's folder; a relative name is meant from where somebody typed it.
  const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), name);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const read = readPayloads(text);
  if (read.payloads.length > 0 || read.unreadable.length > 0) return read;
  throw new UsageError(`${file} holds nothing to replay.`);
}

async function replay(
  file: PayloadsFile,
  stack: Stack,
  origin: PictureOrigin,
  progress: (line: string) => void,
): Promise<Shown> {
  const archive = archiveOf(stack, REPLAY_PATIENCE_MS);
  const importBrands = (brands: readonly object[]): Promise<void> => stack.importBrands(brands);
  const result = await runReplay(file, { archive, origin, intake: intakeOf(stack), importBrands }, progress);
  const { records, ...summary } = result;
  const byBrand = new Map<string, UpdateRecord[]>();
  for (const { brand, record } of records) byBrand.set(brand, [...(byBrand.get(brand) ?? []), record]);
  // One table for all: a file has many brands with a show or two each.
  const named = records.map(({ brand, record }) => ({ ...record, subject: `${brand} · ${record.subject}` }));
  return {
    ok: result.ok,
    complaints: result.problems.map((problem) => `PROBLEM  ${problem}`),
    json: { ...summary, brands: [...byBrand].map(([brand, ofBrand]) => ({ brand, records: ofBrand })) },
    lines: [
      ...recordsTable([{ heading: 'This replay', records: named }], terminal()),
      ...summaryOf(result),
      '',
      ...whereToLook(stack, undefined),
    ],
  };
}

function whereToLook(stack: Stack, picture: string | undefined): string[] {
  const rows = [
    ['GraphQL', `${stack.url}/graphql`],
    ['as admin', `Authorization: Bearer ${stack.adminToken}`],
    ...(picture === undefined ? [] : [['a picture', picture]]),
    ['data folder', stack.dataDir],
    ['its log', stack.logFile],
  ];
  return ['Where to look', ...rows.map(([what = '', where = '']) => `  ${what.padEnd(13)}${where}`)];
}

function archiveOf(stack: Stack, patienceMs: number): ArchiveClient {
  return new ArchiveClient(stack.url, stack.adminToken, stop.signal, patienceMs);
}

function intakeOf(stack: Stack, secret = stack.crawlerSecret): IntakeClient {
  return new IntakeClient(stack.url, { name: CRAWLER, secret }, stop.signal);
}

/** Work that ends early when the server does: the server's last words then say more than the work's own error. */
async function orEndedBy<T>(stack: Stack, work: Promise<T>): Promise<T> {
  const died = stack.died().then((words): never => {
    throw new Error(words);
  });
  died.catch(() => undefined);
  try {
    return await Promise.race([work, died]);
  } catch (error) {
    // A connection breaks a moment before its process is known to have ended.
    if (!stop.signal.aborted) await sleep(200);
    if (!stop.signal.aborted && !stack.running) await died;
    throw error;
  }
}

/** Until Ctrl-C. @throws Error when the server ends before */
async function staysUp(stack: Stack): Promise<void> {
  tell('The server stays up. Ctrl-C stops it.');
  const stopped = new Promise<void>((done) => stop.signal.addEventListener('abort', () => done(), { once: true }));
  if (!stop.signal.aborted) await orEndedBy(stack, stopped);
}

function listenForStop(): void {
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      // However often it is said: the server is stopped once, in order, and waited for.
      tell(stop.signal.aborted ? 'Still stopping the server …' : 'Stopping the server …');
      exitOnStop = code;
      stop.abort(new Interrupted('Interrupted'));
    });
  }
  // Whoever reads us through a pipe may have enough before the end.
  process.stdout.on('error', () => stop.abort(new Interrupted('Nobody reads the output any more')));
}

function terminal(): TableStyle {
  const { isTTY, columns } = process.stdout;
  return { columns: isTTY ? columns : 160, colour: isTTY && !process.env['NO_COLOR'] };
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) {
    tell(error.message);
    tell('npm run demo -- --help says what there is.');
    process.exitCode = 2;
  } else if (stop.signal.aborted) {
    process.exitCode = exitOnStop || 1;
  } else {
    tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
