import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { IntakeProcess } from './intake-process.js';
import { hostileBodies, showWith } from './hostile-bodies.js';
import { headerLines, postHead, RawConnection } from './raw-http.js';
import { codeOf, signedHeaders, signedPost } from './signed-post.js';

/** What came of so many requests, of which most were meant to hurt. */
export interface HostileRun {
  hostile: number;
  /** How the good ones between them were answered. */
  good: string[];
  /** Answers that no hostile request may get. */
  wrong: string[];
  /** The most memory that the process held meanwhile, MiB. */
  peak: number;
}

/** More than any process of a crawler sends at once. */
const LANES = 12;
const ONE_GOOD_IN = 10;
const QUIET_ROUNDS = 20;

/** Sends hostile requests, several at a time, with good ones between them. */
export async function sendHostile(intake: IntakeProcess, count: number): Promise<HostileRun> {
  const run: HostileRun = { hostile: 0, good: [], wrong: [], peak: memoryOf(intake.process.pid) };
  const kinds = hostileKinds(intake);
  const lane = async (): Promise<void> => {
    while (run.hostile < count) {
      const n = run.hostile++;
      const answer = await kinds[n % kinds.length]?.(n);
      if (answer !== undefined && !/^4\d\d /.test(answer)) run.wrong.push(answer);
      if (n % ONE_GOOD_IN === 0) run.good.push(codeOf(await signedPost(`${intake.url}/ingest`, showWith(String(n)))));
      if (n % 5 === 0) run.peak = Math.max(run.peak, memoryOf(intake.process.pid));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return run;
}

/** Ways to hurt, in turn. @returns how it was answered; undefined when nobody stayed for the answer */
function hostileKinds({ url, port }: IntakeProcess): ((n: number) => Promise<string | undefined>)[] {
  const bodies = hostileBodies().filter(({ answer }) => answer !== '202');
  const door = `${url}/ingest`;
  const long = 'x'.repeat(1_000_000);
  const longOfThreeBytes = '秀'.repeat(330_000);
  const post = async (...args: Parameters<typeof signedPost>): Promise<string> => codeOf(await signedPost(...args));
  const raw = async (...pieces: string[]): Promise<RawConnection> => {
    const connection = await RawConnection.to(port);
    for (const piece of pieces) connection.send(piece);
    return connection;
  };
  const headOf = (body: string, more: Record<string, string>): string =>
    postHead('/ingest', headerLines({ host: 'x', ...signedHeaders(body), ...more }));
  return [
    (n) => post(door, bodies[n % bodies.length]?.body ?? ''),
    (n) =>
      post(door, bodies[(n * 7) % bodies.length]?.body ?? '', {
        secret: `whsec_${randomBytes(32).toString('base64')}`,
      }),
    (n) => post(door, randomBytes(n % 20_000)),
    (n) => post(door, showWith('1').replace('Maison Éclair', `Nobody ${n} ${'é'.repeat(n % 100)}`)),
    () => post(door, showWith('1').replace('Fall 2026', long)),
    () => post(door, showWith('1').replace('Fall 2026', longOfThreeBytes)),
    () => post(door, long, { secret: `whsec_${randomBytes(32).toString('base64')}` }),
    () => post(door, `{"type":"${long}","timestamp":"2026-11-30T08:00:00Z","data":{}}`),
    (n) => post(`${door}/known`, `{"type":"show.known","timestamp":"2026-11-30T08:00:00Z","data":{"shows":[${n}]}}`),
    () =>
      post(door, '[1', {
        headers: {
          'webhook-signature': Array(5)
            .fill(`v1,${'A'.repeat(43)}=`)
            .join(' '),
        },
      }),
    async () => {
      const connection = await raw(headOf('x', { 'content-length': '1000' }), 'x'.repeat(500));
      connection.hangUp();
      return undefined;
    },
    async () => {
      const connection = await raw(headOf('x', { 'transfer-encoding': 'chunked' }), 'no chunk\r\n');
      const [answer] = await connection.answers(1);
      connection.hangUp();
      return answer === undefined ? undefined : `${answer.status} malformed`;
    },
    async () => {
      const connection = await raw('\0\u00ff\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'x'.repeat(30_000)}\r\n\r\n`);
      const [answer] = await connection.answers(1);
      connection.hangUp();
      return answer === undefined ? undefined : `${answer.status} malformed`;
    },
    async () => {
      const body = '{"a":1';
      const one = headOf(body, { 'content-length': String(body.length) }) + body;
      const connection = await raw(one.repeat(5));
      const answers = await connection.answers(5);
      connection.hangUp();
      return answers.every(({ status }) => status === 422) ? '422 pipelined' : '200 pipelined';
    },
  ];
}

/** What a process that {@link COLLECTS_WHEN_ASKED} holds when nothing is under way and all garbage is gone, MiB. */
export async function quietMemoryOf({ process, url }: IntakeProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < QUIET_ROUNDS; round++) {
    process.kill('SIGUSR2');
    await (await fetch(`${url}/docs`)).text();
    least = Math.min(least, memoryOf(process.pid));
  }
  return least;
}

/** Memory that a process holds, MiB. */
function memoryOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) / 1_024;
}
