import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startPictureOrigin, type PictureOrigin } from '../../examples/demo/picture-origin.js';
import { ClaimWorker } from '../../src/jobs/claim.worker.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { startGalleriesApp, type GalleriesApp } from '../harness/galleries-app.js';
import { drainJobs } from '../harness/jobs-app.js';
import { looks } from '../harness/payloads.js';

/** Time goes by, and the time of day stays: messages are signed by the machine's own. */
class PassingClock extends Clock {
  private ahead = 0;

  override elapsed(): number {
    return super.elapsed() + this.ahead;
  }

  forward(seconds: number): void {
    this.ahead += seconds;
  }
}

let busy: PictureOrigin;
let other: PictureOrigin;
let archive: GalleriesApp;
let neighbour: TestApp;
let year = 1990;
const clock = new PassingClock();

beforeAll(async () => {
  other = await startPictureOrigin({ longSide: 240 });
  busy = await startPictureOrigin({ longSide: 240 });
  const env = { MEDIA_ALLOWED_PRIVATE_HOSTS: `${busy.host},${other.host}` };
  archive = await startGalleriesApp(env, clock);
  neighbour = await startTestApp({ db: archive.db, env: { ...env, WORKER_NAME: 'neighbour' }, clock });
});
afterEach(async () => {
  busy.behaveWell();
  await archive.db.query('TRUNCATE ingest_jobs, ingest_pictures, media_hosts CASCADE');
  clock.forward(3_601);
});
afterAll(async () => {
  await neighbour.close();
  await archive.close();
  await busy.close();
  await other.close();
});

/** Three looks of a host that wants to be left alone, and two of another one. */
const twoHosts = (folder: string): Promise<string> => {
  const images = [...looks(3, busy.url(`/${folder}`)), ...looks(2, other.url(`/${folder}-other`))];
  return archive.postShow({
    season: `Fall ${year++} Ready-to-Wear`,
    images: images.map((image, index) => ({ ...image, caption: `Look ${index + 1}` })),
  });
};

/** What a job waits for: whole seconds until it is due. */
async function waits(id: string): Promise<number> {
  const [row] = await archive.db.query<{ seconds: number }>(
    `SELECT (next_attempt_at - updated_at)::int AS seconds FROM ingest_jobs WHERE id = $1`,
    [id],
  );
  return row?.seconds ?? -1;
}

async function timeIsOver(): Promise<void> {
  clock.forward(3_601);
  await archive.db.query('UPDATE media_hosts SET cool_until = 1');
  await archive.letTimePass();
}

/** How a host says "later", and between how many seconds a job waits then. */
const ANSWERS: [how: string, code: number, header: () => string, from: number, to: number][] = [
  ['in seconds', 429, () => '2', 1, 3],
  ['until a date', 503, (): string => new Date(clock.now().getTime() + 600_000).toUTCString(), 597, 602],
  ['in words', 429, () => 'when it suits you', 58, 61],
];

describe('a host that asks to be left alone (CASES, pictures 5)', () => {
  it.each(ANSWERS)(
    '%s is, by all processes; other hosts go on, and no attempt is lost',
    async (how, code, header, from, to) => {
      const folder = `asked-${how.replaceAll(' ', '-')}`;
      busy.behave(`/${folder}/`, { do: 'status', code, headers: { 'retry-after': header() } });
      const id = await twoHosts(folder);
      await archive.drain();
      expect(await archive.job(id)).toMatchObject({ status: 'pending', attempts: 0, error_code: 'host_cooling' });
      expect(await waits(id)).toBeGreaterThanOrEqual(from);
      expect(await waits(id)).toBeLessThanOrEqual(to);
      expect([1, 2].map((look) => other.requests(`/${folder}-other/look-${look}.jpg`))).toEqual([1, 1]);

      const asked = busy.total;
      const second = await twoHosts(`${folder}-second`);
      await drainJobs(neighbour.app);
      await archive.db.query(`UPDATE ingest_jobs SET next_attempt_at = 1 WHERE id = $1`, [id]);
      await archive.drain();
      expect(busy.total).toBe(asked);
      expect(await archive.job(second)).toMatchObject({ status: 'pending', attempts: 0, error_code: 'host_cooling' });

      busy.behaveWell();
      await timeIsOver();
      for (const job of [id, second]) {
        expect(await archive.job(job)).toMatchObject({ outcome: 'created', note: '新建 5 张图', attempts: 1 });
      }
      expect([1, 2].map((look) => other.requests(`/${folder}-other/look-${look}.jpg`))).toEqual([1, 1]);
      const attempts = await archive.db.query<{ result: string }>(
        'SELECT result FROM ingest_job_attempts WHERE job_id = $1 ORDER BY ended_at',
        [id],
      );
      expect(attempts.map(({ result }) => result)).toEqual(['snoozed', 'snoozed', 'done']);
    },
  );

  it('is left alone for no longer than an hour', async () => {
    busy.behave('/long/', { do: 'status', code: 503, headers: { 'retry-after': '999999' } });
    const id = await twoHosts('long');
    await archive.drain();
    expect(await waits(id)).toBeGreaterThan(3_590);
    expect(await waits(id)).toBeLessThanOrEqual(3_600);
  });

  it('does not keep a show of another host waiting, however many wait for it (CASES, queue 12)', async () => {
    busy.behave('/crowd/', { do: 'status', code: 429, headers: { 'retry-after': '600' } });
    const first = await archive.postShow({ season: 'Fall 1981 Couture', images: looks(2, busy.url('/crowd/a')) });
    await archive.db.query(
      `INSERT INTO ingest_jobs (created_at, updated_at, next_attempt_at, status, payload, kind, brand_id)
       SELECT created_at, updated_at, next_attempt_at, status,
         replace(payload, 'crowd/a', 'crowd/' || n), kind, brand_id
       FROM ingest_jobs, generate_series(1, 499) AS n WHERE id = $1`,
      [first],
    );
    const before = busy.total;
    await archive.drain();
    const [pending] = await archive.db.query(
      `SELECT count(*)::int AS jobs, max(attempts)::int AS attempts FROM ingest_jobs WHERE error_code = 'host_cooling'`,
    );
    expect(pending).toEqual({ jobs: 500, attempts: 0 });
    // What was under way when the first answer came.
    expect(busy.total - before).toBeLessThanOrEqual(4);
    const asked = busy.total;

    const id = await archive.postShow({ season: 'Fall 1982 Couture', images: looks(2, other.url('/uncrowded')) });
    expect(await archive.app.get(ClaimWorker, { strict: false }).runOnce()).toEqual({ claimed: 1 });
    await archive.app.get(RunningJobs, { strict: false }).ended();
    expect(await archive.job(id)).toMatchObject({ outcome: 'created' });
    expect(busy.total).toBe(asked);
  });
});
