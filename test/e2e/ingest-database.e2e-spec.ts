import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import { type AcceptedMessage, MessageWriter } from '../../src/ingest/message-writer.js';
import { IntakeType } from '../../src/platform/intake/intake-type.js';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp, TestShows } from '../harness/intake-app.js';
import { type Answer, codeOf, signedPost } from '../harness/signed-post.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { DEV_CRAWLER_SECRET } from '../harness/test-config.js';

let proxy: TcpProxy;
let intake: TestApp;
let door: string;

beforeAll(async () => {
  intake = await startIntakeApp({
    env: { DB_LOCK_TIMEOUT_MS: '300', INTAKE_MAX_IN_FLIGHT: '1000' },
    reach: async (databaseUrl) => {
      const url = new URL(databaseUrl);
      proxy = await startTcpProxy(url.hostname, Number(url.port));
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      return url.toString();
    },
  });
  door = `${intake.url}/ingest`;
});

afterAll(async () => {
  await intake.close();
  await proxy.close();
});

const subjectsLike = (pattern: string): Promise<{ subject: string }[]> =>
  intake.db.query<{ subject: string }>('SELECT subject FROM ingest_jobs WHERE subject LIKE $1 ORDER BY subject', [
    pattern,
  ]);

describe('a crowd of messages', () => {
  it('with one that the database refuses loses that one alone', async () => {
    const titles = Array.from({ length: 200 }, (_, n) => (n === 77 ? 'unstorable' : `crowd ${n}`));
    const answers = await Promise.all(titles.map((title) => signedPost(door, show({ title }))));
    const refused = answers.filter((answer) => answer.status !== 202);
    expect(refused.map(codeOf)).toEqual(['422 schema-invalid']);
    expect(answers[77]).toBe(refused[0]);
    expect(await subjectsLike('%crowd %')).toHaveLength(199);
    expect(JSON.stringify(refused[0]?.body)).not.toMatch(/0x00|invalid byte/);
  });

  it('shares commits: 200 messages take far fewer transactions', async () => {
    const commits = async (): Promise<number> => {
      const [count] = await intake.db.query<{ made: string }>(
        `SELECT count(DISTINCT xmin::text) AS made FROM ingest_messages`,
      );
      return Number(count?.made);
    };
    const before = await commits();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => signedPost(door, show({ title: `shared ${n}` }))),
    );
    expect(answers.every((answer) => answer.status === 202)).toBe(true);
    expect((await commits()) - before).toBeLessThan(100);
  });

  it('that overlaps with another crowd’s, the other way round, in two processes, deadlocks nobody', async () => {
    const other = await startIntakeApp({ db: intake.db });
    const writers = [intake, other].map(({ app }) => app.get(MessageWriter, { strict: false }));
    const message = (messageId: string): AcceptedMessage => ({
      crawlerId: '1',
      messageId,
      bodySha256: Buffer.alloc(32),
      warnings: [],
      job: { kind: 'test', payload: '{}', brandId: '0', subject: messageId, subjectKey: '', submittedBy: 'dev' },
    });
    const [before] = await deadlocks();
    for (let round = 0; round < 60; round++) {
      const ids = Array.from({ length: 64 }, (_, n) => `overlap ${round} ${n}`);
      const orders = [ids, [...ids].reverse()];
      const written = await Promise.all(
        writers.flatMap((writer, index) => (orders[index] ?? []).map((id) => writer.write(message(id)))),
      );
      expect(written.filter(({ duplicate }) => !duplicate)).toHaveLength(64);
    }
    await other.close();
    expect(await deadlocks()).toEqual([before]);
    expect(await subjectsLike('overlap %')).toHaveLength(60 * 64);
  });
});

/** Counted by the server since it began; ours are the only ones in this database. */
const deadlocks = (): Promise<{ deadlocks: string }[]> =>
  intake.db.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');

describe('the database', () => {
  it('held by another is answered 503 in bounded time, and taken up again by itself', async () => {
    const holder = await intake.db.connect();
    await holder.query('BEGIN; LOCK TABLE ingest_jobs IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => signedPost(door, show({ title: `held ${n}` }))),
    );
    await holder.query('ROLLBACK');
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['503 intake-unavailable']));
    expect(answers.every((answer) => Number(answer.headers.get('retry-after')) > 0)).toBe(true);
    expect(await subjectsLike('%held %')).toEqual([]);
    expect((await signedPost(door, show())).status).toBe(202);
  });

  it('gone is answered 503 with Retry-After, and the message is taken when it is back', async () => {
    const id = 'msg_while_it_was_gone';
    expect((await signedPost(door, show())).status).toBe(202);
    await proxy.cut();
    const gone = await signedPost(door, show(), { id });
    const again = await signedPost(door, show(), { id });
    await proxy.restore();
    const back = await signedPost(door, show(), { id });
    expect([codeOf(gone), codeOf(again)]).toEqual(['503 intake-unavailable', '503 intake-unavailable']);
    expect(gone.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(gone.headers.get('content-type')).toBe('application/problem+json');
    expect(back).toMatchObject({ status: 202, body: { duplicate: false } });
  });

  it('that breaks off under a crowd loses and doubles nothing', async () => {
    const post = (n: number): Promise<Answer> =>
      signedPost(door, show({ title: `broken ${n}` }), { id: `msg_broken_${n}` });
    const first = Promise.all(Array.from({ length: 150 }, (_, n) => post(n)));
    await post(150);
    await proxy.cut();
    await proxy.restore();
    const answers = await first;
    expect(answers.every(({ status }) => status === 202 || status === 503)).toBe(true);
    for (let n = 0; n < 150; n++) if (answers[n]?.status !== 202) expect((await post(n)).status).toBe(202);
    expect(await subjectsLike('%broken %')).toHaveLength(151);
  });

  it('keeps secrets encrypted', async () => {
    const [row] = await intake.db.query<{ sealed: Buffer; fingerprint: Buffer }>(
      'SELECT sealed, fingerprint FROM crawler_secrets',
    );
    const key = Buffer.from(DEV_CRAWLER_SECRET.slice('whsec_'.length), 'base64');
    expect(row?.sealed.includes(key)).toBe(false);
    expect(row?.sealed).toHaveLength(1 + 12 + 16 + key.length);
    expect(row?.fingerprint).toHaveLength(32);
  });
});

describe('crawlers', () => {
  const crawlers = (): CrawlersService => intake.app.get(CrawlersService, { strict: false });

  it('have names of their own and secrets of their own', async () => {
    const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
    await crawlers().add(COMMAND_LINE, 'one', secret);
    await expect(
      crawlers().add(COMMAND_LINE, 'one', `whsec_${Buffer.alloc(24, 6).toString('base64')}`),
    ).rejects.toMatchObject({
      code: 'crawler-exists',
    });
    await expect(crawlers().add(COMMAND_LINE, 'two', secret)).rejects.toMatchObject({ code: 'secret-in-use' });
    await expect(crawlers().add(COMMAND_LINE, 'two', 'whsec_dG9vIHNob3J0')).rejects.toMatchObject({
      code: 'secret-malformed',
    });
    expect(await intake.db.query(`SELECT 1 FROM crawlers WHERE name = 'two'`)).toEqual([]);
  });

  it('made for development are made once: one that was switched off or lost its secret stays so', async () => {
    await intake.db.query(`UPDATE crawlers SET enabled = false WHERE name = 'dev'`);
    await intake.db.query(
      `DELETE FROM crawler_secrets WHERE crawler_id = (SELECT id FROM crawlers WHERE name = 'dev')`,
    );
    await crawlers().onModuleInit();
    const found = await intake.db.query(
      `SELECT enabled, (SELECT count(*)::int FROM crawler_secrets s WHERE s.crawler_id = c.id) AS secrets FROM crawlers c WHERE name = 'dev'`,
    );
    expect(found).toEqual([{ enabled: false, secrets: 0 }]);
  });
});

describe('intake types', () => {
  it('with two owners refuse the start, naming both', async () => {
    @IntakeType({ type: 'test.show', path: '/ingest', kind: 'other' })
    class Rival extends TestShows {}
    await expect(startIntakeApp({ providers: [Rival] })).rejects.toThrow(
      /(TestShows and Rival|Rival and TestShows).*test\.show/,
    );
  });

  it('whose owner lacks a method refuse the start, naming it', async () => {
    @IntakeType({ type: 'test.lame', path: '/ingest', kind: 'other' })
    class Lame {}
    await expect(startIntakeApp({ providers: [Lame] })).rejects.toThrow(/Lame.*normalise/);
  });
});
