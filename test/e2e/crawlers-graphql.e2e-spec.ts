import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Requires } from '../../src/auth/access.decorators.js';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { CrawlersResolver } from '../../src/ingest/crawlers.resolver.js';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import { TallyWorker } from '../../src/ingest/tally.worker.js';
import type { TestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { type Answer, codeOf, signedPost } from '../harness/signed-post.js';
import { statementsOf } from '../harness/statements.js';

type Data = Record<string, unknown>;

interface Secret {
  id: string;
  live: boolean;
  validUntil: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

const HOUR = 3_600;
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;
const MADE = '{ secretId secret crawler { id name enabled secrets { id live validUntil revokedAt lastUsedAt } } }';

let app: TestApp;

beforeAll(async () => {
  app = await startIntakeApp();
});
beforeEach(async () => {
  // What the test before left in memory would be counted for a crawler of the same id.
  await app.app.get(TallyWorker, { strict: false }).runOnce();
  await app.db.query('TRUNCATE crawlers, crawler_secrets, admin_events, ingest_counts RESTART IDENTITY CASCADE');
});
afterAll(() => app.close());

async function ask<T = Data>(query: string, variables: Data = {}): Promise<T> {
  const { data, errors } = await askGraphql<{ it: T }>(app, query, variables);
  expect(errors).toEqual([]);
  if (data === null) throw new Error('There is no answer');
  return data.it;
}

async function refusalOf(query: string, token?: null): Promise<unknown> {
  const { errors } = await (token === null ? askGraphql(app, query, {}, null) : askGraphql(app, query));
  return errors[0]?.extensions['code'];
}

const create = (name: string): Promise<{ secretId: string; secret: string; crawler: { id: string } }> =>
  ask(`mutation ($name: String!) { it: createCrawler(name: $name) ${MADE} }`, { name });

const rotate = (name: string, more = ''): Promise<{ secretId: string; secret: string }> =>
  ask(`mutation { it: rotateCrawlerSecret(name: "${name}"${more}) ${MADE} }`);

const post = (crawler: string, secret: string, body = show()): Promise<Answer> =>
  signedPost(`${app.url}/ingest`, body, { crawler, secret });

const deeds = (): Promise<Data[]> =>
  app.db.query('SELECT actor, action, entity, entity_id, detail FROM admin_events ORDER BY id');

const secretsOf = async (name: string): Promise<Secret[]> => {
  const crawlers = await ask<{ name: string; secrets: Secret[] }[]>(
    '{ it: crawlers { name secrets { id live validUntil revokedAt lastUsedAt } } }',
  );
  return crawlers.find((crawler) => crawler.name === name)?.secrets ?? [];
};

const thisHour = (): number => Math.floor(Date.now() / 1000 / HOUR) * HOUR;

const count = (hour: number, crawlerId: string, status: number, answer: string, n: number): Promise<unknown> =>
  app.db.query('INSERT INTO ingest_counts VALUES ($1, $2, $3, $4, $5)', [hour, crawlerId, status, answer, n]);

describe('a crawler', () => {
  it('is made with a secret that is shown once, kept nowhere else, and lets it in', async () => {
    const written: string[] = [];
    const keep = (chunk: unknown): boolean => written.push(String(chunk)) > 0;
    const spies = [process.stdout, process.stderr].map((out) => jest.spyOn(out, 'write').mockImplementation(keep));
    const { secret, secretId, crawler } = await create('fresh');
    spies.forEach((spy) => spy.mockRestore());
    expect(secret).toMatch(SECRET);
    expect(crawler).toEqual({
      id: '1',
      name: 'fresh',
      enabled: true,
      secrets: [{ id: secretId, live: true, validUntil: null, revokedAt: null, lastUsedAt: null }],
    });
    expect((await post('fresh', secret)).status).toBe(202);

    const { text } = await askGraphql(app, '{ crawlers { id name enabled createdAt secrets { id } } }');
    expect([text, JSON.stringify(await deeds()), written.join('')].join('\n')).not.toMatch(SECRET);
    expect(await deeds()).toEqual([
      { actor: 'admin', action: 'crawler.created', entity: 'crawler', entity_id: '1', detail: 'fresh, with secret 1' },
    ]);
  });

  it('is refused under a wrong name or one that is taken, and nothing is logged of it', async () => {
    await create('twin');
    expect(await refusalOf('mutation { createCrawler(name: "twin") { secret } }')).toBe('crawler-exists');
    expect(await refusalOf('mutation { createCrawler(name: "two words") { secret } }')).toBe('crawler-name-invalid');
    expect(await deeds()).toHaveLength(1);
  });

  it('gets a new secret, and keeps the old one for as long as it is told', async () => {
    const first = await create('turning');
    const second = await rotate('turning');
    expect((await post('turning', first.secret)).status).toBe(202);
    expect((await post('turning', second.secret)).status).toBe(202);
    const [old, fresh] = await secretsOf('turning');
    const hours = (Date.parse(old?.validUntil ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect(fresh).toMatchObject({ live: true, validUntil: null });

    const third = await rotate('turning', ', overlapHours: 0');
    expect(codeOf(await post('turning', second.secret))).toBe('401 signature-mismatch');
    expect((await post('turning', third.secret)).status).toBe(202);
    expect((await deeds()).map(({ action, detail }) => [action, detail]).slice(1)).toEqual([
      ['crawler.rotated', 'turning: secret 2 was made; 1 end in 24 h or sooner'],
      ['crawler.rotated', 'turning: secret 3 was made; 1, 2 end in 0 h or sooner'],
    ]);
  });

  it('has three live secrets at most, and no overlap that is none', async () => {
    await create('many');
    await rotate('many');
    await rotate('many');
    expect(await refusalOf('mutation { rotateCrawlerSecret(name: "many") { secret } }')).toBe('too-many-secrets');
    for (const hours of [-1, 2160.1, 1e300]) {
      const query = `mutation { rotateCrawlerSecret(name: "many", overlapHours: ${hours}) { secret } }`;
      expect([hours, await refusalOf(query)]).toEqual([hours, 'overlap-invalid']);
    }
    expect(await deeds()).toHaveLength(3);
  });

  it('loses one secret, the old ones, or all, but none that nobody chose', async () => {
    const revoke = (args: string) =>
      ask<{ secrets: Secret[] }>(
        `mutation { it: revokeCrawlerSecrets(name: "gone", ${args}) { secrets { id live revokedAt } } }`,
      );
    const live = ({ secrets }: { secrets: Secret[] }) => secrets.filter((one) => one.live).map(({ id }) => id);
    const { secretId, secret } = await create('gone');
    const { secretId: second } = await rotate('gone');
    const { secretId: third, secret: last } = await rotate('gone');

    for (const args of ['', ', which: all, secretId: "1"', ', which: null', ', secretId: ""']) {
      const query = `mutation { revokeCrawlerSecrets(name: "gone"${args}) { id } }`;
      expect([args, await refusalOf(query)]).toEqual([args, 'secrets-not-chosen']);
    }
    expect(live(await revoke(`secretId: "${secretId}"`))).toEqual([second, third]);
    expect(codeOf(await post('gone', secret))).toBe('401 signature-mismatch');
    expect(live(await revoke('which: old'))).toEqual([third]);
    expect((await post('gone', last)).status).toBe(202);
    expect(live(await revoke('which: all'))).toEqual([]);
    expect(codeOf(await post('gone', last))).toBe('401 signature-mismatch');
    expect(live(await revoke('which: all'))).toEqual([]);
    expect(await refusalOf('mutation { revokeCrawlerSecrets(name: "gone", secretId: "1") { id } }')).toBe(
      'secret-unknown',
    );
    const revoked = (await deeds()).filter(({ action }) => action === 'crawler.revoked');
    expect(revoked.map(({ detail }) => detail)).toEqual(['1', '2', '3'].map((id) => `gone: secrets ${id}`));
  });

  it('is switched off and on, which is logged when it is a change', async () => {
    const { secret } = await create('switched');
    const to = (enabled: boolean) =>
      ask(`mutation { it: switchCrawler(name: "switched", enabled: ${enabled}) { enabled } }`);
    expect(await to(false)).toEqual({ enabled: false });
    expect(await to(false)).toEqual({ enabled: false });
    expect(codeOf(await post('switched', secret))).toBe('403 crawler-switched-off');
    expect(await to(true)).toEqual({ enabled: true });
    expect((await post('switched', secret)).status).toBe(202);
    expect((await deeds()).map(({ action }) => action)).toEqual([
      'crawler.created',
      'crawler.switched_off',
      'crawler.switched_on',
    ]);
  });

  it('that is not there cannot be changed', async () => {
    for (const call of [
      'rotateCrawlerSecret(name: "nobody") { secretId }',
      'revokeCrawlerSecrets(name: "nobody", which: all) { id }',
      'switchCrawler(name: "nobody", enabled: true) { id }',
    ]) {
      expect([call, await refusalOf(`mutation { ${call} }`)]).toEqual([call, 'crawler-unknown']);
    }
  });

  it('is logged as changed by whoever did it, also on the command line, or not changed at all', async () => {
    const crawlers = app.app.get(CrawlersService, { strict: false });
    await crawlers.create(COMMAND_LINE, 'by-hand');
    expect((await deeds()).map(({ actor }) => actor)).toEqual(['command line']);
    await app.db.query('ALTER TABLE admin_events ADD CONSTRAINT none CHECK (false) NOT VALID');
    try {
      const refused = await Promise.allSettled([
        crawlers.create(COMMAND_LINE, 'unlogged'),
        crawlers.rotate(COMMAND_LINE, 'by-hand'),
        crawlers.revoke(COMMAND_LINE, 'by-hand', 'all'),
        crawlers.setEnabled(COMMAND_LINE, 'by-hand', false),
      ]);
      expect(refused.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    } finally {
      await app.db.query('ALTER TABLE admin_events DROP CONSTRAINT none');
    }
    expect(await crawlers.list()).toMatchObject([{ name: 'by-hand', enabled: true, secrets: [{ live: true }] }]);
  });
});

describe('what a crawler shows', () => {
  it('is when it was seen, and how it was answered in 24 full hours and the one under way', async () => {
    const { secret } = await create('busy');
    await create('idle');
    const before = Date.now();
    expect((await post('busy', secret)).status).toBe(202);
    expect((await post('busy', secret, show({ brand: 'Nobody' }))).status).toBe(422);
    await app.app.get(TallyWorker, { strict: false }).runOnce();
    await count(thisHour() - 24 * HOUR, '1', 202, 'accepted', 10);
    await count(thisHour() - 25 * HOUR, '1', 202, 'accepted', 1_000);
    await count(thisHour() - HOUR, '1', 202, 'duplicate', 5);
    await count(thisHour() - HOUR, '1', 200, 'answered', 7);
    await count(thisHour() - HOUR, '1', 429, 'rate-limited', 3);
    await count(thisHour() - 2 * HOUR, '1', 429, 'rate-limited', 4);
    await count(thisHour() - HOUR, '0', 401, 'signature-mismatch', 9);

    const query = '{ it: crawlers { name lastSeenAt accepted24h refused24h refusals24h { answer status count } } }';
    let shown: { name: string; lastSeenAt: string | null }[] = [];
    expect(await statementsOf(app.app, async () => (shown = await ask(query)))).toBe(2);
    expect(shown).toEqual([
      {
        name: 'busy',
        lastSeenAt: expect.any(String),
        accepted24h: 11,
        refused24h: 8,
        refusals24h: [
          { answer: 'rate-limited', status: 429, count: 7 },
          { answer: 'brand-unknown', status: 422, count: 1 },
        ],
      },
      { name: 'idle', lastSeenAt: null, accepted24h: 0, refused24h: 0, refusals24h: [] },
    ]);
    expect(Date.parse(shown[0]?.lastSeenAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('is what the intake answered by the hour, of one or of all', async () => {
    await create('one');
    const at = Date.parse('2026-11-01T08:00:00Z') / 1000;
    await count(at, '1', 202, 'accepted', 2);
    await count(at, '0', 401, 'signature-mismatch', 4);
    await count(at, '9', 202, 'accepted', 3);
    await count(at + HOUR, '1', 422, 'brand-unknown', 1);
    await count(at - HOUR, '1', 202, 'accepted', 50);
    await count(at + 2 * HOUR, '1', 202, 'accepted', 50);
    const period = 'from: "2026-11-01T08:30:00Z", to: "2026-11-01T09:00:01Z"';
    const points = async (more = ''): Promise<unknown[][]> => {
      const rows = await ask<Data[]>(`{ it: crawlerAnswersPerHour(${period}${more}) { hour answer status count } }`);
      return rows.map(({ hour, answer, status, count: n }) => [String(hour).slice(11, 13), answer, status, n]);
    };
    expect(await points()).toEqual([
      ['08', 'accepted', 202, 5],
      ['08', 'signature-mismatch', 401, 4],
      ['09', 'brand-unknown', 422, 1],
    ]);
    expect(await points(', name: "one"')).toEqual([
      ['08', 'accepted', 202, 2],
      ['09', 'brand-unknown', 422, 1],
    ]);
  });

  it.each([
    ['"2026-11-02T00:00:00Z"', '"2026-11-01T00:00:00Z"', 'range-invalid'],
    ['"2026-11-01T00:00:00Z"', '"2026-11-01T00:00:00Z"', 'range-invalid'],
    ['"2026-10-01T00:00:00Z"', '"2026-11-01T00:00:01Z"', 'range-too-long'],
    ['"2026-10-01T00:00:00Z"', '"2026-11-01T00:00:00Z"', undefined],
  ])('is not asked from %s to %s: %s', async (from, to, code) => {
    expect(await refusalOf(`{ crawlerAnswersPerHour(from: ${from}, to: ${to}) { count } }`)).toBe(code);
    expect(await refusalOf(`{ crawlerAnswersPerHour(from: ${from}, to: ${to}, name: "nobody") { count } }`)).toBe(
      code ?? 'crawler-unknown',
    );
  });
});

describe('who may', () => {
  it('is told to whoever is not signed in', async () => {
    expect(await refusalOf('{ crawlers { id } }', null)).toBe('unauthenticated');
    expect(await refusalOf('mutation { createCrawler(name: "x") { secret } }', null)).toBe('unauthenticated');
    expect(await deeds()).toEqual([]);
  });

  it('read is a viewer, and change is an operator', () => {
    const { list, crawlerAnswersPerHour, ...changes } = Object.fromEntries(
      Object.entries(Object.getOwnPropertyDescriptors(CrawlersResolver.prototype)).flatMap(([name, { value }]) =>
        name === 'constructor' ? [] : [[name, new Reflector().get(Requires, value as () => unknown)]],
      ),
    );
    expect([list, crawlerAnswersPerHour]).toEqual(['viewer', 'viewer']);
    expect(changes).toEqual({
      createCrawler: 'operator',
      rotateCrawlerSecret: 'operator',
      revokeCrawlerSecrets: 'operator',
      switchCrawler: 'operator',
    });
  });
});
