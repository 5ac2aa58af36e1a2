import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runAdminCommand } from '../../src/auth/admin.command.js';
import { MAX_ATTEMPTS } from '../../src/auth/sign-in-limit.service.js';
import { SignInWorker } from '../../src/auth/sign-in.worker.js';
import { UsersService } from '../../src/auth/users.service.js';
import { type ActorRole, COMMAND_LINE } from '../../src/auth/actor.js';
import { type TestApp, startTestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { statementsOf } from '../harness/statements.js';
import { ADMIN_TOKEN } from '../harness/test-config.js';

const PASSWORD = 'a good long password';
const AWAY = '203.0.113.9';

let first: TestApp;
/** Another process on the same database. */
let second: TestApp;

beforeAll(async () => {
  const env = { TRUST_PROXY: 'loopback' };
  first = await startTestApp({ env });
  second = await startTestApp({ env, db: first.db });
});

afterAll(async () => {
  await second.close();
  await first.close();
});

beforeEach(() => first.db.query('TRUNCATE users, user_sessions, user_tokens, sign_in_attempts, admin_events CASCADE'));

const users = (): UsersService => first.app.get(UsersService, { strict: false });

async function made(name: string, role: ActorRole): Promise<string> {
  return (await users().create(COMMAND_LINE, name, role, PASSWORD)).user.id;
}

interface Login {
  password?: string;
  /** Where the proxy says that it comes from. */
  from?: string;
  at?: TestApp;
  headers?: Record<string, string>;
}

function login(
  name: string,
  { password = PASSWORD, from = AWAY, at = first, headers = {} }: Login = {},
): Promise<Response> {
  return fetch(`${at.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    body: JSON.stringify({ name, password }),
  });
}

/** The cookie that a sign-in gives, as a browser sends it back. */
async function signedIn(name: string, options: Login = {}): Promise<string> {
  const response = await login(name, options);
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

interface Answer {
  data: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

async function ask(query: string, headers: Record<string, string>, at = first): Promise<Answer> {
  const response = await fetch(`${at.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
}

const codeOf = ({ errors }: Answer): string | undefined => errors?.[0]?.extensions.code;
const problemOf = async (response: Response): Promise<string> =>
  `${response.status} ${((await response.json()) as { type: string }).type.split(':').at(-1)}`;
const actions = async (): Promise<unknown[]> =>
  (await first.db.query('SELECT actor, action FROM admin_events ORDER BY id')).map((row) =>
    Object.values(row).join(' '),
  );

describe('signing in', () => {
  it('gives a cookie that scripts cannot read, and whatever the role may do, in every process', async () => {
    const id = await made('Anna Müller', 'editor');
    const response = await login(' anna MÜLLER ');
    expect(await response.json()).toEqual({ name: 'Anna Müller', role: 'editor' });
    const [set = ''] = response.headers.getSetCookie();
    expect(set).toMatch(/^runway_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = set.split(';')[0] ?? '';
    for (const at of [first, second]) {
      expect(await ask('{ me { id name role } }', { cookie }, at)).toEqual({
        data: { me: { id, name: 'Anna Müller', role: 'editor' } },
      });
    }
    expect(codeOf(await ask('{ users { id } }', { cookie }))).toBe('forbidden');
    const rows = JSON.stringify(await first.db.query('SELECT token_sha256::text FROM user_sessions'));
    expect(rows).not.toContain(cookie.split('=')[1]);
  });

  it('gives a Secure cookie wherever the browser is not on this machine, or came by https', async () => {
    await made('anna', 'viewer');
    const ways: Record<string, string>[] = [
      { 'x-forwarded-host': 'archive.example' },
      { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' },
    ];
    for (const headers of ways) {
      const [set] = (await login('anna', { headers })).headers.getSetCookie();
      expect(set).toMatch(/; Secure/);
    }
  });

  it('answers the same to a wrong password, to nobody, and to a disabled user', async () => {
    await made('boss', 'operator');
    const id = await made('anna', 'viewer');
    await users().setEnabled(COMMAND_LINE, await made('off', 'viewer'), false);
    const bodies = [
      await login('anna', { password: 'a wrong password' }),
      await login('nobody'),
      await login('off'),
      await login('anna', { password: 'x'.repeat(100_000) }),
    ].map(async (response) => {
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
      const { instance: _, ...body } = (await response.json()) as Record<string, unknown>;
      return body;
    });
    const [one, ...others] = await Promise.all(bodies);
    expect(one).toMatchObject({ type: 'urn:runway:problem:login-failed' });
    for (const other of others) expect(other).toEqual(one);
    expect(id).not.toBe('');
  });

  it('takes JSON alone: no form of another site gets in', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const body = JSON.stringify({ name: 'anna', password: PASSWORD });
      const response = await fetch(`${first.url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      expect(await problemOf(response)).toBe('415 content-type-unsupported');
    }
    const response = await fetch(`${first.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":["anna"]}',
    });
    expect(await problemOf(response)).toBe('400 malformed-request');
  });

  it('may be tried so often for a user from an address, in all processes together, and then is answered 429', async () => {
    await made('anna', 'viewer');
    const wrong = (from: string, at = first): Promise<Response> =>
      login('anna', { password: 'a wrong password', from, at });
    const tried = await Promise.all(
      Array.from({ length: 2 * MAX_ATTEMPTS.pair }, (_, n) => wrong(AWAY, n % 2 === 0 ? first : second)),
    );
    const counts = tried.map(({ status }) => status);
    expect(counts.filter((status) => status === 401)).toHaveLength(MAX_ATTEMPTS.pair);
    expect(counts.filter((status) => status === 429)).toHaveLength(MAX_ATTEMPTS.pair);
    const refused = await login('anna');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    // The user elsewhere, and others here, are not kept out by it.
    expect((await login('anna', { from: '203.0.113.10' })).status).toBe(200);
    expect((await login('nobody')).status).toBe(401);
    await first.db.query('UPDATE sign_in_attempts SET resets_at = resets_at - 900');
    expect((await login('anna')).status).toBe(200);
  });

  it('does not count what succeeds', async () => {
    await made('anna', 'viewer');
    for (let n = 0; n <= MAX_ATTEMPTS.pair; n++) expect((await login('anna')).status).toBe(200);
  });

  it('counts a user from anywhere, and an IPv6 network as one address', async () => {
    await made('anna', 'viewer');
    const wrong = (from: string): Promise<Response> => login('anna', { password: 'a wrong password', from });
    for (let n = 0; n < MAX_ATTEMPTS.pair; n++) expect((await wrong(`2001:db8::${n + 1}`)).status).toBe(401);
    expect((await wrong('2001:db8::ffff')).status).toBe(429);
    await first.db.query('UPDATE sign_in_attempts SET count = $1 WHERE count > 0', [MAX_ATTEMPTS.user]);
    expect((await wrong('203.0.113.77')).status).toBe(429);
  });
});

describe('a session', () => {
  it('is one statement for each request, and moves its end on once a minute', async () => {
    await made('anna', 'viewer');
    const cookie = await signedIn('anna');
    const twoFields = '{ a: me { id } b: me { name } }';
    expect(await statementsOf(first.app, () => ask(twoFields, { cookie }))).toBe(1);
    const ends = async (): Promise<number> =>
      Number((await first.db.query('SELECT expires_at FROM user_sessions'))[0]?.['expires_at']);
    const before = await ends();
    await first.db.query('UPDATE user_sessions SET last_seen_at = last_seen_at - 3600, expires_at = expires_at - 3600');
    await ask('{ me { id } }', { cookie });
    expect(await ends()).toBeGreaterThanOrEqual(before);
    await first.db.query('UPDATE user_sessions SET expires_at = 1');
    expect(codeOf(await ask('{ me { id } }', { cookie }))).toBe('unauthenticated');
    expect(await first.app.get(SignInWorker, { strict: false }).runOnce()).toMatchObject({ sessions: 1 });
  });

  it('ends by signing out, which takes the cookie away and is no error without one', async () => {
    await made('anna', 'viewer');
    const cookie = await signedIn('anna');
    const out = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${first.url}/auth/logout`, { method: 'POST', headers });
    const response = await out({ cookie });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^runway_session=; .*Expires=Thu, 01 Jan 1970/);
    expect(codeOf(await ask('{ me { id } }', { cookie }, second))).toBe('unauthenticated');
    expect((await out({})).status).toBe(204);
  });

  it('is listed for its user, who ends one or all', async () => {
    await made('anna', 'viewer');
    await made('ben', 'viewer');
    const one = await signedIn('anna', { headers: { 'user-agent': 'Browser/1' } });
    const two = await signedIn('anna', { from: '203.0.113.10' });
    const bens = await signedIn('ben');
    const listed = await ask('{ sessions { id address userAgent current } }', { cookie: one });
    expect(listed.data?.['sessions']).toEqual(
      expect.arrayContaining([
        { id: expect.any(String), address: AWAY, userAgent: 'Browser/1', current: true },
        { id: expect.any(String), address: '203.0.113.10', userAgent: expect.any(String), current: false },
      ]),
    );
    const other = (listed.data?.['sessions'] as { id: string; current: boolean }[]).find(({ current }) => !current);
    const end = `mutation { endSession(id: "${other?.id}") { address } }`;
    expect(codeOf(await ask(end, { cookie: bens }))).toBe('session-unknown');
    expect(await ask(end, { cookie: one })).toEqual({ data: { endSession: { address: '203.0.113.10' } } });
    expect(codeOf(await ask('{ me { id } }', { cookie: two }))).toBe('unauthenticated');
    expect(await ask('mutation { signOutEverywhere }', { cookie: one })).toEqual({ data: { signOutEverywhere: 1 } });
    expect(codeOf(await ask('{ me { id } }', { cookie: one }))).toBe('unauthenticated');
    expect((await ask('{ me { name } }', { cookie: bens })).data).toEqual({ me: { name: 'ben' } });
  });

  it('of a user who is disabled or gets another role is so at once, in every process', async () => {
    await made('boss', 'operator');
    const id = await made('anna', 'operator');
    const cookie = await signedIn('anna');
    expect(codeOf(await ask('{ users { id } }', { cookie }, second))).toBeUndefined();
    await users().setRole(COMMAND_LINE, id, 'viewer');
    expect(codeOf(await ask('{ users { id } }', { cookie }, second))).toBe('forbidden');
    await users().setEnabled(COMMAND_LINE, id, false);
    expect(codeOf(await ask('{ me { id } }', { cookie }, second))).toBe('unauthenticated');
    await users().setEnabled(COMMAND_LINE, id, true);
    expect(codeOf(await ask('{ me { id } }', { cookie }, second))).toBe('unauthenticated');
    expect((await login('anna')).status).toBe(200);
  });

  it('does not come of a password that is reset while it is looked at', async () => {
    const id = await made('anna', 'viewer');
    const logins = Array.from({ length: 4 }, () => login('anna'));
    await users().resetPassword(COMMAND_LINE, id);
    await Promise.all(logins);
    expect(await first.db.query('SELECT id FROM user_sessions')).toEqual([]);
  });

  it('gives GraphQL nothing to a page of another site that makes a browser send its cookie', async () => {
    await made('anna', 'operator');
    const cookie = await signedIn('anna');
    const query = 'mutation { signOutEverywhere }';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { cookie, 'content-type': type };
      const body = JSON.stringify({ query });
      expect((await fetch(`${first.url}/graphql`, { method: 'POST', headers, body })).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    const get = await fetch(`${first.url}/graphql?query=${encodeURIComponent('{ me { id } }')}`, {
      headers: { cookie },
    });
    expect(get.status).toBe(400);
    expect((await ask('{ me { name } }', { cookie })).data).toEqual({ me: { name: 'anna' } });
  });
});

describe('a password', () => {
  it('is changed by its user with the old one, which ends every other session', async () => {
    await made('anna', 'viewer');
    const here = await signedIn('anna');
    const there = await signedIn('anna');
    const change = (current: string, next: string): Promise<Answer> =>
      ask(`mutation { changePassword(current: "${current}", next: "${next}") { name } }`, { cookie: here });
    expect(codeOf(await change('not the password', 'another password'))).toBe('password-wrong');
    expect(codeOf(await change(PASSWORD, 'short'))).toBe('password-too-short');
    expect(await change(PASSWORD, 'another password')).toEqual({ data: { changePassword: { name: 'anna' } } });
    expect(codeOf(await ask('{ me { id } }', { cookie: there }, second))).toBe('unauthenticated');
    expect((await ask('{ me { name } }', { cookie: here })).data).toEqual({ me: { name: 'anna' } });
    expect([(await login('anna')).status, (await login('anna', { password: 'another password' })).status]).toEqual([
      401, 200,
    ]);
  });
});

describe('a personal token', () => {
  it('is shown once, may do what its user may, and is gone at once when it is revoked', async () => {
    const id = await made('anna', 'editor');
    const cookie = await signedIn('anna');
    const made_ = await ask('mutation { createPersonalToken(label: "nightly") { secret token { id label live } } }', {
      cookie,
    });
    const { secret, token } = made_.data?.['createPersonalToken'] as { secret: string; token: { id: string } };
    expect(secret).toMatch(/^rwp_[\w-]{43}$/);
    const bearer = { authorization: `Bearer ${secret}` };
    expect((await ask('{ me { id role } }', bearer, second)).data).toEqual({ me: { id, role: 'editor' } });
    const { data } = await ask('{ personalTokens { id label live lastUsedAt expiresAt revokedAt } }', { cookie });
    expect(data?.['personalTokens']).toEqual([
      { id: token.id, label: 'nightly', live: true, lastUsedAt: expect.any(String), expiresAt: null, revokedAt: null },
    ]);
    expect(JSON.stringify(await first.db.query('SELECT t.*, t.token_sha256::text FROM user_tokens t'))).not.toContain(
      secret.slice(4),
    );
    await ask(`mutation { revokePersonalToken(id: "${token.id}") { id } }`, { cookie });
    expect(codeOf(await ask('{ me { id } }', bearer, second))).toBe('unauthenticated');
    expect(await actions()).toEqual([
      'command line user.created',
      'anna user.signed-in',
      'anna token.created',
      'anna token.revoked',
    ]);
  });

  it('ends when it is told to, and with its user', async () => {
    await made('boss', 'operator');
    const id = await made('anna', 'viewer');
    const cookie = await signedIn('anna');
    const create = (end: string): Promise<Answer> =>
      ask(`mutation { createPersonalToken(label: "x", expiresAt: "${end}") { secret } }`, { cookie });
    expect(codeOf(await create('2001-01-01T00:00:00Z'))).toBe('token-expiry-past');
    const { secret } = (await create('2101-01-01T00:00:00Z')).data?.['createPersonalToken'] as { secret: string };
    const bearer = { authorization: `Bearer ${secret}` };
    await users().setEnabled(COMMAND_LINE, id, false);
    expect(codeOf(await ask('{ me { id } }', bearer))).toBe('unauthenticated');
    await users().setEnabled(COMMAND_LINE, id, true);
    expect(codeOf(await ask('{ me { id } }', bearer))).toBeUndefined();
    await first.db.query('UPDATE user_tokens SET expires_at = 1');
    expect(codeOf(await ask('{ me { id } }', bearer))).toBe('unauthenticated');
  });

  it.each(['rwp_', `rwp_${'a'.repeat(43)}`, ADMIN_TOKEN.slice(1), `${ADMIN_TOKEN}x`])('is not %j', async (token) => {
    await made('anna', 'viewer');
    // Whoever sends a header is judged by it, whatever cookie comes with it.
    const cookie = await signedIn('anna');
    expect(codeOf(await ask('{ me { id } }', { cookie, authorization: `Bearer ${token}` }))).toBe('unauthenticated');
  });
});

describe('the preset token', () => {
  it('is the first operator, and without one nobody in particular', async () => {
    const me = async (): Promise<unknown> => (await askGraphql(first, '{ me { id name role } }')).data?.['me'];
    expect(await me()).toEqual({ id: '0', name: 'admin', role: 'operator' });
    const create = await askGraphql(first, 'mutation { createPersonalToken(label: "x") { secret } }');
    expect(create.errors[0]?.extensions['code']).toBe('no-account');
    await made('anna', 'viewer');
    const id = await made('boss', 'operator');
    expect(await me()).toEqual({ id, name: 'boss', role: 'operator' });
  });
});

describe('users', () => {
  it('are made, changed and disabled by operators, and each deed is in the log', async () => {
    await made('boss', 'operator');
    const { data } = await askGraphql(
      first,
      'mutation { createUser(input: {name: "Zoë", role: editor}) { user { id name role enabled } password } }',
    );
    const { user, password } = data?.['createUser'] as { user: { id: string }; password: string };
    expect(user).toEqual({ id: expect.any(String), name: 'Zoë', role: 'editor', enabled: true });
    expect((await login('zoë', { password })).status).toBe(200);
    const twice = await askGraphql(first, 'mutation { createUser(input: {name: "ZOË", role: viewer}) { password } }');
    expect(twice.errors[0]?.extensions['code']).toBe('user-exists');
    const run = async (call: string): Promise<unknown> => (await askGraphql(first, `mutation { ${call} }`)).data;
    await run(`setUserRole(id: "${user.id}", role: viewer) { id }`);
    const reset = (await run(`resetUserPassword(id: "${user.id}") { password }`)) as {
      resetUserPassword: { password: string };
    };
    expect((await login('zoë', { password })).status).toBe(401);
    expect((await login('zoë', reset.resetUserPassword)).status).toBe(200);
    await run(`disableUser(id: "${user.id}") { enabled }`);
    await run(`enableUser(id: "${user.id}") { enabled }`);
    const log = await askGraphql(
      first,
      `{ adminEvents(entity: "user", entityId: "${user.id}") { nodes { actor action detail } } }`,
    );
    expect((log.data?.['adminEvents'] as { nodes: unknown[] }).nodes).toEqual([
      { actor: 'boss', action: 'user.enabled', detail: 'Zoë' },
      { actor: 'boss', action: 'user.disabled', detail: 'Zoë' },
      { actor: 'Zoë', action: 'user.signed-in', detail: null },
      { actor: 'boss', action: 'user.password-reset', detail: 'Zoë' },
      { actor: 'boss', action: 'user.role-changed', detail: 'Zoë: editor → viewer' },
      { actor: 'Zoë', action: 'user.signed-in', detail: null },
      { actor: 'boss', action: 'user.created', detail: 'Zoë: editor' },
    ]);
  });

  it('always have an operator among them, also when two disable each other', async () => {
    const one = await made('one', 'operator');
    const two = await made('two', 'operator');
    const deeds = await Promise.allSettled([
      users().setEnabled(COMMAND_LINE, one, false),
      users().setRole(COMMAND_LINE, two, 'viewer'),
    ]);
    expect(deeds.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(deeds.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'last-operator' } });
    const left = (await users().list()).filter(({ role, enabled }) => role === 'operator' && enabled);
    expect(left).toHaveLength(1);
  });
});

describe('the schema', () => {
  it('is shown to whoever is signed in, and to nobody else', async () => {
    const queries = [
      '{ __schema { types { name } } }',
      '{ __type(name: "Brand") { name } }',
      '{ ...F } fragment F on Query { __schema { types { name } } }',
    ];
    for (const query of queries) {
      const answer = await askGraphql(first, query, {}, null);
      expect([answer.status, answer.data, answer.errors[0]?.extensions['code']]).toEqual([
        401,
        null,
        'unauthenticated',
      ]);
      expect((await askGraphql(first, query)).errors).toEqual([]);
    }
  });
});

describe('the command', () => {
  async function run(...args: string[]): Promise<{ code: number; printed: string[]; remarked: string }> {
    const printed: string[] = [];
    const remarks: string[] = [];
    const io = {
      print: (line: string) => void printed.push(line),
      remark: (line: string) => void remarks.push(line),
      input: () => Promise.resolve(`${PASSWORD}\n`),
    };
    return { code: await runAdminCommand(args, users(), io), printed, remarked: remarks.join('\n') };
  }

  it('makes users, and prints a password that it made once, to stdout alone', async () => {
    const { code, printed, remarked } = await run('create-user', 'boss', '--role', 'operator');
    const [password = ''] = printed;
    expect([code, printed.length]).toEqual([0, 1]);
    expect(remarked).not.toContain(password);
    expect((await login('boss', { password })).status).toBe(200);
    expect(await run('create-user', 'ben', '--password-stdin')).toMatchObject({ code: 0, printed: [] });
    expect((await login('ben')).status).toBe(200);
    const [fresh = ''] = (await run('reset-password', 'BEN')).printed;
    expect([(await login('ben')).status, (await login('ben', { password: fresh })).status]).toEqual([401, 200]);
    expect((await run('disable', 'ben')).printed).toEqual(['"ben" is disabled']);
    expect((await run('list')).printed).toEqual([
      expect.stringMatching(/^ben {2}\(\d+, viewer, disabled, not seen lately\)$/),
      expect.stringMatching(/^boss {2}\(\d+, operator, last seen .+Z\)$/),
    ]);
    expect((await run('list', '--json')).printed.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual([
      'ben',
      'boss',
    ]);
    await run('enable', 'ben');
    expect((await run('set-role', 'ben', '--role', 'editor')).printed).toEqual(['"ben" is editor now']);
  });

  it.each([
    [[], 2, /Usage/],
    [['constructor', 'x'], 2, /Usage/],
    [['create-user'], 2, /name of one user/],
    [['create-user', 'x', '--role', 'king'], 2, /viewer, editor, operator/],
    [['create-user', '.x'], 1, /letter or a digit/],
    [['create-user', PASSWORD, '--password-stdin'], 1, /no password/],
    [['reset-password', 'nobody'], 1, /no user "nobody"/],
    [['disable', 'nobody'], 1, /no user/],
    [['list', '--yaml'], 2, /Usage/],
  ])('with %j says what is wrong, and exits with %i', async (args, code, words) => {
    expect(await run(...args)).toMatchObject({ code, printed: [], remarked: expect.stringMatching(words) });
  });
});
