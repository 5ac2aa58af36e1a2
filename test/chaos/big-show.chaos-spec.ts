import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createTestDatabase, type TestDatabase } from '../harness/database.js';
import { looks, message, runwayData } from '../harness/payloads.js';
import { signedPost } from '../harness/signed-post.js';
import { type StartedProcess, startMain } from '../harness/started-process.js';
import { ADMIN_TOKEN, DEV_CRAWLER_SECRET } from '../harness/test-config.js';

const PICTURES = 300;
const KILLED_AT = 150;
const MOST_MEGABYTES = 350;
const READY = /Ready as intake, admin, worker on (http:\/\/127\.0\.0\.1:\d+)/;

let db: TestDatabase;
let folder: string;
let origin: BigOrigin;
const started: StartedProcess[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  await db.query(
    `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (7, 'Maison Éclair', 'maison-eclair', 1, 1)`,
  );
  folder = await mkdtemp(join(tmpdir(), 'runway-big-show-'));
  origin = await BigOrigin.start();
});
afterAll(async () => {
  for (const main of started) main.kill('SIGKILL');
  await Promise.all(started.map((main) => main.ended()));
  await origin.close();
  await rm(folder, { recursive: true, force: true });
  await db.drop();
});

/** Pictures of 2 to 3 MB, each with bytes of its own. From `hold` on it lets requests wait. */
class BigOrigin {
  readonly counts = new Map<string, number>();
  private readonly held: (() => void)[] = [];
  private served = 0;
  private hold = KILLED_AT;

  private constructor(
    private readonly picture: Buffer,
    readonly server = createServer((request, response) => this.answer(request.url ?? '', response)),
  ) {}

  static async start(): Promise<BigOrigin> {
    const [width, height] = [1600, 2400];
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
    const picture = await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
      .jpeg({ quality: 88 })
      .toBuffer();
    const origin = new BigOrigin(picture);
    origin.server.listen(0, '127.0.0.1');
    await once(origin.server, 'listening');
    return origin;
  }

  get bytes(): number {
    return this.picture.length;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  release(): void {
    this.hold = Number.POSITIVE_INFINITY;
    for (const send of this.held.splice(0)) send();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(path: string, response: ServerResponse): void {
    this.counts.set(path, (this.counts.get(path) ?? 0) + 1);
    const send = (): void => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': this.picture.length + path.length });
      response.write(this.picture);
      response.end(path);
    };
    if (this.served++ < this.hold) send();
    else this.held.push(send);
  }
}

async function start(): Promise<{ main: StartedProcess; url: string }> {
  const main = startMain({
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    MEDIA_ALLOWED_PRIVATE_HOSTS: origin.host,
    WORKER_NAME: 'big-show',
    BRAND_HASHID_SALT: 'a salt for tests',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ADMIN_TOKEN,
    DEV_CRAWLER_SECRET,
    NOTES_LOCALE: 'en',
  });
  started.push(main);
  const [, url = ''] = await main.says(READY);
  return { main, url };
}

/** Resident memory of a process, in megabytes: the most it ever had. NaN where no /proc tells it. */
function mostMegabytes({ pid }: StartedProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(50);
}

const stored = async (): Promise<string[]> =>
  (await db.query<{ url: string }>(`SELECT url FROM ingest_pictures WHERE state = 'stored'`)).map(({ url }) => url);

describe('a show of 300 pictures of 2 to 3 MB', () => {
  it('whose worker is killed at picture 150 is ended by the next one, which fetches the other 150 only', async () => {
    expect(origin.bytes / 1e6).toBeGreaterThan(2);
    expect(origin.bytes / 1e6).toBeLessThan(3);
    const first = await start();
    const images = looks(PICTURES, `http://${origin.host}`);
    const posted = await signedPost(
      `${first.url}/ingest`,
      message('runway.show', runwayData({ brand: undefined, brand_id: 7, images })),
    );
    expect(posted.status).toBe(202);
    await until(async () => (await stored()).length === KILLED_AT);
    const before = await stored();
    const peaks = [mostMegabytes(first.main)];
    first.main.kill('SIGKILL');
    await first.main.ended();

    const second = await start();
    origin.release();
    const jobOf = (): Promise<{ status: string; outcome: string; note: string }[]> =>
      db.query(`SELECT status, outcome, note FROM ingest_jobs WHERE id = $1`, [posted.body['job_id']]);
    await until(async () => ['done', 'failed'].includes((await jobOf())[0]?.status ?? ''));
    peaks.push(mostMegabytes(second.main));
    expect(await jobOf()).toEqual([{ status: 'done', outcome: 'created', note: 'created, 300 pictures' }]);

    const asked = (url: string): number => origin.counts.get(new URL(url).pathname) ?? 0;
    expect(before.map(asked)).toEqual(Array(KILLED_AT).fill(1));
    const others = images.map(({ url }) => String(url)).filter((url) => !before.includes(url));
    expect(others.filter((url) => asked(url) === 0)).toEqual([]);
    // The few that were on their way when the worker was killed are asked for again, and no others.
    expect(others.reduce((total, url) => total + asked(url), 0) - others.length).toBeLessThanOrEqual(4);
    const files = await readdir(join(folder, 'media'), { recursive: true });
    expect(files.filter((name) => name.endsWith('.jpg'))).toHaveLength(PICTURES);
    expect(files.filter((name) => name.endsWith('.thumb.webp'))).toHaveLength(PICTURES);
    process.stderr.write(`Most resident memory: ${peaks.map((peak) => `${Math.round(peak)} MB`).join(', ')}\n`);
    for (const peak of peaks.filter((known) => !Number.isNaN(known))) expect(peak).toBeLessThan(MOST_MEGABYTES);
  }, 300_000);
});
