import { beforeEach, describe, expect, it } from '@jest/globals';
import { TX } from '../../test/harness/fakes/fake-archive.js';
import { FakeGalleriesRoom } from '../../test/harness/fakes/fake-galleries-room.js';
import { claimedJob } from '../../test/harness/fakes/fake-jobs.js';
import { busy, gone } from '../../test/harness/fakes/fake-media.js';
import { looks, message, runwayData } from '../../test/harness/payloads.js';
import { pictureKeyOf, thumbnailKey } from '../media/object-key.js';
import type { Departure } from '../jobs/ingest-job.state.js';

const url = (look: number): string => `https://pictures.example/look-${look}.jpg`;
const show = message('runway.show', runwayData({ images: looks(5) }));
const ended = ({ settlement, error }: Departure): unknown =>
  settlement === null ? error?.code : [settlement.outcome, settlement.note];

let room: FakeGalleriesRoom;

beforeEach(() => {
  room = new FakeGalleriesRoom();
});

async function gallery(over: { deletedAt?: number } = {}): Promise<string> {
  const { settlement } = await room.crawl(show, { brandId: '7' });
  const id = settlement?.galleryId ?? '';
  Object.assign(room.archive.gallery(id), over);
  return id;
}

/** A crawl that was given up with some pictures stored; its job's row is failed. @returns its id */
async function failedCrawl(): Promise<string> {
  room.fetcher.answer(url(1), gone());
  const id = room.archive.nextId();
  await room.crawl(show, { brandId: '7', id });
  room.archive.rows.jobs.push({
    id,
    kind: 'crawl',
    payload: JSON.stringify(show),
    brandId: '7',
    subject: '2026 秋冬',
    subjectKey: '',
    submittedBy: 'dev',
    status: 'failed',
  });
  return id;
}

describe('the clean-up of a deleted gallery', () => {
  it('removes its files and marks its pictures missing', async () => {
    const id = await gallery({ deletedAt: 100 });
    const [lost = ''] = room.store.keys;
    room.store.objects.delete(lost);
    expect(ended(await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } }))).toEqual([
      'cleaned',
      '清理 4 个文件,1 个本就不在',
    ]);
    expect(room.store.keys).toEqual([]);
    expect(room.archive.gallery(id)).toMatchObject({ purgedAt: room.archive.now });
    expect(room.archive.gallery(id).pictures.map(({ state }) => state)).toEqual(Array(5).fill('missing'));
    expect(room.runner.progress.slice(-1)).toEqual(['5/5']);
  });

  it('removes their thumbnails too', async () => {
    const id = await gallery({ deletedAt: 100 });
    expect(room.store.thumbnailsOf).toEqual(room.store.keys);
    await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } });
    expect(room.store.objects.size).toBe(0);
  });

  it('marks them before it removes the first file', async () => {
    const id = await gallery({ deletedAt: 100 });
    const states: unknown[] = [];
    room.store.before = () => {
      const { purgedAt, pictures } = room.archive.gallery(id);
      states.push([purgedAt > 0, pictures.every(({ state }) => state === 'missing')]);
    };
    await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } });
    expect(states).toEqual(Array(10).fill([true, true]));
  });

  it('has nothing to do when it was restored', async () => {
    const id = await gallery();
    expect(ended(await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } }))).toEqual([
      'noop',
      '已恢复,无需清理',
    ]);
    expect(room.store.keys).toHaveLength(5);
  });

  it('leaves the trash of a later deletion to that one’s own clean-up', async () => {
    const id = await gallery({ deletedAt: 200 });
    expect(ended(await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } }))).toEqual([
      'noop',
      '已恢复,无需清理',
    ]);
    expect(room.store.keys).toHaveLength(5);
  });

  it('goes on with what it had marked, when it was restored after that', async () => {
    const id = await gallery({ deletedAt: 100 });
    const cleanup = { type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } };
    room.store.before = () => {
      throw new Error('the disk is away');
    };
    await room.cleanUp(cleanup);
    room.store.before = () => undefined;
    room.archive.gallery(id).deletedAt = 0;
    expect(ended(await room.cleanUp(cleanup))).toEqual(['cleaned', '清理 5 个文件']);
  });

  it('waits, uncounted, while the store does not answer', async () => {
    const id = await gallery({ deletedAt: 100 });
    room.store.before = () => {
      throw new Error('the disk is away');
    };
    expect(await room.cleanUp({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } })).toMatchObject({
      result: 'snoozed',
      counted: false,
      error: { code: 'store_unavailable', message: expect.stringContaining('the disk is away') },
    });
  });

  it('stops where it is when it is called off', async () => {
    const id = await gallery({ deletedAt: 100 });
    const called = new AbortController();
    room.store.before = () => called.abort('stopping');
    const payload = JSON.stringify({ type: 'media.cleanup', data: { gallery_id: id, deleted_at: 100 } });
    await room.runner.run(room.removals, claimedJob({ kind: 'media_cleanup', payload }), called.signal);
    expect(room.store.keys).toHaveLength(4);
  });
});

describe('the clean-up of named objects', () => {
  const keys = ['runway/900/1-0123456789abcdef.jpg', 'runway/900/2-0123456789abcdef.jpg'];

  it('removes them, in the form of old rows too', async () => {
    room.store.objects.set(keys[0] ?? '', Buffer.from('x'));
    expect(ended(await room.cleanUp({ object_keys: keys }))).toEqual(['cleaned', '清理 1 个文件,1 个本就不在']);
    expect(room.store.keys).toEqual([]);
  });

  it('spares what a picture or a slot refers to', async () => {
    await gallery();
    const used = room.store.keys;
    room.store.objects.set(keys[0] ?? '', Buffer.from('x'));
    expect(ended(await room.cleanUp({ object_keys: [...used, ...keys] }))).toEqual([
      'cleaned',
      '清理 1 个文件,1 个本就不在',
    ]);
    expect(room.store.keys).toEqual(used);
    expect(ended(await room.cleanUp({ object_keys: used }))).toEqual(['noop', '文件仍在使用,无需清理']);
    const thumbnails = used.map(thumbnailKey);
    expect(ended(await room.cleanUp({ object_keys: thumbnails }))).toEqual(['noop', '文件仍在使用,无需清理']);
  });

  it('has nothing to do when there are none', async () => {
    expect(ended(await room.cleanUp({ object_keys: [] }))).toEqual(['noop', '空载荷,无需处理']);
  });

  it('fails for good, and removes nothing, when one is not of this store', async () => {
    room.store.objects.set(keys[0] ?? '', Buffer.from('x'));
    expect(ended(await room.cleanUp({ object_keys: [...keys, '../../etc/passwd'] }))).toBe('object_key_foreign');
    expect(room.store.keys).toHaveLength(1);
  });

  it('fails for good when it cannot be read', async () => {
    for (const payload of ['{}', 'nonsense', '{"object_keys":"x"}']) {
      expect(await room.cleanUp(payload)).toMatchObject({ status: 'failed', error: { code: 'payload_unreadable' } });
    }
  });
});

describe('the clean-up of what a crawl left behind', () => {
  it('is enqueued by the sweep once, and removes the objects and their slots', async () => {
    const id = await failedCrawl();
    expect(room.store.keys).toHaveLength(4);
    expect(await room.orphans.runOnce()).toEqual({ enqueued: 1 });
    expect(await room.orphans.runOnce()).toEqual({ enqueued: 0 });
    const cleanup = room.archive.rows.jobs.at(-1);
    expect(cleanup).toMatchObject({ brandId: '7', subject: '2026 秋冬', submittedBy: 'runway-ingest' });
    expect(ended(await room.cleanUp(cleanup?.payload))).toEqual(['cleaned', '清理 4 个文件']);
    expect(room.store.keys).toEqual([]);
    expect(room.archive.slotsOf(id).map(({ state }) => state)).toEqual(['failed']);
  });

  it('is not enqueued for a crawl that is still to run', async () => {
    const id = await failedCrawl();
    for (const status of ['pending', 'processing'] as const) {
      Object.assign(room.archive.rows.jobs.find((job) => job.id === id) ?? {}, { status });
      expect(await room.orphans.runOnce()).toEqual({ enqueued: 0 });
    }
  });

  it('has nothing to do when the crawl was retried before it came', async () => {
    const id = await failedCrawl();
    Object.assign(room.archive.rows.jobs.find((job) => job.id === id) ?? {}, { status: 'pending' });
    expect(ended(await room.cleanUp({ type: 'media.cleanup', data: { job_id: id } }))).toEqual([
      'noop',
      '文件仍在使用,无需清理',
    ]);
    expect(room.store.keys).toHaveLength(4);
  });

  it('does not touch what a retried crawl has put since, when it stalled and another worker ended it', async () => {
    const id = await failedCrawl();
    const cleanup = { type: 'media.cleanup', data: { job_id: id } };
    let removals = 0;
    room.store.before = async (_, key) => {
      // The first worker stands still with its second picture yet to come.
      if (pictureKeyOf(key) !== key || ++removals !== 1) return;
      room.store.before = () => undefined;
      await room.cleanUp(cleanup);
      room.fetcher.answer(url(1), url(1));
      expect((await room.crawl(show, { brandId: '7', id })).settlement?.outcome).toBe('created');
    };
    await room.cleanUp(cleanup);
    // Only the removal that was under way itself could not be called back.
    const stored = room.archive.rows.galleries[0]?.pictures.map(({ objectKey }) => objectKey) ?? [];
    expect(stored.filter((key) => !room.store.keys.includes(key ?? ''))).toHaveLength(1);
  });

  it('is enqueued again when an earlier one was given up', async () => {
    const id = await failedCrawl();
    await room.orphans.runOnce();
    await room.cleanups.takeSlots(TX, id, true);
    Object.assign(room.archive.rows.jobs.at(-1) ?? {}, { status: 'failed' });
    expect(await room.orphans.runOnce()).toEqual({ enqueued: 1 });
  });
});

describe('pictures that a crawl is still waiting for', () => {
  it('are not swept', async () => {
    room.fetcher.answer(url(2), busy());
    await room.crawl(show, { brandId: '7', id: '1' });
    expect(await room.orphans.runOnce()).toEqual({ enqueued: 0 });
  });
});
