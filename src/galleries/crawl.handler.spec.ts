import { beforeEach, describe, expect, it } from '@jest/globals';
import { TX } from '../../test/harness/fakes/fake-archive.js';
import { FakeGalleriesRoom } from '../../test/harness/fakes/fake-galleries-room.js';
import { claimedJob } from '../../test/harness/fakes/fake-jobs.js';
import { busy, cooling, gone } from '../../test/harness/fakes/fake-media.js';
import { looks, message, runwayData, streetData } from '../../test/harness/payloads.js';
import type { Departure } from '../jobs/ingest-job.state.js';
import { StoreError, type StoreErrorOptions } from '../media/store-error.js';

type Fields = Record<string, unknown>;

const url = (look: number): string => `https://pictures.example/look-${look}.jpg`;
const show = (over: Fields = {}): Fields => message('runway.show', runwayData(over));
const street = (over: Fields = {}): Fields => message('street.gallery', streetData(over));
const ended = ({ settlement, error }: Departure): unknown =>
  settlement === null ? error?.code : [settlement.outcome, settlement.note];

let room: FakeGalleriesRoom;

beforeEach(() => {
  room = new FakeGalleriesRoom();
});

/** A first crawl of the show; what it asked for is forgotten. @returns its gallery's id */
async function archived(body: Fields = show()): Promise<string> {
  const { settlement } = await room.crawl(body, { brandId: '7' });
  room.fetcher.fetched.length = 0;
  return settlement?.galleryId ?? '';
}

describe('a show that the archive does not have', () => {
  it('is created, to be reviewed', async () => {
    const left = await room.crawl(show({ images: looks(45) }), { brandId: '7', submittedBy: 'vogue' });
    expect(left).toMatchObject({ status: 'done', error: null });
    expect(ended(left)).toEqual(['created', '新建 45 张图']);
    const gallery = room.archive.gallery(left.settlement?.galleryId ?? '');
    expect(gallery).toMatchObject({
      status: 'pending_review',
      revision: 1,
      cover: 1,
      events: [{ actor: 'vogue', action: 'created' }],
    });
    expect(gallery.pictures.every(({ state }) => state === 'stored')).toBe(true);
    expect(room.store.keys).toHaveLength(45);
    expect(room.archive.rows.slots).toEqual([]);
  });

  it('tells its row what it is about', async () => {
    expect((await room.crawl(show(), { brandId: '7' })).settlement).toMatchObject({
      brandId: '7',
      brandless: false,
      subject: '2026 秋冬 · 高级成衣 · 巴黎',
      subjectKey: 'runway:7:2026:fall:rtw:paris:',
    });
  });

  it('is written under the brand that its row’s brand was merged into', async () => {
    expect((await room.crawl(show({ brand: undefined, brand_id: 6 }), { brandId: '6' })).settlement).toMatchObject({
      outcome: 'created',
      brandId: '7',
    });
  });

  it('is another show in another category, season or place', async () => {
    await archived();
    for (const over of [
      { season: 'Fall 2026 Couture' },
      { season: 'Spring 2026 Ready-to-Wear' },
      { market: 'milan' },
    ]) {
      expect((await room.crawl(show(over), { brandId: '7' })).settlement?.outcome).toBe('created');
    }
    expect(room.archive.rows.galleries).toHaveLength(4);
  });

  it('reports how far it is', async () => {
    await room.crawl(show({ images: looks(3) }), { brandId: '7' });
    expect(room.runner.progress).toEqual(['0/3', '1/3', '2/3', '3/3']);
  });
});

describe('a show that was rejected', () => {
  it('is reused under the same id, with a new revision; the old one’s files are cleaned after', async () => {
    const id = await archived();
    const old = room.store.keys;
    room.archive.gallery(id).status = 'rejected';
    const left = await room.crawl(show({ images: looks(3) }), { brandId: '7', submittedBy: 'vogue' });
    expect(ended(left)).toEqual(['reused_rejected', '复用被驳回的记录并覆盖,3 张图']);
    expect(left.settlement?.galleryId).toBe(id);
    expect(room.archive.gallery(id)).toMatchObject({ status: 'pending_review', revision: 2, pictures: [{}, {}, {}] });
    expect(room.archive.gallery(id).events.map(({ action }) => action)).toEqual(['created', 'overwritten']);
    const [cleanup] = room.archive.rows.jobs;
    expect(cleanup).toMatchObject({ kind: 'media_cleanup', brandId: '7', galleryId: id, submittedBy: 'vogue' });
    expect(ended(await room.cleanUp(cleanup?.payload))).toEqual(['cleaned', '清理 2 个文件']);
    expect(room.store.keys).toEqual(
      room.archive
        .gallery(id)
        .pictures.map(({ objectKey }) => objectKey)
        .sort(),
    );
    expect(room.store.keys).not.toEqual(expect.arrayContaining(old));
  });
});

describe('a show that the archive has', () => {
  it.each(['pending_review', 'published'] as const)('is skipped as %s, and nothing is fetched', async (status) => {
    const id = await archived(show({ images: looks(6) }));
    room.archive.gallery(id).status = status;
    const left = await room.crawl(show({ images: looks(45) }), { brandId: '7' });
    expect(ended(left)).toEqual(['skipped_existing', `已存在(status=${status}),载荷 45 张,库中 6 张`]);
    expect(left.settlement).toMatchObject({ galleryId: id, suspect: false });
    expect(room.fetcher.fetched).toEqual([]);
    expect(room.archive.gallery(id).revision).toBe(1);
  });

  it('is skipped as deleted with the day, and for ever', async () => {
    const id = await archived();
    room.archive.gallery(id).deletedAt = Date.UTC(2026, 0, 2, 23, 59) / 1000;
    for (const status of ['pending_review', 'published', 'rejected'] as const) {
      room.archive.gallery(id).status = status;
      const left = await room.crawl(show(), { brandId: '7' });
      expect(ended(left)).toEqual(['skipped_deleted', '已删除(2026-01-02),跳过']);
      expect(left.settlement?.galleryId).toBe(id);
    }
    expect(room.fetcher.fetched).toEqual([]);
  });

  it('is flagged when its category was guessed and no picture is the same', async () => {
    await archived(show({ season: 'Fall 2026' }));
    const other = looks(2, 'https://elsewhere.example');
    expect(await room.crawl(show({ season: 'Fall 2026', images: other }), { brandId: '7' })).toMatchObject({
      settlement: {
        suspect: true,
        note: '已存在(status=pending_review),载荷 2 张,库中 2 张,但图片无一相同,可能是另一场',
      },
    });
    expect(await room.crawl(show({ season: 'Fall 2026' }), { brandId: '7' })).toMatchObject({
      settlement: { suspect: false },
    });
  });

  it('is found by its source although the category is guessed by one of the two', async () => {
    const source = { url: 'https://runway.example/fall-2026' };
    const id = await archived(show({ season: 'Fall 2026 Couture', source }));
    const left = await room.crawl(show({ season: 'Fall 2026', source }), { brandId: '7' });
    expect(left.settlement).toMatchObject({ outcome: 'skipped_existing', galleryId: id });
  });

  it('is skipped at its commit when another crawl was quicker; what was stored for it is left to the sweep', async () => {
    let raced = false;
    room.store.before = async () => {
      if (raced) return;
      raced = true;
      await room.crawl(show(), { brandId: '7', id: '500' });
    };
    const slow = await room.crawl(show(), { brandId: '7', id: '501' });
    expect(ended(slow)).toEqual(['skipped_existing', '已存在(status=pending_review),载荷 2 张,库中 2 张']);
    expect(room.archive.rows.galleries).toHaveLength(1);
    expect(room.archive.slotsOf('501').map(({ state }) => state)).toEqual(['stored', 'stored']);
  });

  it('is tried again when what made it needless is gone at its commit', async () => {
    const id = await archived();
    const { transactions, archive } = room;
    const run = transactions.run.bind(transactions);
    transactions.run = (work) => {
      archive.gallery(id).status = 'rejected';
      return run(work);
    };
    expect(await room.crawl(show(), { brandId: '7' })).toMatchObject({
      result: 'retry',
      error: { code: 'archive_changed' },
    });
    transactions.run = run;
    expect((await room.crawl(show(), { brandId: '7' })).settlement?.outcome).toBe('reused_rejected');
  });
});

describe('what a person decided about a crawl', () => {
  const take = (galleryId: string): string => JSON.stringify({ decision: 'take', galleryId });

  it.each(['pending_review', 'published', 'rejected'] as const)('to take it: %s is written over', async (status) => {
    const id = await archived();
    room.archive.gallery(id).status = status;
    room.archive.gallery(id).suspect = true;
    const left = await room.crawl(show({ images: looks(3) }), {
      brandId: '7',
      submittedBy: 'Ada',
      overrides: take(id),
    });
    expect(ended(left)).toEqual(['overwritten', '按编辑决定覆盖,3 张图']);
    expect(room.archive.gallery(id)).toMatchObject({
      status: 'pending_review',
      revision: 2,
      suspect: false,
      pictures: [{}, {}, {}],
      events: [{ action: 'created' }, { action: 'overwritten', actor: 'Ada' }],
    });
    expect(room.archive.rows.jobs).toMatchObject([{ kind: 'media_cleanup', galleryId: id }]);
  });

  it('to take it: what is in the trash stays there, and nothing is fetched', async () => {
    const id = await archived();
    room.archive.gallery(id).deletedAt = 1;
    const left = await room.crawl(show({ images: looks(3) }), { brandId: '7', overrides: take(id) });
    expect(left).toMatchObject({ status: 'failed', error: { code: 'gallery_deleted' } });
    expect(room.fetcher.fetched).toEqual([]);
    expect(await room.crawl(show(), { brandId: '7', overrides: take('99') })).toMatchObject({
      status: 'failed',
      error: { code: 'gallery_gone' },
    });
  });

  it('to take it: a gallery that goes to the trash meanwhile is not written over', async () => {
    const id = await archived();
    room.store.before = () => {
      room.archive.gallery(id).deletedAt = 1;
      return Promise.resolve();
    };
    const left = await room.crawl(show({ images: looks(3) }), { brandId: '7', overrides: take(id) });
    expect(left).toMatchObject({ status: 'failed', error: { code: 'gallery_deleted' } });
    expect(room.archive.gallery(id)).toMatchObject({ revision: 1, pictures: [{}, {}] });
  });

  it('to make it a show of its own: by its key alone, although its page is that of another one', async () => {
    const source = { url: 'https://runway.example/fall-2026' };
    const id = await archived(show({ season: 'Fall 2026', source }));
    const own = JSON.stringify({ decision: 'own_show', category: 'menswear' });
    const left = await room.crawl(show({ season: 'Fall 2026', source }), { brandId: '7', overrides: own });
    expect(left.settlement).toMatchObject({ outcome: 'created', subjectKey: 'runway:7:2026:fall:menswear:paris:' });
    expect(left.settlement?.galleryId).not.toBe(id);
    expect(room.archive.gallery(left.settlement?.galleryId ?? '').categorySource).toBe('editor');
    expect(await room.crawl(show({ season: 'Fall 2026', source }), { brandId: '7', overrides: own })).toMatchObject({
      status: 'failed',
      error: { code: 'show_exists' },
    });
  });

  it('of its brand, season, category and market beats payload and row', async () => {
    const overrides = JSON.stringify({ brandId: '8', year: 2025, term: 'resort', category: 'couture', market: null });
    expect((await room.crawl(show(), { brandId: '7', overrides })).settlement).toMatchObject({
      outcome: 'created',
      brandId: '8',
      subjectKey: 'runway:8:2025:resort:couture::',
    });
  });

  it('fails the job for good where it cannot be read', async () => {
    expect(await room.crawl(show(), { brandId: '7', overrides: '{"year":"x"}' })).toMatchObject({
      status: 'failed',
      error: { code: 'overrides_unreadable' },
    });
  });
});

describe('a crawl that changed nothing', () => {
  it('is in the gallery’s history, with its job and its note', async () => {
    const id = await archived();
    await room.crawl(show(), { brandId: '7', id: '500', submittedBy: 'vogue' });
    room.archive.gallery(id).deletedAt = Date.UTC(2026, 0, 2) / 1000;
    await room.crawl(show(), { brandId: '7', id: '501', submittedBy: 'vogue' });
    expect(room.archive.gallery(id).events.slice(1)).toEqual([
      {
        actor: 'vogue',
        action: 'crawl_skipped',
        detail: '已存在(status=pending_review),载荷 2 张,库中 2 张',
        jobId: '500',
      },
      { actor: 'vogue', action: 'crawl_skipped', detail: '已删除(2026-01-02),跳过', jobId: '501' },
    ]);
  });

  it('is in the history of street style too', async () => {
    const { settlement } = await room.crawl(street());
    await room.crawl(street(), { id: '500' });
    const { events } = room.archive.gallery(settlement?.galleryId ?? '');
    expect(events.map(({ action, jobId }) => [action, jobId])).toEqual([
      ['created', expect.any(String)],
      ['crawl_skipped', '500'],
    ]);
  });

  it('makes the gallery suspect when it may have been another show, and no later crawl takes that back', async () => {
    const id = await archived(show({ season: 'Fall 2026' }));
    const other = show({ season: 'Fall 2026', images: looks(2, 'https://elsewhere.example') });
    await room.crawl(other, { brandId: '7' });
    expect(room.archive.gallery(id).suspect).toBe(true);
    await room.crawl(show({ season: 'Fall 2026' }), { brandId: '7' });
    expect(room.archive.gallery(id).suspect).toBe(true);
  });
});

describe('a crawl with nothing to do', () => {
  it.each(['{}', '{"images":[]}', '{"brand_hashid":"h7","season":"Fall 2026","images":[]}'])(
    'ends as such: %s',
    async (old) => {
      expect(ended(await room.crawl(old))).toEqual(['noop', '空载荷,无需处理']);
    },
  );
});

describe('street style', () => {
  it('is created without a brand, and skipped the second time', async () => {
    const first = await room.crawl(street());
    expect(ended(first)).toEqual(['created', '新建 2 张图']);
    expect(first.settlement).toMatchObject({ brandId: '0', brandless: true });
    expect(ended(await room.crawl(street()))).toEqual([
      'skipped_existing',
      '已存在(status=pending_review),载荷 2 张,库中 2 张',
    ]);
  });

  it('of another day is another gallery', async () => {
    await room.crawl(street({ day: 3 }));
    expect((await room.crawl(street({ day: 4 }))).settlement?.outcome).toBe('created');
  });

  it('is found by its page first', async () => {
    const source = { url: 'https://street.example/paris/3' };
    await room.crawl(street({ source }));
    const left = await room.crawl(street({ source, title: 'Another title, Paris, Spring 2026' }));
    expect(left.settlement?.outcome).toBe('skipped_existing');
  });
});

describe('the brand', () => {
  it('of a row from before is what its payload names', async () => {
    for (const brand of [{ brand_hashid: 'h7' }, { brand_id: 7 }, { brand: 'MAISON ECLAIR' }]) {
      const data = runwayData({
        brand: undefined,
        season: `Fall ${2020 + room.archive.rows.galleries.length}`,
        ...brand,
      });
      expect((await room.crawl(data)).settlement).toMatchObject({ outcome: 'created', brandId: '7' });
    }
  });

  it('of the row wins over the payload’s hashid', async () => {
    const data = runwayData({ brand: undefined, brand_hashid: 'h8' });
    expect((await room.crawl(data, { brandId: '7' })).settlement?.brandId).toBe('7');
  });

  it.each<[string, Fields, string]>([
    ['that is not in the archive any more', {}, '99'],
    ['that no row and no payload names', { brand: undefined }, '0'],
    ['of a foreign hashid', { brand: undefined, brand_hashid: 'foreign1' }, '0'],
    ['that the payload contradicts itself about', { brand: undefined, brand_hashid: 'h7', brand_id: 8 }, '0'],
  ])('%s fails the job for good', async (_, over, brandId) => {
    expect(await room.crawl(runwayData(over), { brandId })).toMatchObject({
      status: 'failed',
      error: { code: 'brand_not_found' },
    });
  });
});

describe('a payload that leads nowhere', () => {
  it('fails for good when it cannot be read, or has no season', async () => {
    expect(await room.crawl('not json', { brandId: '7' })).toMatchObject({
      status: 'failed',
      error: { code: 'payload_unreadable' },
    });
    expect(await room.crawl(show({ season: 'Collection' }), { brandId: '7' })).toMatchObject({
      status: 'failed',
      error: { code: 'season_unparsed', message: expect.stringContaining('Collection') },
    });
    expect(room.fetcher.fetched).toEqual([]);
  });
});

describe('pictures that fail', () => {
  const ten = show({ images: looks(10) });

  it('leave a gallery with 80 % of them, which names the others', async () => {
    room.fetcher.answer(url(9), gone());
    room.fetcher.answer(url(10), gone('http_410'));
    expect(ended(await room.crawl(ten, { brandId: '7' }))).toEqual([
      'created',
      '新建 8/10 张图;未取到: Look 9 http_404, Look 10 http_410',
    ]);
    expect(room.archive.rows.slots).toEqual([]);
  });

  it('fail the job for good when they are too many, or the cover is one of them', async () => {
    room.fetcher.answer(url(1), gone());
    expect(await room.crawl(ten, { brandId: '7' })).toMatchObject({
      status: 'failed',
      error: { code: 'too_few_pictures', message: expect.stringContaining('the cover is missing (http_404)') },
    });
    for (const look of [1, 2, 3]) room.fetcher.answer(url(look), gone());
    expect(await room.crawl(show({ images: looks(10), cover: url(10) }), { brandId: '7' })).toMatchObject({
      status: 'failed',
      error: { code: 'too_few_pictures', message: expect.stringContaining('Only 7 of 10') },
    });
    expect(room.archive.rows.galleries).toEqual([]);
  });

  it('for a moment are fetched again with the job, and they alone', async () => {
    room.fetcher.answer(url(2), busy(), url(2));
    const first = await room.crawl(ten, { brandId: '7', id: '1' });
    expect(first).toMatchObject({
      result: 'retry',
      error: {
        code: 'pictures_missing',
        message: '1 of 10 pictures could not be fetched yet (http_500); 9 are stored.',
      },
    });
    expect(room.archive.rows.galleries).toEqual([]);
    room.fetcher.fetched.length = 0;
    expect(ended(await room.crawl(ten, { brandId: '7', id: '1', attempt: 2 }))).toEqual(['created', '新建 10 张图']);
    expect(room.fetcher.fetched).toEqual([url(2)]);
  });

  it('to the last attempt are missing, and the gallery is made without them if they are few', async () => {
    room.fetcher.answer(url(2), busy('timeout'));
    for (const attempt of [1, 2]) {
      expect((await room.crawl(ten, { brandId: '7', id: '1', attempt })).result).toBe('retry');
    }
    expect(ended(await room.crawl(ten, { brandId: '7', id: '1', attempt: 3 }))).toEqual([
      'created',
      '新建 9/10 张图;未取到: Look 2 timeout',
    ]);
  });

  it('since their host wants to be left alone make the job wait that long, and no attempt is lost', async () => {
    room.fetcher.answer(url(2), cooling(40));
    room.fetcher.answer(url(5), cooling(90));
    const left = await room.crawl(ten, { brandId: '7', id: '1', attempt: 3 });
    expect(left).toMatchObject({ result: 'snoozed', status: 'pending', counted: false, delaySeconds: 40 });
    expect(left.error).toEqual({
      code: 'host_cooling',
      message: '2 of 10 pictures wait for pictures.example:443, which asked to be left alone; 8 are stored.',
    });
    room.fetcher.behaveWell();
    expect(ended(await room.crawl(ten, { brandId: '7', id: '1', attempt: 3 }))).toEqual(['created', '新建 10 张图']);
    expect(room.fetcher.fetched).toEqual([url(2), url(5)]);
  });

  it('were not asked for while their host is left alone, so that no try is counted and nothing is told of them', async () => {
    room.fetcher.answer(url(2), cooling(40, 'pictures.example:443', 'host_cooling'));
    await room.crawl(ten, { brandId: '7', id: '1' });
    expect(room.archive.slotsOf('1')[1]).toMatchObject({ state: 'waiting', tries: 0, errorCode: null });
  });

  it('for another reason too make the job try again, and not wait', async () => {
    room.fetcher.answer(url(2), cooling(40));
    room.fetcher.answer(url(5), busy());
    expect(await room.crawl(ten, { brandId: '7', id: '1' })).toMatchObject({ result: 'retry', counted: true });
  });

  it('for a host that wanted to be left alone for a whole day are missing', async () => {
    room.fetcher.answer(url(2), cooling(40));
    const aDayAgo = { brandId: '7', id: '1', snoozedSince: 1, claimedAt: 86_401 };
    expect(await room.crawl(ten, { ...aDayAgo, attempt: 1 })).toMatchObject({ result: 'retry' });
    expect(ended(await room.crawl(ten, { ...aDayAgo, attempt: 3 }))).toEqual([
      'created',
      '新建 9/10 张图;未取到: Look 2 http_429',
    ]);
  });

  it('for good are not asked for again because the job waited for a host', async () => {
    room.fetcher.answer(url(2), gone());
    room.fetcher.answer(url(5), cooling(40));
    await room.crawl(ten, { brandId: '7', id: '1' });
    room.fetcher.behaveWell();
    const left = await room.crawl(ten, { brandId: '7', id: '1', snoozedSince: 1_770_000_000 });
    expect(ended(left)).toEqual(['created', '新建 9/10 张图;未取到: Look 2 http_404']);
    expect(room.fetcher.fetched).toEqual([url(5)]);
  });

  it('are given up when their bytes are bad twice', async () => {
    room.fetcher.answer(url(2), Buffer.from('<html>limit reached</html>'));
    expect((await room.crawl(ten, { brandId: '7', id: '1' })).result).toBe('retry');
    expect(ended(await room.crawl(ten, { brandId: '7', id: '1', attempt: 2 }))).toEqual([
      'created',
      '新建 9/10 张图;未取到: Look 2 not_an_image',
    ]);
  });

  it('are tried again by a retry of the job, those that were given up too', async () => {
    for (const look of [1, 2, 3]) room.fetcher.answer(url(look), gone());
    expect((await room.crawl(ten, { brandId: '7', id: '1' })).status).toBe('failed');
    for (const look of [1, 2, 3]) room.fetcher.answer(url(look), url(look));
    room.fetcher.fetched.length = 0;
    expect(ended(await room.crawl(ten, { brandId: '7', id: '1', attempt: 1 }))).toEqual(['created', '新建 10 张图']);
    expect(room.fetcher.fetched.sort()).toEqual([1, 2, 3].map(url));
  });

  it('are placeholders when four are the same, and one picture when two are', async () => {
    for (const look of [17, 18, 19, 20]) room.fetcher.answer(url(look), url(17));
    room.fetcher.answer(url(3), url(2));
    const left = await room.crawl(show({ images: looks(20) }), { brandId: '7', id: '1' });
    expect(ended(left)).toBe('too_few_pictures');
    const enough = await room.crawl(show({ images: looks(25), season: 'Spring 2026' }), { brandId: '7', id: '2' });
    expect(ended(enough)).toEqual([
      'created',
      '新建 20/24 张图;未取到: Look 17 placeholder, Look 18 placeholder, Look 19 placeholder, Look 20 placeholder;略去 1 张内容相同',
    ]);
    expect(room.archive.slotsOf('2').map(({ position }) => position)).toEqual([3, 17, 18, 19, 20]);
  });

  it('leave the job to itself when it is the store that fails', async () => {
    room.store.before = () => Promise.reject(new Error('the disk is full'));
    expect(await room.crawl(ten, { brandId: '7' })).toMatchObject({
      result: 'retry',
      error: { code: 'internal_error', message: 'the disk is full' },
    });
  });

  it.each<[string, StoreErrorOptions, number]>([
    ['has trouble', { nature: 'transient' }, 60],
    ['asks to be left alone', { nature: 'transient', retryAfterSeconds: 240 }, 240],
    ['has to be mended', { nature: 'permanent' }, 600],
  ])('wait, and no attempt is counted, when a store of the network %s', async (_, options, seconds) => {
    room.store.before = () => Promise.reject(new StoreError('store-busy', 'Not now.', options));
    expect(await room.crawl(ten, { brandId: '7' })).toMatchObject({
      result: 'snoozed',
      counted: false,
      delaySeconds: seconds,
      error: { code: 'store_unavailable', message: 'Pictures cannot be stored now: Not now.' },
    });
  });

  it('are not fetched any further once the job is called off', async () => {
    const called = new AbortController();
    room.store.before = () => called.abort('lost');
    await room.runner.run(room.crawls, claimedJob({ payload: JSON.stringify(ten), brandId: '7' }), called.signal);
    expect(room.archive.rows.galleries).toEqual([]);
    expect(room.fetcher.fetched.length).toBeLessThan(10);
  });
});

describe('pictures of an earlier try that are being removed', () => {
  it('make the job wait, uncounted', async () => {
    room.fetcher.answer(url(2), busy());
    await room.crawl(show(), { brandId: '7', id: '1' });
    await room.cleanups.takeSlots(TX, '1', true);
    expect(await room.crawl(show(), { brandId: '7', id: '1' })).toMatchObject({
      result: 'snoozed',
      counted: false,
      error: { code: 'pictures_being_removed' },
    });
  });
});

describe('a picture that was put and not yet called stored when its worker died', () => {
  const crash = async (): Promise<void> => {
    const mark = room.slots.markStored.bind(room.slots);
    room.slots.markStored = () => Promise.reject(new Error('killed'));
    await room.crawl(show(), { brandId: '7', id: '1' });
    room.slots.markStored = mark;
  };

  it('is put again under the same key', async () => {
    await crash();
    const keys = room.store.keys;
    expect((await room.crawl(show(), { brandId: '7', id: '1', attempt: 2 })).settlement?.outcome).toBe('created');
    expect(room.store.keys).toEqual(keys);
  });

  it('is cleaned up later when the next try finds other bytes there', async () => {
    await crash();
    const [, old = ''] = room.store.keys;
    room.fetcher.answer(url(2), 'another picture');
    await room.crawl(show(), { brandId: '7', id: '1', attempt: 2 });
    const [cleanup] = room.archive.rows.jobs;
    expect(JSON.parse(cleanup?.payload ?? '')).toMatchObject({ data: { object_keys: [old] } });
    expect(cleanup?.delaySeconds).toBeGreaterThan(300);
    await room.cleanUp(cleanup?.payload);
    expect(room.store.keys).toEqual(room.archive.rows.galleries[0]?.pictures.map(({ objectKey }) => objectKey));
  });

  it('is left to the sweep when it cannot be fetched any more', async () => {
    await crash();
    const last = show({ images: looks(10) });
    room.fetcher.answer(url(2), gone());
    expect((await room.crawl(last, { brandId: '7', id: '1', attempt: 2 })).settlement?.outcome).toBe('created');
    expect(room.archive.slotsOf('1')).toMatchObject([{ position: 2, state: 'failed' }]);
    expect(await room.cleanups.jobsWithSlots(10, '0')).toEqual(['1']);
  });
});

describe('two workers with one job', () => {
  it('never leave a picture called stored that the other one was to put', async () => {
    const payload = show({ images: looks(1) });
    room.fetcher.answer(url(1), url(1), 'another picture');
    // The first stalls before its put; the second, given other bytes, takes the slot and dies before its own put.
    room.store.before = async () => {
      const second = new AbortController();
      room.store.before = () => {
        second.abort('lost');
        throw new Error('killed');
      };
      const job = claimedJob({ id: '1', payload: JSON.stringify(payload), brandId: '7' });
      await room.runner.run(room.crawls, job, second.signal);
      room.store.before = () => undefined;
    };
    expect((await room.crawl(payload, { brandId: '7', id: '1' })).error?.code).toBe('pictures_missing');
    expect(room.archive.slotsOf('1')).toMatchObject([{ state: 'storing' }]);
    expect(room.archive.rows.galleries).toEqual([]);
    // What the first one put after all is nobody's, and on its way out.
    expect(room.archive.rows.jobs.some(({ payload: cleanup }) => cleanup.includes(room.store.keys[0] ?? '?'))).toBe(
      true,
    );
  });
});

describe('notes in English', () => {
  it('are what NOTES_LOCALE asks for', async () => {
    room = new FakeGalleriesRoom({ NOTES_LOCALE: 'en' });
    const left = await room.crawl(show(), { brandId: '7' });
    expect(ended(left)).toEqual(['created', 'created, 2 pictures']);
    expect(left.settlement?.subject).toBe('Fall 2026 · Ready-to-wear · Paris');
    expect(ended(await room.crawl(show(), { brandId: '7' }))).toEqual([
      'skipped_existing',
      'already exists (status=pending_review), 2 sent, 2 stored',
    ]);
  });
});
