import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Hashids from 'hashids';
import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio } from 'thumbhash';
import { BrandsService } from '../../src/brands/brands.service.js';
import { pictureKeyOf } from '../../src/media/object-key.js';
import { startGalleriesApp, type GalleriesApp, type JobRecord } from '../harness/galleries-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { runwayData, streetData } from '../harness/payloads.js';
import { ADMIN_TOKEN } from '../harness/test-config.js';

let archive: GalleriesApp;
let shows = 0;

beforeAll(async () => {
  archive = await startGalleriesApp();
});
afterAll(() => archive.close());

/** A season of its own, so that no test meets another's show. */
const aSeason = (): string => `${shows % 2 === 0 ? 'Fall' : 'Spring'} ${1980 + (shows++ >> 1)} Ready-to-Wear`;

/** Posts a show, or the same again, and works on it. */
async function crawl(over: Record<string, unknown>): Promise<JobRecord> {
  const id = await archive.postShow(over);
  await archive.drain();
  return archive.job(id);
}

/** A show in the archive, of pictures in a folder of its own at the origin. */
async function archived(count = 3): Promise<{ season: string; folder: string; galleryId: string; job: JobRecord }> {
  const season = aSeason();
  const folder = season.replaceAll(' ', '-').toLowerCase();
  const job = await crawl({ season, images: archive.looks(folder, count) });
  expect(job).toMatchObject({ outcome: 'created' });
  return { season, folder, galleryId: job.gallery_id ?? '', job };
}

const mutate = async (mutation: string, id: string, more = ''): Promise<Record<string, unknown>> => {
  const { data, errors } = await archive.ask(
    `mutation ($id: ID!) { done: ${mutation}(id: $id${more}) { id status revision } }`,
    {
      id,
    },
  );
  return (data?.['done'] as Record<string, unknown> | undefined) ?? { error: errors[0]?.extensions['code'] };
};
const reject = (id: string): Promise<Record<string, unknown>> =>
  mutate('rejectGallery', id, ', reason: "Wrong pictures"');

const picturesOf = (
  galleryId: string,
): Promise<{ object_key: string | null; state: string; error_code: string | null }[]> =>
  archive.db.query(
    'SELECT object_key, state, error_code FROM gallery_pictures WHERE gallery_id = $1 ORDER BY position',
    [galleryId],
  );
const cleanupOf = async (galleryId: string): Promise<JobRecord> => {
  const [row] = await archive.db.query<{ id: string }>(
    `SELECT id FROM ingest_jobs WHERE kind = 'media_cleanup' AND gallery_id = $1 ORDER BY id DESC LIMIT 1`,
    [galleryId],
  );
  return archive.job(row?.id ?? '');
};
const media = (key: string, token?: string): Promise<Response> =>
  fetch(`${archive.url}/media/${key}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

describe('a show that is posted', () => {
  it('is in the archive with its pictures, byte for byte', async () => {
    const { galleryId, folder, job } = await archived(3);
    expect(job).toMatchObject({ status: 'done', note: '新建 3 张图', brand_id: '7', attempts: 1, suspect: false });
    const pictures = await picturesOf(galleryId);
    expect(pictures.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
    const bytes = Buffer.from(await (await media(pictures[0]?.object_key ?? '', ADMIN_TOKEN)).arrayBuffer());
    expect(bytes.equals(await archive.origin.picture(`/${folder}/look-1.jpg`))).toBe(true);
  });

  it('is skipped when it is there already, and no picture is fetched again', async () => {
    const { season, folder, galleryId } = await archived(2);
    await mutate('publishGallery', galleryId);
    const asked = archive.origin.total;
    expect(await crawl({ season, images: archive.looks(folder, 9) })).toMatchObject({
      status: 'done',
      outcome: 'skipped_existing',
      note: '已存在(status=published),载荷 9 张,库中 2 张',
      gallery_id: galleryId,
      suspect: false,
    });
    expect(archive.origin.total).toBe(asked);
  });

  it('is reused when it was rejected: same id, next revision, and the old files are cleaned after', async () => {
    const { season, galleryId } = await archived(2);
    const old = await picturesOf(galleryId);
    expect(await reject(galleryId)).toMatchObject({ status: 'rejected', revision: 1 });
    expect(await crawl({ season, images: archive.looks('retake', 4) })).toMatchObject({
      outcome: 'reused_rejected',
      note: '复用被驳回的记录并覆盖,4 张图',
      gallery_id: galleryId,
    });
    const { data } = await archive.ask(
      `query ($id: ID!) { gallery(id: $id) { status revision pictureCount rejectReason } }`,
      {
        id: galleryId,
      },
    );
    expect(data?.['gallery']).toEqual({ status: 'pending_review', revision: 2, pictureCount: 4, rejectReason: null });
    expect(await cleanupOf(galleryId)).toMatchObject({ outcome: 'cleaned', note: '清理 2 个文件', brand_id: '7' });
    const objects = await archive.objects();
    for (const { object_key: key } of old) expect(objects).not.toContain(key);
    for (const { object_key: key } of await picturesOf(galleryId)) expect(objects).toContain(key);
  });

  it('is skipped for ever once it was deleted, and its files go when the trash is emptied', async () => {
    const { season, folder, galleryId } = await archived(2);
    await mutate('deleteGallery', galleryId);
    const skipped = { outcome: 'skipped_deleted', note: `已删除(${new Date().toISOString().slice(0, 10)}),跳过` };
    expect(await crawl({ season, images: archive.looks(folder, 2) })).toMatchObject(skipped);
    expect((await cleanupOf(galleryId)).status).toBe('pending');
    await archive.letTimePass();
    expect(await cleanupOf(galleryId)).toMatchObject({ outcome: 'cleaned', note: '清理 2 个文件' });
    expect((await picturesOf(galleryId)).map(({ state }) => state)).toEqual(['missing', 'missing']);
    expect(await crawl({ season, images: archive.looks(folder, 2) })).toMatchObject(skipped);
  });

  it('keeps its files when it is restored before the trash is emptied', async () => {
    const { galleryId } = await archived(2);
    await mutate('deleteGallery', galleryId);
    await mutate('restoreGallery', galleryId);
    await archive.letTimePass();
    expect(await cleanupOf(galleryId)).toMatchObject({ outcome: 'noop', note: '已恢复,无需清理' });
    const objects = await archive.objects();
    for (const { object_key: key } of await picturesOf(galleryId)) expect(objects).toContain(key);
  });

  it('is flagged when its category was guessed and no picture is the same', async () => {
    const season = aSeason().replace(' Ready-to-Wear', '');
    await crawl({ season, images: archive.looks('guessed-one', 2) });
    expect(await crawl({ season, images: archive.looks('guessed-two', 2) })).toMatchObject({
      outcome: 'skipped_existing',
      note: '已存在(status=pending_review),载荷 2 张,库中 2 张,但图片无一相同,可能是另一场',
      suspect: true,
    });
  });

  it('posted twice at once is created once; what the slower one stored is swept up', async () => {
    const season = aSeason();
    const images = archive.looks('raced', 5);
    const ids = [await archive.postShow({ season, images }), await archive.postShow({ season, images })];
    await archive.drain();
    const jobs = await Promise.all(ids.map((id) => archive.job(id)));
    expect(jobs.map(({ outcome }) => outcome).sort()).toEqual(['created', 'skipped_existing']);
    expect(archive.origin.requests('/raced/look-1.jpg')).toBe(2);
    const kept = await picturesOf(jobs[0]?.gallery_id ?? '');
    const loser = jobs.find(({ outcome }) => outcome === 'skipped_existing')?.id ?? '';
    const ofLoser = async (): Promise<string[]> =>
      (await archive.objects()).filter((key) => key.startsWith(`runway/${loser}/`));
    expect(await ofLoser()).toHaveLength(5);
    expect(await archive.sweepOrphans()).toBe(1);
    expect(await archive.sweepOrphans()).toBe(0);
    await archive.drain();
    expect(await ofLoser()).toEqual([]);
    const objects = await archive.objects();
    for (const { object_key: key } of kept) expect(objects).toContain(key);
  });
});

describe('pictures that fail', () => {
  it('leave a gallery that says which are missing', async () => {
    const season = aSeason();
    archive.origin.behave('/partial/look-7.jpg', { do: 'status', code: 404 });
    archive.origin.behave('/partial/look-8.jpg', { do: 'status', code: 410 });
    archive.origin.behave('/partial/look-9.jpg', { do: 'redirect', to: 'http://127.0.0.1:1/private.jpg' });
    const job = await crawl({ season, images: archive.looks('partial', 45), expected_images: 45 });
    expect(job).toMatchObject({
      outcome: 'created',
      note: '新建 42/45 张图;未取到: Look 7 http_404, Look 8 http_410, Look 9 forbidden_address',
    });
    const { data } = await archive.ask(
      `query ($id: ID!) { gallery(id: $id) { pictureCount missingCount sentCount expectedCount cover { look state } } }`,
      { id: job.gallery_id },
    );
    expect(data?.['gallery']).toEqual({
      pictureCount: 42,
      missingCount: 3,
      sentCount: 45,
      expectedCount: 45,
      cover: { look: '1', state: 'stored' },
    });
    expect((await picturesOf(job.gallery_id ?? '')).slice(6, 9)).toEqual(
      ['http_404', 'http_410', 'forbidden_address'].map((code) => ({
        object_key: null,
        state: 'failed',
        error_code: code,
      })),
    );
  });

  it('for a moment are fetched again with the job, and they alone', async () => {
    const season = aSeason();
    archive.origin.behave('/moment/look-3.jpg', { do: 'fail', times: 1 });
    archive.origin.behave('/moment/look-4.jpg', { do: 'fail', times: 2 });
    const id = await archive.postShow({ season, images: archive.looks('moment', 5) });
    await archive.drain();
    expect(await archive.job(id)).toMatchObject({ status: 'pending', attempts: 1, error_code: 'pictures_missing' });
    await archive.letTimePass();
    expect(await archive.job(id)).toMatchObject({ status: 'pending', attempts: 2, error_code: 'pictures_missing' });
    await archive.letTimePass();
    expect(await archive.job(id)).toMatchObject({
      outcome: 'created',
      note: '新建 5 张图',
      attempts: 3,
      last_error: null,
    });
    expect([1, 2, 3, 4, 5].map((look) => archive.origin.requests(`/moment/look-${look}.jpg`))).toEqual([1, 1, 2, 3, 1]);
  });

  it('three times fail the job; a retry fetches what is missing and nothing else', async () => {
    const season = aSeason();
    for (const look of [1, 2]) archive.origin.behave(`/down/look-${look}.jpg`, { do: 'status', code: 500 });
    archive.origin.behave(`/down/look-3.jpg`, { do: 'status', code: 404 });
    const id = await archive.postShow({ season, images: archive.looks('down', 5) });
    for (let attempt = 1; attempt <= 3; attempt++) await archive.letTimePass();
    expect(await archive.job(id)).toMatchObject({
      status: 'failed',
      attempts: 3,
      outcome: null,
      error_code: 'too_few_pictures',
    });
    expect(
      await archive.db.query('SELECT 1 FROM gallery_pictures WHERE object_key LIKE $1', [`runway/${id}/%`]),
    ).toEqual([]);
    archive.origin.behaveWell();
    const retried = await archive.ask('mutation ($id: ID!) { retryJob(id: $id) { status } }', { id });
    expect(retried.data).toEqual({ retryJob: { status: 'pending' } });
    await archive.drain();
    expect(await archive.job(id)).toMatchObject({ outcome: 'created', note: '新建 5 张图', attempts: 1 });
    expect([1, 2, 3, 4, 5].map((look) => archive.origin.requests(`/down/look-${look}.jpg`))).toEqual([4, 4, 2, 1, 1]);
  });
});

describe('what only looks like a picture', () => {
  it('is tried once more and then missing: a page in place of a picture (CASES, pictures 4)', async () => {
    archive.origin.behave('/page/look-42.jpg', { do: 'html' });
    const id = await archive.postShow({ season: aSeason(), images: archive.looks('page', 45) });
    await archive.drain();
    await archive.letTimePass();
    expect(await archive.job(id)).toMatchObject({
      outcome: 'created',
      note: '新建 44/45 张图;未取到: Look 42 not_an_image',
    });
    expect(archive.origin.requests('/page/look-42.jpg')).toBe(2);
    expect((await archive.objects()).filter((key) => key.startsWith(`runway/${id}/42-`))).toEqual([]);
  });

  it('is one error picture in ten places: no picture of the gallery, and swept up (CASES, pictures 9)', async () => {
    for (let look = 11; look <= 20; look++) {
      archive.origin.behave(`/placeholders/look-${look}.jpg`, { do: 'placeholder' });
    }
    const job = await crawl({ season: aSeason(), images: archive.looks('placeholders', 50) });
    expect(job).toMatchObject({ outcome: 'created' });
    expect(job.note).toMatch(/^新建 40\/50 张图;未取到: Look 11 placeholder, Look 12 placeholder, /);
    const pictures = await picturesOf(job.gallery_id ?? '');
    expect(pictures.slice(10, 20)).toEqual(
      Array(10).fill({ object_key: null, state: 'failed', error_code: 'placeholder' }),
    );
    await archive.sweepOrphans();
    await archive.drain();
    const kept = (await archive.objects()).filter((key) => key.startsWith(`runway/${job.id}/`));
    expect(new Set(kept.map(pictureKeyOf))).toEqual(new Set(pictures.flatMap((one) => one.object_key ?? [])));
  });
});

describe('a gallery with holes', () => {
  const lastJob = async (kind: string, galleryId: string): Promise<JobRecord> => {
    const [row] = await archive.db.query<{ id: string }>(
      'SELECT id FROM ingest_jobs WHERE kind = $1 AND gallery_id = $2 ORDER BY id DESC LIMIT 1',
      [kind, galleryId],
    );
    return archive.job(row?.id ?? '');
  };

  it('is filled when an editor asks for it, and its brand’s records say what came', async () => {
    const season = aSeason();
    archive.origin.behave('/holes/look-7.jpg', { do: 'status', code: 404 });
    archive.origin.behave('/holes/look-8.jpg', { do: 'fail', times: 1, code: 404 });
    const { gallery_id: galleryId } = await crawl({ season, images: archive.looks('holes', 12) });
    const id = galleryId ?? '';
    expect(await mutate('refillGallery', id)).toMatchObject({ id });
    expect(await mutate('refillGallery', id)).toEqual({ error: 'refill-waiting' });
    await archive.drain();
    const { data } = await archive.ask(
      `query ($id: ID!) {
        gallery(id: $id) { pictureCount missingCount pictures { position state errorCode } }
        brand(id: "7") { updateRecords(first: 1) { nodes { kind outcome note galleryId submittedBy subject } } }
      }`,
      { id },
    );
    expect(data?.['gallery']).toMatchObject({ pictureCount: 11, missingCount: 1 });
    expect(data?.['brand']).toMatchObject({
      updateRecords: {
        nodes: [
          {
            kind: 'media_refill',
            outcome: 'refilled',
            note: '补图 1/2;未取到: Look 7 http_404',
            galleryId: id,
            submittedBy: 'admin',
          },
        ],
      },
    });
    expect(archive.origin.requests('/holes/look-1.jpg')).toBe(1);
    await mutate('deleteGallery', id);
    expect(await mutate('refillGallery', id)).toEqual({ error: 'gallery-deleted' });
  });

  it('is filled by itself after it was restored from an emptied trash, byte for byte', async () => {
    const { galleryId, folder } = await archived(3);
    expect(await mutate('refillGallery', galleryId)).toEqual({ error: 'gallery-complete' });
    await mutate('deleteGallery', galleryId);
    await archive.letTimePass();
    await mutate('restoreGallery', galleryId);
    expect(await mutate('publishGallery', galleryId)).toEqual({ error: 'gallery-empty' });
    await archive.drain();
    expect(await lastJob('media_refill', galleryId)).toMatchObject({
      outcome: 'refilled',
      note: '补图 3/3',
      brand_id: '7',
    });
    expect(await mutate('publishGallery', galleryId)).toMatchObject({ id: galleryId });
    const pictures = await picturesOf(galleryId);
    const bytes = Buffer.from(await (await media(pictures[2]?.object_key ?? '')).arrayBuffer());
    expect(bytes.equals(await archive.origin.picture(`/${folder}/look-3.jpg`))).toBe(true);
  });
});

describe('street style', () => {
  it('is created without a brand, and skipped the second time', async () => {
    const images = archive.looks('street', 3);
    const first = await archive.postStreet({ images });
    await archive.drain();
    const second = await archive.postStreet({ images });
    await archive.drain();
    expect(await archive.job(first)).toMatchObject({ outcome: 'created', brand_id: '0', brandless: true });
    expect(await archive.job(second)).toMatchObject({
      outcome: 'skipped_existing',
      note: '已存在(status=pending_review),载荷 3 张,库中 3 张',
    });
    const { data } = await archive.ask('{ streetStyleUpdateRecords(first: 2) { nodes { id outcome subject } } }');
    expect(data?.['streetStyleUpdateRecords']).toEqual({
      nodes: [
        { id: second, outcome: 'skipped_existing', subject: '2026 春夏 · 街拍 · 巴黎' },
        { id: first, outcome: 'created', subject: '2026 春夏 · 街拍 · 巴黎' },
      ],
    });
  });

  it('posted twice at once by one page under two titles is created once', async () => {
    const images = archive.looks('street-raced', 3);
    const source = { url: 'https://street.example/milan/1' };
    const ids = [
      await archive.postStreet({ images, source, market: 'milan', day: 1, title: 'Milan, Spring 2026' }),
      await archive.postStreet({ images, source, market: 'milan', day: 1, title: 'Milan, Spring 2026, updated' }),
    ];
    await archive.drain();
    const jobs = await Promise.all(ids.map((id) => archive.job(id)));
    expect(jobs.map(({ outcome }) => outcome).sort()).toEqual(['created', 'skipped_existing']);
  });
});

describe('rows from before', () => {
  const legacy = async (payload: unknown, row: Record<string, string | number> = {}): Promise<JobRecord> => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const [id = ''] = await insertJobs(archive.db, 1, { kind: 'crawl', payload: text, next_attempt_at: 0, ...row });
    await archive.drain();
    return archive.job(id);
  };

  it('are worked on by the hashid in their payload, and get their brand', async () => {
    const hashid = archive.app.get(BrandsService, { strict: false }).hashidOf('8');
    const job = await legacy({ brand_hashid: hashid, season: '2019秋冬 高级成衣', images: archive.looks('legacy', 2) });
    expect(job).toMatchObject({ outcome: 'created', brand_id: '8', brandless: false, subject: '2019 秋冬 · 高级成衣' });
    const { data } = await archive.ask('{ brand(id: "8") { updateRecords(first: 1) { nodes { id outcome note } } } }');
    expect(data?.['brand']).toEqual({
      updateRecords: { nodes: [{ id: job.id, outcome: 'created', note: '新建 2 张图' }] },
    });
  });

  it('of street style say so themselves', async () => {
    const data = { ...streetData({ images: archive.looks('legacy-street', 2), day: 9 }), kind: 'street' };
    expect(await legacy(data)).toMatchObject({ outcome: 'created', brand_id: '0', brandless: true });
  });

  it('with a hashid of another salt fail for good', async () => {
    const foreign = new Hashids('the salt of another house', 8).encode(7);
    const job = await legacy({ brand_hashid: foreign, season: 'Fall 2019', images: archive.looks('foreign', 1) });
    expect(job).toMatchObject({ status: 'failed', attempts: 1, error_code: 'brand_not_found', brand_id: '0' });
    expect(job.last_error).toContain(foreign);
  });

  it('that nobody can read fail for good, and keep their payload', async () => {
    const job = await legacy('{"season": "Fall 20');
    expect(job).toMatchObject({ status: 'failed', attempts: 1, error_code: 'payload_unreadable' });
    expect(await archive.db.query('SELECT payload FROM ingest_jobs WHERE id = $1', [job.id])).toEqual([
      { payload: '{"season": "Fall 20' },
    ]);
  });

  it('without a season fail for good, with the text', async () => {
    const job = await legacy(runwayData({ season: 'The collection', images: archive.looks('seasonless', 1) }), {
      brand_id: 7,
    });
    expect(job).toMatchObject({ status: 'failed', error_code: 'season_unparsed' });
    expect(job.last_error).toContain('The collection');
  });

  it('with nothing in them end as such', async () => {
    expect(await legacy('{}')).toMatchObject({ outcome: 'noop', note: '空载荷,无需处理' });
    expect(await legacy({ object_keys: [] }, { kind: 'media_cleanup' })).toMatchObject({ outcome: 'noop' });
  });

  it('may hold text that no column can, and are worked on all the same', async () => {
    const payload = JSON.stringify(runwayData({ season: aSeason(), images: archive.looks('unstorable', 1) })).replace(
      'Look 1',
      'Look 1 \\u0000\\ud83d',
    );
    expect(await legacy(payload, { brand_id: 7 })).toMatchObject({ outcome: 'created' });
  });
});

describe('the update records of a brand', () => {
  it('tell what each crawl did, the newest first', async () => {
    const { season, folder, galleryId, job } = await archived(2);
    const again = await crawl({ season, images: archive.looks(folder, 2) });
    const { data } = await archive.ask<{ brand: { updateRecords: { nodes: unknown[] } } }>(
      `{ brand(id: "7") { updateRecords(first: 2) { nodes {
        id kind status outcome note galleryId attempts submittedBy suspect attemptHistory { result } } } } }`,
    );
    const common = {
      kind: 'crawl',
      status: 'done',
      galleryId,
      attempts: 1,
      submittedBy: 'dev',
      suspect: false,
      attemptHistory: [{ result: 'done' }],
    };
    const note = '已存在(status=pending_review),载荷 2 张,库中 2 张';
    expect(data?.brand.updateRecords.nodes).toMatchObject([
      { ...common, id: again.id, outcome: 'skipped_existing', note },
      { ...common, id: job.id, outcome: 'created', note: '新建 2 张图' },
    ]);
  });
});

describe('a picture of the archive', () => {
  it('is shown to everybody once its gallery is published, and else to whoever is signed in', async () => {
    const { galleryId } = await archived(1);
    const [picture] = await picturesOf(galleryId);
    const key = picture?.object_key ?? '';
    const seen = async (): Promise<number[]> =>
      (await Promise.all([media(key), media(key, 'wrong'), media(key, ADMIN_TOKEN)])).map(({ status }) => status);
    expect(await seen()).toEqual([404, 404, 200]);
    await mutate('publishGallery', galleryId);
    expect(await seen()).toEqual([200, 200, 200]);
    await reject(galleryId);
    expect(await seen()).toEqual([404, 404, 200]);
    await mutate('publishGallery', galleryId);
    await mutate('deleteGallery', galleryId);
    expect(await seen()).toEqual([404, 404, 200]);
    await archive.letTimePass();
    expect(await seen()).toEqual([404, 404, 404]);
  });

  it('is sent as what it is, for ever, and as nothing that runs', async () => {
    const { galleryId } = await archived(1);
    const [picture] = await picturesOf(galleryId);
    await mutate('publishGallery', galleryId);
    const { headers } = await media(picture?.object_key ?? '');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    await reject(galleryId);
    expect((await media(picture?.object_key ?? '', ADMIN_TOKEN)).headers.get('cache-control')).toMatch(/^private/);
  });

  it('has a thumbnail beside it that the same people see, and that goes with it', async () => {
    const { galleryId } = await archived(1);
    const query = '{ pictures { url thumbnailUrl thumbhash } }';
    const asked = await archive.ask<{ gallery: { pictures: { thumbnailUrl: string; thumbhash: string }[] } }>(
      `query ($id: ID!) { gallery(id: $id) ${query} }`,
      { id: galleryId },
    );
    const { thumbnailUrl = '', thumbhash = '' } = asked.data?.gallery.pictures[0] ?? {};
    const key = thumbnailUrl.replace('/media/', '');
    const seen = async (): Promise<number[]> =>
      (await Promise.all([media(key), media(key, ADMIN_TOKEN)])).map(({ status }) => status);
    expect(await seen()).toEqual([404, 200]);
    await mutate('publishGallery', galleryId);
    const response = await media(key);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', height: 240 });
    expect(thumbHashToApproximateAspectRatio(Buffer.from(thumbhash, 'base64'))).toBeCloseTo(2 / 3, 0);
    await mutate('deleteGallery', galleryId);
    await archive.letTimePass();
    expect(await seen()).toEqual([404, 404]);
    expect(await archive.thumbnails()).not.toContain(key);
    const after = await archive.ask(`query ($id: ID!) { gallery(id: $id) ${query} }`, { id: galleryId });
    expect(after.data?.['gallery']).toEqual({ pictures: [{ url: null, thumbnailUrl: null, thumbhash }] });
  });

  it.each([
    'runway/1/1-0000000000000000.jpg',
    'runway/1/1-0000000000000000.jpg.thumb.webp',
    '..%2f..%2fetc/1/passwd',
    'runway/1/x.svg',
    'runway/1/%00.jpg',
  ])('is not found at %s', async (key) => {
    const response = await media(key, ADMIN_TOKEN);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('what an editor decides', () => {
  it('is refused with a reason, and changes nothing', async () => {
    const { galleryId } = await archived(1);
    for (const mutation of ['publishGallery', 'deleteGallery', 'restoreGallery']) {
      expect(await mutate(mutation, '999999')).toEqual({ error: 'gallery-not-found' });
      expect(await mutate(mutation, 'x')).toEqual({ error: 'id-invalid' });
    }
    expect(await mutate('rejectGallery', galleryId, ', reason: "  "')).toEqual({ error: 'reason-needed' });
    await mutate('deleteGallery', galleryId);
    expect(await mutate('publishGallery', galleryId)).toEqual({ error: 'gallery-deleted' });
    expect(await reject(galleryId)).toEqual({ error: 'gallery-deleted' });
    expect(
      await archive.db.query('SELECT action FROM gallery_events WHERE gallery_id = $1 ORDER BY id', [galleryId]),
    ).toEqual(['created', 'deleted'].map((action) => ({ action })));
  });

  it('is written down once, however often it is said', async () => {
    const { galleryId } = await archived(1);
    for (let time = 1; time <= 2; time++) {
      for (const mutation of ['publishGallery', 'deleteGallery']) await mutate(mutation, galleryId);
    }
    for (let time = 1; time <= 2; time++) await mutate('restoreGallery', galleryId);
    const events = await archive.db.query(
      'SELECT action, actor FROM gallery_events WHERE gallery_id = $1 ORDER BY id',
      [galleryId],
    );
    expect(events).toEqual([
      { action: 'created', actor: 'dev' },
      { action: 'published', actor: 'admin' },
      { action: 'deleted', actor: 'admin' },
      { action: 'restored', actor: 'admin' },
    ]);
  });

  it('needs a token', async () => {
    const response = await fetch(`${archive.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { publishGallery(id: "1") { id } }' }),
    });
    expect(await response.text()).toContain('"unauthenticated"');
  });
});
