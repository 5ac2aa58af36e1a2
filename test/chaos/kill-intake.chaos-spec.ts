import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { insertBrand, type IntakeProcess, startIntakeProcess } from '../harness/intake-process.js';
import { type Answer, codeOf, signedPost } from '../harness/signed-post.js';

const MESSAGES = 2_000;
const KILLS = 12;
const LANES = 24;

let db: TestDatabase;
let current: Promise<IntakeProcess>;

beforeAll(async () => {
  db = await createTestDatabase();
  await insertBrand(db);
  current = startIntakeProcess(db);
  await current;
});

afterAll(async () => {
  const { process } = await current;
  process.kill('SIGKILL');
  await process.ended();
  await db.drop();
});

const idOf = (n: number): string => `msg_kill_${String(n).padStart(6, '0')}`;

const post = async (n: number): Promise<Answer> => {
  const { url } = await current;
  const data = { brand: 'Maison Éclair', season: 'Fall 2026', images: ['https://p.example/1.jpg'], extra: { n } };
  const body = { type: 'runway.show', timestamp: '2026-11-30T08:00:00Z', data };
  return signedPost(`${url}/ingest`, body, { id: idOf(n) });
};

/** Kills the process that there is, while it works, and starts the next; whoever posts waits for that one. */
async function killAndStart(): Promise<void> {
  const { process } = await current;
  current = (async () => {
    process.kill('SIGKILL');
    expect(await process.ended()).toEqual({ code: null, signal: 'SIGKILL' });
    return startIntakeProcess(db);
  })();
}

/** Posts until the answer is 202, with the same id each time, as the contract asks of a client. */
async function postUntilTaken(n: number): Promise<{ jobId: string; tries: number }> {
  for (let tries = 1; ; tries++) {
    const answer = await post(n).catch(() => undefined);
    if (answer?.status === 202) return { jobId: String(answer.body['job_id']), tries };
    // Nothing else may be said to a good message than "again": no answer at all, or 503.
    if (answer !== undefined) expect(codeOf(answer)).toMatch(/^503 /);
  }
}

/** All messages in turn, several at a time. */
async function inLanes(work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < MESSAGES) await work(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

describe('killing the intake (−9) while 2,000 messages are posted by a client that retries', () => {
  it('leaves exactly one job for each message id, the one that was answered, and none missing', async () => {
    // Anywhere between two answers: many messages are in every stage of their way then.
    const killAfter = Array.from({ length: KILLS }, () => Math.floor(Math.random() * (MESSAGES - LANES))).sort(
      (a, b) => a - b,
    );
    const answered = new Map<string, string>();
    let retried = 0;
    let killed = 0;
    await inLanes(async (n) => {
      const { jobId, tries } = await postUntilTaken(n);
      answered.set(idOf(n), jobId);
      if (tries > 1) retried++;
      if (killed < KILLS && answered.size > (killAfter[killed] ?? 0)) {
        killed++;
        await killAndStart();
      }
    });

    expect({ answered: answered.size, killed, retried: retried > 0 }).toEqual({
      answered: MESSAGES,
      killed: KILLS,
      retried: true,
    });
    const messages = await db.query<{ message_id: string; job_id: string }>(
      'SELECT message_id, job_id FROM ingest_messages',
    );
    expect(new Map(messages.map((row) => [row.message_id, row.job_id]))).toEqual(answered);
    expect(messages).toHaveLength(MESSAGES);

    const jobs = await db.query<{ id: string; n: string }>(
      `SELECT id, payload::jsonb #>> '{data,extra,n}' AS n FROM ingest_jobs`,
    );
    expect(jobs).toHaveLength(MESSAGES);
    expect(new Map(jobs.map(({ id, n }) => [idOf(Number(n)), id]))).toEqual(answered);

    const again = new Map<string, string>();
    await inLanes(async (n) => again.set(idOf(n), (await postUntilTaken(n)).jobId));
    expect(again).toEqual(answered);
    const [count] = await db.query<{ jobs: string }>('SELECT count(*) AS jobs FROM ingest_jobs');
    expect(Number(count?.jobs)).toBe(MESSAGES);
  }, 300_000);
});
