import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import type { TestApp } from '../harness/app.js';
import { FaultyDoor } from '../harness/faulty-door.js';
import { insertGallery } from '../harness/gallery-rows.js';
import { startIntakeApp } from '../harness/intake-app.js';
import { message, runwayData, streetData } from '../harness/payloads.js';
import { missing, runProgram, type Ran } from '../harness/run-program.js';
import { type Answer, codeOf, read } from '../harness/signed-post.js';
import { DEV_CRAWLER_SECRET } from '../harness/test-config.js';

type Fields = Record<string, unknown>;

const CLIENTS_FOLDER = fileURLToPath(new URL('../../examples/crawlers/', import.meta.url));
/** A key longer than a block of SHA-256, which HMAC treats in another way. */
const LONG_SECRET = `whsec_${Buffer.alloc(100, 5).toString('base64')}`;
const TRIES = 4;

let intake: TestApp;
let door: FaultyDoor;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runway-clients-'));
  intake = await startIntakeApp({ env: { INTAKE_MAX_401_PER_MINUTE: '1000' } });
  await intake.app.get(CrawlersService, { strict: false }).add(COMMAND_LINE, 'long', LONG_SECRET);
  door = await new FaultyDoor(intake).listen();
});

afterEach(async () => {
  door.reset();
  await intake.db.query(
    'TRUNCATE galleries, gallery_keys, gallery_sources, gallery_pictures, ingest_jobs, ingest_messages CASCADE',
  );
});

afterAll(async () => {
  await door.close();
  await intake.close();
  await rm(folder, { recursive: true, force: true });
});

interface Client {
  name: string;
  /** Calls of the programs that it needs, which do nothing. */
  needs: string[];
  command: () => string[];
  /** What makes it a program, where that is needed. */
  build?: () => Promise<Ran>;
}

const file = (name: string): string => join(CLIENTS_FOLDER, name);

const CLIENTS: Client[] = [
  { name: 'send.py', needs: ['python3 --version'], command: () => ['python3', file('send.py')] },
  { name: 'send.mjs', needs: [], command: () => [process.execPath, file('send.mjs')] },
  {
    name: 'send.sh',
    needs: ['curl --version', 'openssl version', 'awk 1 /dev/null', 'od -An /dev/null'],
    command: () => ['sh', file('send.sh')],
  },
  {
    name: 'send.go',
    needs: ['go version'],
    command: () => [join(folder, 'send')],
    build: () => runProgram(['go', 'build', '-o', join(folder, 'send'), file('send.go')], { env: goSettings() }),
  },
];

/** Where its toolchain is and what it has compiled before, if the machine says so. */
function goSettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => /^GO[A-Z0-9]+$/.test(entry[0])),
  );
}

const season = (year: number, more: Fields = {}): Fields =>
  runwayData({ season: `Fall ${year} Ready-to-Wear`, market: 'paris', ...more });

const jobs = (): Promise<{ id: string; payload: string }[]> =>
  intake.db.query('SELECT id, payload FROM ingest_jobs ORDER BY id');

for (const client of CLIENTS) {
  const lacking = missing(client.needs);
  const run = async (
    shows: readonly unknown[],
    env: Record<string, string> = {},
    args: string[] = [],
  ): Promise<Sent> => {
    const input = shows.map((show) => (typeof show === 'string' ? show : JSON.stringify(show))).join('\n');
    const settings = {
      INGEST_URL: `${door.url}/ingest`,
      INGEST_CRAWLER: 'dev',
      INGEST_SECRET: DEV_CRAWLER_SECRET,
      INGEST_TRIES: String(TRIES),
      INGEST_BACKOFF: '0.05',
      ...env,
    };
    const { code, stdout, stderr } = await runProgram([...client.command(), ...args], { input, env: settings });
    return { code, said: stdout.split('\n').filter((line) => line !== ''), remarks: stderr };
  };

  if (lacking.length > 0) {
    describe.skip(`${client.name}, without ${lacking.join(' and ')} on this machine`, () => suite(run));
  } else {
    describe(client.name, () => {
      beforeAll(async () => {
        const built = await client.build?.();
        if (built !== undefined && built.code !== 0) throw new Error(built.stderr);
      });
      suite(run);
    });
  }
}

interface Sent {
  code: number | null;
  /** Lines about shows. */
  said: string[];
  remarks: string;
}

function suite(run: (shows: readonly unknown[], env?: Record<string, string>, args?: string[]) => Promise<Sent>): void {
  it('sends each line as it stands, says how it was read and what was odd in it, and exits with 0', async () => {
    const shows = [
      JSON.stringify(season(2021, { brand: '盖娅传说', colour: 'red', extra: { text: '😀 "quoted" \\ %s é' } })),
      '',
      `  {"brand":"Maison Éclair" , "season" : "Fall 2022 RTW","market":"paris",\t"images":["https://p.example/1.jpg"]}\r`,
      JSON.stringify(message('street.gallery', streetData())),
    ];
    const path = join(folder, 'shows.jsonl');
    await writeFile(path, `\u{feff}${shows.join('\n')}`);
    const { code, said, remarks } = await run([], {}, [path]);

    const sent = await jobs();
    const [first, second, third] = sent.map(({ id }) => id);
    expect(said).toEqual([
      `1: accepted as job ${first}: 2021 秋冬 · 高级成衣 · 巴黎`,
      expect.stringMatching(/^ {3}warning: \/data\/colour/),
      `3: accepted as job ${second}: 2022 秋冬 · 高级成衣 · 巴黎`,
      expect.stringMatching(new RegExp(`^4: accepted as job ${third}: .*2026`)),
    ]);
    expect(remarks).toContain('3 shows: 3 accepted, 0 known, 0 refused, 0 not sent');
    expect(code).toBe(0);
    expect(sent[0]?.payload).toContain(shows[0]);
    expect(sent[1]?.payload).toContain(shows[2]?.trim());
    expect(sent[2]?.payload).toBe(shows[3]);
    expect(new Set(door.at('/ingest').map(({ id }) => id)).size).toBe(3);
  });

  it('asks first, and leaves out what the archive has, what is queued and what was deleted', async () => {
    await insertGallery(intake.db, { brandId: '7', year: 2021 });
    await insertGallery(intake.db, { brandId: '7', year: 2022, status: 'rejected' });
    await insertGallery(intake.db, { brandId: '7', year: 2023, deletedAt: 1_700_000_000 });
    await insertGallery(intake.db, { brandId: '0', sources: ['street.example/day-3'] });
    const shows = [
      season(2021),
      season(2022),
      season(2023),
      message('street.gallery', streetData({ source: { url: 'https://street.example/day-3' } })),
      season(2024),
    ];
    const first = await run(shows);
    expect(first.said).toEqual([
      '1: known, published: 2021 秋冬 · 高级成衣 · 巴黎',
      expect.stringMatching(/^2: accepted as job \d+: 2022/),
      '3: known, deleted: 2023 秋冬 · 高级成衣 · 巴黎',
      expect.stringMatching(/^4: known, published: /),
      expect.stringMatching(/^5: accepted as job \d+: 2024/),
    ]);
    expect(first.code).toBe(0);
    expect(door.at('/ingest')).toHaveLength(2);
    expect(door.seen[0]?.path).toBe('/ingest/known');
    expect(door.seen[0]?.body).not.toContain('look-1.jpg');

    const again = await run(shows);
    expect(again.said.filter((line) => line.includes('known, queued'))).toHaveLength(2);
    expect(again.code).toBe(0);
    expect(door.at('/ingest')).toHaveLength(2);
  });

  it('sends a show that an editor rejected after it was sent: a new crawl is a new message', async () => {
    await run([season(2021)]);
    await intake.db.query(`UPDATE ingest_jobs SET status = 'done', outcome = 'created'`);
    await insertGallery(intake.db, { brandId: '7', year: 2021, status: 'rejected' });
    const { said } = await run([season(2021)]);
    expect(said).toEqual([expect.stringMatching(/^1: accepted as job \d+: 2021/)]);
    expect(await jobs()).toHaveLength(2);
  });

  it('tries again under the same id and a new time, no sooner than asked, until one job was made', async () => {
    door.meet('/ingest', { status: 429, headers: { 'Retry-After': '1' } }, 'reset', 'lost-answer', 'pass');
    const { code, said } = await run([season(2021)]);

    const tries = door.at('/ingest');
    expect(tries.map(({ status }) => status)).toEqual([429, 0, 202, 202]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    const [first, second] = tries;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(second?.timestamp).toBeGreaterThan(first?.timestamp ?? 0);
    const [job] = await jobs();
    expect(said).toEqual([`1: accepted as job ${job?.id} (an earlier try had arrived): 2021 秋冬 · 高级成衣 · 巴黎`]);
    expect(await jobs()).toHaveLength(1);
    expect(code).toBe(0);
  });

  it('waits for a date as well as for seconds', async () => {
    const then = new Date(Date.now() + 2_500).toUTCString();
    door.meet('/ingest', { status: 503, headers: { 'Retry-After': then } }, 'pass');
    const { code } = await run([season(2021)]);
    const [, second] = door.at('/ingest');
    expect(second?.at).toBeGreaterThanOrEqual(Date.parse(then));
    expect((second?.at ?? 0) - Date.parse(then)).toBeLessThan(2_000);
    expect(code).toBe(0);
  });

  it.each([[[408, 425, 429, 500]], [[502, 503, 504, 599]]])(
    'tries again after each of %j, waits longer each time, gives up after so many tries, and stops there',
    async (statuses) => {
      door.meet('/ingest', ...statuses.map((status) => ({ status })));
      const { code, said, remarks } = await run([season(2021), season(2022)], { INGEST_BACKOFF: '0.2' });
      const tries = door.at('/ingest');
      expect(tries.map(({ status }) => status)).toEqual(statuses);
      expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
      const waits = tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
      // At least half of 0.2, 0.4, 0.8 s: the rest is chance.
      for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(95 * 2 ** index);
      expect(said).toEqual([]);
      expect(remarks).toContain(`Stopped: gave up after ${TRIES} tries: ${statuses.at(-1)} played: Played.`);
      expect(remarks).toContain('2 shows: 0 accepted, 0 known, 0 refused, 2 not sent');
      expect(code).toBe(1);
    },
  );

  it('leaves a door alone that asks for an hour', async () => {
    door.meet('/ingest', { status: 503, headers: { 'Retry-After': '3600' } });
    const { code, remarks } = await run([season(2021)]);
    expect(door.at('/ingest')).toHaveLength(1);
    expect(remarks).toContain('Stopped: the door asks to wait for 3600 s: 503 played');
    expect(code).toBe(1);
  });

  it.each(['600', '-600'])(
    'with a clock %s s wrong, goes by the Date of the first 401, signs that message anew, and needs no other',
    async (offset) => {
      const { code, said, remarks } = await run([season(2021), season(2022)], { INGEST_CLOCK_OFFSET: offset });
      const refused = door.seen.filter(({ status }) => status === 401);
      expect(refused).toHaveLength(1);
      expect(door.seen[0]).toBe(refused[0]);
      expect(door.seen[1]?.id).toBe(refused[0]?.id);
      expect(Math.abs((door.seen[1]?.timestamp ?? 0) - Date.now() / 1_000)).toBeLessThan(30);
      expect(said).toHaveLength(2);
      expect(remarks).toMatch(/this clock is [+-]?\d+ s off/);
      expect(code).toBe(0);
    },
  );

  it('signs anew once and not for ever, when its time is still not right', async () => {
    door.meet('/ingest', { status: 401, code: 'timestamp-out-of-window' });
    const { code, remarks } = await run([season(2021), season(2022)]);
    expect(door.at('/ingest')).toHaveLength(2);
    expect(remarks).toContain('Stopped: 401 timestamp-out-of-window');
    expect(code).toBe(1);
  });

  it('never sends again what was refused for what is in it; it says why, and goes on with the next', async () => {
    const { code, said } = await run([
      season(2021, { brand: 'Maison Éclaire' }),
      season(2021, { images: [{ url: 'nowhere' }, { url: 'https://p.example/1.jpg', look: 'much too long' }] }),
      season(2022),
    ]);
    expect(said).toEqual([
      expect.stringMatching(/^1: refused, 422 brand-unknown: .+/),
      expect.stringMatching(/^ {3}near: \[.*\]$/),
      expect.stringMatching(/^2: refused, 422 schema-invalid: .+/),
      expect.stringMatching(/^ {3}\/data\/images\/0\/url: .+/),
      expect.stringMatching(/^ {3}\/data\/images\/1\/look: .+/),
      expect.stringMatching(/^3: accepted as job \d+: 2022/),
    ]);
    expect(door.at('/ingest')).toHaveLength(3);
    expect(code).toBe(1);
  });

  it('says how long a message may be when one is longer, and does not send it again', async () => {
    const { code, said } = await run([season(2021, { filler: 'x'.repeat(1024 * 1024) }), season(2022)]);
    expect(said).toEqual([
      expect.stringMatching(/^1: refused, 413 body-too-large: .+/),
      '   limit_bytes: 1048576',
      expect.stringMatching(/^2: accepted/),
    ]);
    expect(door.at('/ingest').map(({ status }) => status)).toEqual([413, 202]);
    expect(code).toBe(1);
  });

  it('goes on past lines that are no shows', async () => {
    const { code, said } = await run(['nonsense', '{"brand": ', '[1]', season(2022)]);
    expect(said).toEqual([
      expect.stringMatching(/^1: refused, /),
      expect.stringMatching(/^2: refused, /),
      expect.stringMatching(/^3: refused, /),
      expect.stringMatching(/^4: accepted/),
    ]);
    expect(code).toBe(1);
  });

  it('stops at once when it is the crawler that is refused', async () => {
    const { code, said, remarks } = await run([season(2021), season(2022)], { INGEST_SECRET: LONG_SECRET });
    expect(door.seen.map(({ status }) => status)).toEqual([401]);
    expect(said).toEqual([]);
    expect(remarks).toContain('Stopped: 401 signature-mismatch');
    expect(remarks).toContain('2 not sent');
    expect(code).toBe(1);
  });

  it('does not follow where another server sends it', async () => {
    door.meet('/ingest/known', { status: 307, headers: { location: `${door.url}/elsewhere` } });
    const { code, remarks } = await run([season(2021)]);
    expect(door.at('/elsewhere')).toEqual([]);
    expect(remarks).toContain('Stopped: 307');
    expect(code).toBe(1);
  });

  it('sends all the same when what it asks is refused', async () => {
    const { code, said, remarks } = await run([season(2021, { source: { url: 'https://a.example', colour: 1 } })]);
    expect(code).toBe(0);
    door.meet('/ingest/known', { status: 422, code: 'schema-invalid' });
    const other = await run([season(2022)]);
    expect(other.said).toEqual([expect.stringMatching(/^1: accepted/)]);
    expect(other.remarks).toContain('could not ask what is known (422 schema-invalid');
    expect([code, said.length, remarks.includes('could not ask')]).toEqual([0, 2, false]);
  });

  it('signs with a key longer than a block too', async () => {
    const { code } = await run([season(2021)], { INGEST_CRAWLER: 'long', INGEST_SECRET: LONG_SECRET });
    expect(code).toBe(0);
  });

  it('shows how it is used when it is called without a crawler or a secret that is one', async () => {
    for (const secret of ['', 'whsec_???', 'AAAA']) {
      const { code, remarks } = await run([season(2021)], { INGEST_SECRET: secret });
      expect(remarks).toContain('Usage: ');
      expect(code).toBe(2);
    }
    expect((await run([season(2021)], { INGEST_CRAWLER: '' })).code).toBe(2);
    expect(door.seen).toEqual([]);
  });
}

const SHELL_LACKS = missing(['curl --version', 'openssl version', 'awk 1 /dev/null']);

(SHELL_LACKS.length > 0 ? describe.skip : describe)('send.sh', () => {
  it('has the secret on no command line', async () => {
    const calls = join(folder, 'calls');
    const shims = join(folder, 'shims');
    await mkdir(shims);
    for (const program of ['curl', 'openssl', 'awk', 'od', 'tr', 'sed', 'cat']) {
      const shim = `#!/bin/sh\nprintf '%s\\n' "${program} $*" >>"${calls}"\nPATH=\${PATH#*:}\nexec ${program} "$@"\n`;
      await writeFile(join(shims, program), shim);
      await chmod(join(shims, program), 0o755);
    }
    const ran = await runProgram(['sh', file('send.sh')], {
      input: JSON.stringify(season(2021)),
      env: {
        PATH: `${shims}:${process.env['PATH']}`,
        INGEST_URL: `${intake.url}/ingest`,
        INGEST_CRAWLER: 'dev',
        INGEST_SECRET: DEV_CRAWLER_SECRET,
      },
    });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted') });
    const seen = await readFile(calls, 'utf8');
    const text = DEV_CRAWLER_SECRET.replace('whsec_', '');
    const hex = Buffer.from(text, 'base64').toString('hex');
    expect(seen).toMatch(/^openssl dgst -sha256/m);
    expect(seen).toMatch(/^curl .*webhook-signature: v1,/m);
    for (const spelling of [text, hex, hex.toUpperCase()]) expect(seen).not.toContain(spelling);
  });
});

describe.each([
  ['standardwebhooks', (id: string, at: Date, body: string) => new Webhook(DEV_CRAWLER_SECRET).sign(id, at, body)],
  ['svix', (id: string, at: Date, body: string) => new SvixWebhook(DEV_CRAWLER_SECRET).sign(id, at, body)],
])('the public client %s', (_, sign) => {
  const post = async (data: Fields, id: string): Promise<Answer> => {
    const body = JSON.stringify(message('runway.show', data));
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': sign(id, now, body),
    };
    return read(await fetch(`${intake.url}/ingest`, { method: 'POST', headers, body }));
  };

  it('signs what is accepted, and the same message again is the same job', async () => {
    const data = season(2021, {
      brand: '盖娅传说',
      images: [{ url: 'https://p.example/1.jpg', caption: '😀 Look 1' }],
    });
    const answers = [await post(data, 'msg_of_a_public_client'), await post(data, 'msg_of_a_public_client')];
    expect(answers.map(codeOf)).toEqual(['202', '202']);
    expect(answers.map(({ body }) => body['duplicate'])).toEqual([false, true]);
    expect(await jobs()).toHaveLength(1);
  });
});
