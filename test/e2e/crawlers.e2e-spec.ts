import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { runCrawlersCommand } from '../../src/ingest/crawlers.command.js';
import { CrawlersService, type CrawlerView } from '../../src/ingest/crawlers.service.js';
import { ForgetWorker } from '../../src/ingest/forget.worker.js';
import { TallyWorker } from '../../src/ingest/tally.worker.js';
import type { TestApp } from '../harness/app.js';
import { Flag } from '../harness/flag.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { type Answer, codeOf, signedPost } from '../harness/signed-post.js';
import { TestClock } from '../harness/test-clock.js';

const RATE = 10;
const BURST = 100;
const HOUR = 3_600;

const clock = new TestClock();
let intake: TestApp;
/** Another process on the same database. */
let other: TestApp;

beforeAll(async () => {
  const env = {
    INTAKE_RATE_PER_SECOND: String(RATE),
    INTAKE_RATE_BURST: String(BURST),
    INTAKE_MAX_401_PER_MINUTE: '1000',
  };
  intake = await startIntakeApp({ clock, env });
  other = await startIntakeApp({ clock, env, db: intake.db });
});

afterAll(async () => {
  await other.close();
  await intake.close();
});

const crawlers = (): CrawlersService => intake.app.get(CrawlersService, { strict: false });
const flush = (): Promise<unknown> => intake.app.get(TallyWorker, { strict: false }).runOnce();

const post = (crawler: string, secret: string, { at = intake, body = show(), id = '' } = {}): Promise<Answer> =>
  signedPost(`${at.url}/ingest`, body, { crawler, secret, timestamp: clock.timestamp(), ...(id === '' ? {} : { id }) });

/** Runs the command as its terminal would. */
async function run(...args: string[]): Promise<{ code: number; printed: string[]; remarked: string }> {
  const printed: string[] = [];
  const remarks: string[] = [];
  const out = { print: (line: string) => void printed.push(line), remark: (line: string) => void remarks.push(line) };
  const code = await runCrawlersCommand(args, crawlers(), out);
  return { code, printed, remarked: remarks.join('\n') };
}

async function listed(name: string): Promise<CrawlerView> {
  const found = (await crawlers().list()).find((crawler) => crawler.name === name);
  if (found === undefined) throw new Error(`${name} is not listed`);
  return found;
}

describe('the command', () => {
  it('makes a crawler and shows its secret once, to stdout alone', async () => {
    const { code, printed, remarked } = await run('create', 'fresh');
    expect(code).toBe(0);
    expect(printed).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    const [secret = ''] = printed;
    expect(remarked).toMatch(/not shown again/);
    expect(remarked).not.toContain(secret);
    expect((await post('fresh', secret)).status).toBe(202);
    expect((await post('fresh', secret, { at: other })).status).toBe(202);
    const list = [...(await run('list')).printed, ...(await run('list', '--json')).printed].join('\n');
    expect(list).toContain('fresh');
    expect(list).not.toMatch(/whsec_|sealed|fingerprint/);
  });

  it('keeps nothing of a secret that could be read', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'sealed');
    const rows = JSON.stringify(await intake.db.query('SELECT sealed::text, fingerprint::text FROM crawler_secrets'));
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(rows).not.toContain(bytes.toString('hex'));
    expect(rows).not.toContain(secret);
  });

  it('gives a crawler a second secret, and lets the first go on for a day or as long as it is told', async () => {
    const { secret: first } = await crawlers().create(COMMAND_LINE, 'turning');
    const { printed, remarked } = await run('rotate', 'turning');
    const [second = ''] = printed;
    expect(remarked).toMatch(/24 h/);
    expect(second).not.toBe(first);
    expect((await post('turning', first)).status).toBe(202);
    expect((await post('turning', second)).status).toBe(202);
    const [old, fresh] = (await listed('turning')).secrets;
    expect(old?.validUntil).toBeGreaterThanOrEqual(clock.seconds() + 24 * HOUR - 5);
    expect(old?.validUntil).toBeLessThanOrEqual(clock.seconds() + 24 * HOUR + 5);
    expect(fresh).toMatchObject({ live: true, validUntil: 0 });

    await run('rotate', 'turning', '--overlap', '0');
    expect(codeOf(await post('turning', first))).toBe('401 signature-mismatch');
    expect(codeOf(await post('turning', second))).toBe('401 signature-mismatch');
  });

  it('allows three live secrets, and asks for one to be revoked before there are more', async () => {
    await crawlers().create(COMMAND_LINE, 'many');
    await crawlers().rotate(COMMAND_LINE, 'many');
    await crawlers().rotate(COMMAND_LINE, 'many');
    const { code, printed, remarked } = await run('rotate', 'many');
    expect([code, printed]).toEqual([1, []]);
    expect(remarked).toMatch(/3 live secrets.*Revoke one/);
    expect((await listed('many')).secrets.filter(({ live }) => live)).toHaveLength(3);
    expect((await run('revoke', 'many', '--old')).code).toBe(0);
    expect((await run('rotate', 'many')).code).toBe(0);
  });

  it('never has more than three, even when many rotate at once', async () => {
    await crawlers().create(COMMAND_LINE, 'race');
    const rotated = await Promise.allSettled(Array.from({ length: 8 }, () => crawlers().rotate(COMMAND_LINE, 'race')));
    expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await listed('race')).secrets.filter(({ live }) => live)).toHaveLength(3);
  });

  it('revokes one secret, the old ones, or all: here at once, elsewhere within 5 seconds', async () => {
    const { id, secret: first } = await crawlers().create(COMMAND_LINE, 'gone');
    const { secret: second } = await crawlers().rotate(COMMAND_LINE, 'gone');
    const { secret: third } = await crawlers().rotate(COMMAND_LINE, 'gone');
    expect((await post('gone', first, { at: other })).status).toBe(202);

    expect((await run('revoke', 'gone', '--secret', id)).printed).toEqual([expect.stringContaining(id)]);
    expect(codeOf(await post('gone', first))).toBe('401 signature-mismatch');
    clock.forward(5);
    expect(codeOf(await post('gone', first, { at: other }))).toBe('401 signature-mismatch');

    await run('revoke', 'gone', '--old');
    expect(codeOf(await post('gone', second))).toBe('401 signature-mismatch');
    expect((await post('gone', third)).status).toBe(202);

    await run('revoke', 'gone');
    expect(codeOf(await post('gone', third))).toBe('401 signature-mismatch');
    clock.forward(5);
    expect(codeOf(await post('gone', third, { at: other }))).toBe('401 signature-mismatch');
    expect((await run('revoke', 'gone', '--secret', id)).remarked).toMatch(/no live secret/);
  });

  it('switches a crawler off and on', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'switched');
    await run('switch-off', 'switched');
    expect(codeOf(await post('switched', secret))).toBe('403 crawler-switched-off');
    expect((await run('list')).printed).toContain('switched  (switched off)');
    await run('switch-on', 'switched');
    expect((await post('switched', secret)).status).toBe(202);
  });

  it.each([
    [[], 2, /Usage/],
    [['delete', 'x'], 2, /Usage/],
    [['constructor', 'x'], 2, /Usage/],
    [['create'], 2, /name of one crawler/],
    [['create', 'a', 'b'], 2, /name of one crawler/],
    [['create', 'dev'], 1, /already/],
    [['create', 'no spaces'], 1, /A-Z/],
    [['rotate', 'nobody'], 1, /no crawler "nobody"/],
    [['rotate', 'dev', '--overlap', 'long'], 2, /hours/],
    [['rotate', 'dev', '--overlap', '-1'], 2, /overlap/],
    [['revoke', 'dev', '--secret', '1', '--old'], 2, /take one/],
    [['revoke', 'nobody'], 1, /no crawler/],
    [['switch-off', 'nobody'], 1, /no crawler/],
    [['list', '--yaml'], 2, /Usage/],
  ])('with %j says what is wrong, and exits with %i', async (args, code, words) => {
    const answer = await run(...args);
    expect(answer).toMatchObject({ code, printed: [], remarked: expect.stringMatching(words) });
  });
});

describe('a secret that is changed', () => {
  it('while its crawler posts all the time loses no message; after its revocation the next is refused', async () => {
    const { secret: first } = await crawlers().create(COMMAND_LINE, 'steady');
    let secret = first;
    let stopped = false;
    const before = new Flag();
    const after = new Flag();
    const codes: string[] = [];
    // Fifty a second, by turns to both processes: a new secret must be known to the one that did not make it.
    const posting = (async () => {
      const under: Promise<void>[] = [];
      for (let n = 0; !stopped; n++) {
        under.push(
          post('steady', secret, { at: n % 2 ? other : intake }).then((answer) => void codes.push(codeOf(answer))),
        );
        if (n === 60) before.raise();
        if (n === 160) after.raise();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await Promise.all(under);
    })();
    await before.raised;
    secret = (await crawlers().rotate(COMMAND_LINE, 'steady')).secret;
    await after.raised;
    expect((await post('steady', first)).status).toBe(202);
    await crawlers().revoke(COMMAND_LINE, 'steady', 'old');
    expect(codeOf(await post('steady', first))).toBe('401 signature-mismatch');
    stopped = true;
    await posting;
    expect(codes.length).toBeGreaterThan(160);
    expect(new Set(codes)).toEqual(new Set(['202']));
    expect((await post('steady', secret)).status).toBe(202);
    await crawlers().revoke(COMMAND_LINE, 'steady', 'all');
    expect(codeOf(await post('steady', secret))).toBe('401 signature-mismatch');
  });
});

describe('a crawler’s rate', () => {
  it('is a burst and then so many a second; what is beyond is answered 429 with Retry-After, and the others go on', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'hasty');
    const { secret: calm } = await crawlers().create(COMMAND_LINE, 'calm');
    const answers = await Promise.all(Array.from({ length: 3 * BURST }, () => post('hasty', secret)));
    const beyond = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(BURST);
    expect(beyond.length).toBeGreaterThan(0);
    expect(new Set(beyond.map(codeOf))).toEqual(new Set(['429 rate-limited']));
    expect(new Set(beyond.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect((await post('calm', calm)).status).toBe(202);
    clock.forward(1);
    expect((await post('hasty', secret)).status).toBe(202);
  });

  it('is not spent by whoever cannot sign, and is spent by questions too', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'asking');
    const wrong = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    await Promise.all(Array.from({ length: 2 * BURST }, () => post('asking', wrong)));
    expect((await post('asking', secret)).status).toBe(202);
    const ask = (): Promise<Answer> =>
      signedPost(
        `${intake.url}/ingest/brands`,
        { type: 'brand.list', timestamp: '2026-11-30T08:00:00Z', data: { first: 1 } },
        { crawler: 'asking', secret, timestamp: clock.timestamp() },
      );
    const answers = await Promise.all(Array.from({ length: 4 * BURST }, ask));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['200', '429 rate-limited']));
  });
});

describe('what the door did', () => {
  beforeEach(async () => {
    await flush();
    await intake.db.query('TRUNCATE ingest_counts');
  });

  const counted = (): Promise<Record<string, unknown>[]> =>
    intake.db.query(
      `SELECT c.name AS crawler, n.status, n.answer, n.count, n.hour FROM ingest_counts n LEFT JOIN crawlers c ON c.id = n.crawler_id
       ORDER BY c.name NULLS FIRST, n.hour, n.status, n.answer`,
    );

  it('is counted by the hour, the crawler and the answer', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'counted');
    const hour = String(Math.floor(clock.seconds() / HOUR) * HOUR);
    for (let n = 0; n < 3; n++) await post('counted', secret);
    for (let n = 0; n < 3; n++) await post('counted', secret, { id: 'msg_counted_thrice' });
    await post('counted', secret, { body: show({ brand: 'Nobody & Sons' }) });
    await post('counted', `whsec_${Buffer.alloc(32, 1).toString('base64')}`);
    await crawlers().setEnabled(COMMAND_LINE, 'counted', false);
    await post('counted', secret);
    await crawlers().setEnabled(COMMAND_LINE, 'counted', true);
    await flush();
    await post('counted', secret);
    await flush();
    expect(await counted()).toEqual([
      { crawler: null, status: 401, answer: 'signature-mismatch', count: '1', hour },
      { crawler: 'counted', status: 202, answer: 'accepted', count: '5', hour },
      { crawler: 'counted', status: 202, answer: 'duplicate', count: '2', hour },
      { crawler: 'counted', status: 403, answer: 'crawler-switched-off', count: '1', hour },
      { crawler: 'counted', status: 422, answer: 'brand-unknown', count: '1', hour },
    ]);
  });

  it('is kept while it cannot be written, and written once', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'patient');
    await post('patient', secret);
    await intake.db.query('ALTER TABLE ingest_counts RENAME TO ingest_counts_away');
    await expect(flush()).rejects.toThrow(/ingest_counts/);
    await post('patient', secret);
    await intake.db.query('ALTER TABLE ingest_counts_away RENAME TO ingest_counts');
    expect(await flush()).toEqual({ answers: 2, secrets: 1 });
    expect(await flush()).toEqual({ answers: 0, secrets: 0 });
    expect(await counted()).toMatchObject([{ crawler: 'patient', answer: 'accepted', count: '2' }]);
  });

  it('is written when the process stops', async () => {
    const third = await startIntakeApp({ clock, db: intake.db });
    const { secret } = await crawlers().create(COMMAND_LINE, 'last');
    await post('last', secret, { at: third });
    await third.close();
    expect(await counted()).toMatchObject([{ crawler: 'last', answer: 'accepted', count: '1' }]);
  });

  it('tells when each secret was last used, and is never set back', async () => {
    const { secret } = await crawlers().create(COMMAND_LINE, 'used');
    const { secret: second } = await crawlers().rotate(COMMAND_LINE, 'used');
    await post('used', secret);
    await flush();
    const [first, fresh] = (await listed('used')).secrets;
    expect(Math.abs((first?.lastUsedAt ?? 0) - clock.seconds())).toBeLessThan(10);
    expect(fresh?.lastUsedAt).toBe(0);
    await intake.db.query('UPDATE crawler_secrets SET last_used_at = 9999999999 WHERE id = $1', [fresh?.id]);
    await post('used', second);
    await flush();
    expect((await listed('used')).secrets[1]?.lastUsedAt).toBe(9_999_999_999);
  });
});

describe('messages', () => {
  it('are remembered for 30 days and forgotten after, batch by batch', async () => {
    const DAY = 86_400;
    const now = Math.floor(Date.now() / 1000);
    await intake.db.query(
      `INSERT INTO ingest_messages (crawler_id, message_id, body_sha256, job_id, received_at, subject)
       SELECT 1, 'msg_old_' || n, decode(repeat('00', 32), 'hex'), n, $1::bigint - n, '' FROM generate_series(1, 2500) n`,
      [now - 30 * DAY - 1],
    );
    await intake.db.query(
      `INSERT INTO ingest_messages (crawler_id, message_id, body_sha256, job_id, received_at, subject)
       VALUES (1, 'msg_of_29_days', decode(repeat('00', 32), 'hex'), 1, $1, '')`,
      [now - 29 * DAY],
    );
    const [before] = await intake.db.query<{ count: string }>(`SELECT count(*) FROM ingest_messages`);
    const { forgotten } = await intake.app.get(ForgetWorker, { strict: false }).runOnce();
    const [after] = await intake.db.query<{ count: string }>(`SELECT count(*) FROM ingest_messages`);
    expect(forgotten).toBe(2_500);
    expect(Number(before?.count) - Number(after?.count)).toBe(2_500);
    expect(await intake.db.query(`SELECT 1 FROM ingest_messages WHERE message_id = 'msg_of_29_days'`)).toHaveLength(1);
  });
});
