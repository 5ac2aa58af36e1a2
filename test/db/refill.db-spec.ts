import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAM, ADMIN, EVE } from '../harness/actors.js';
import { blockedBy } from '../harness/blocked-by.js';
import { busy, gone } from '../harness/fakes/fake-media.js';
import { GalleriesContext, type HeldJob } from '../harness/galleries-context.js';
import { looks, message, runwayData } from '../harness/payloads.js';

let room: GalleriesContext;

beforeAll(async () => {
  room = await GalleriesContext.start();
});
afterEach(async () => {
  room.store.before = () => undefined;
  room.store.after = () => undefined;
  await room.reset();
});
afterAll(() => room.close());

const url = (look: number): string => `https://pictures.example/look-${look}.jpg`;

/** A gallery of ten pictures without these. @returns its id */
async function galleryWithout(...missing: number[]): Promise<string> {
  for (const look of missing) room.web.answer(url(look), gone());
  const crawl = await room.held(await room.post(message('runway.show', runwayData({ images: looks(10) }))));
  expect(await crawl.work()).toBe('created');
  room.web.behaveWell();
  const [row] = await room.db.query<{ id: string }>('SELECT id FROM galleries ORDER BY id DESC LIMIT 1');
  return row?.id ?? '';
}

/** A gallery whose trash was emptied, and that was restored then: nothing of it is there. */
async function purgedAndRestored(): Promise<string> {
  const id = await galleryWithout();
  await room.review.delete(ADMIN, id);
  expect(await (await only('media_cleanup')).work()).toBe('cleaned');
  await room.review.restore(ADMIN, id);
  return id;
}

/** The pending job of a kind, of which there is one. */
async function only(kind: string): Promise<HeldJob> {
  const ids = await room.idsOf(kind, 'pending');
  expect(ids).toHaveLength(1);
  return room.held(ids[0] ?? '');
}

async function refill(id: string): Promise<HeldJob> {
  await room.review.refill(EVE, id);
  return only('media_refill');
}

interface Row {
  picture_count: number;
  missing_count: number;
  is_purged: boolean;
}
const galleryOf = async (id: string): Promise<Row | undefined> =>
  (
    await room.db.query<Row>(
      'SELECT picture_count, missing_count, purged_at > 0 AS is_purged FROM galleries WHERE id = $1',
      [id],
    )
  )[0];
const noteOf = async (job: HeldJob): Promise<string | undefined> =>
  (await room.db.query<{ note: string }>('SELECT note FROM ingest_jobs WHERE id = $1', [job.job.id]))[0]?.note;
const codesOf = async (id: string): Promise<(string | null)[]> =>
  (
    await room.db.query<{ error_code: string | null }>(
      `SELECT error_code FROM gallery_pictures WHERE gallery_id = $1 AND state <> 'stored' ORDER BY position`,
      [id],
    )
  ).map((row) => row.error_code);
const eventsOf = (id: string): Promise<unknown[]> =>
  room.db.query('SELECT action, actor, detail FROM gallery_events WHERE gallery_id = $1 ORDER BY id', [id]);

async function expectNothingLostAndNothingLeft(): Promise<void> {
  for (let moved = true; moved;) {
    moved = (await room.sweepOrphans()).enqueued > 0;
    for (const id of await room.idsOf('media_cleanup', 'pending')) {
      moved = true;
      await (await room.held(id)).work();
    }
  }
  expect(room.store.keys).toEqual(await room.storedKeys());
}

describe('a refill', () => {
  it('fetches what is missing and nothing else', async () => {
    const id = await galleryWithout(7, 9);
    const job = await refill(id);
    expect(await job.work()).toBe('refilled');
    expect(room.web.fetched).toEqual([url(7), url(9)]);
    expect(await galleryOf(id)).toEqual({ picture_count: 10, missing_count: 0, is_purged: false });
    expect(await noteOf(job)).toBe('补图 2/2');
    expect((await eventsOf(id)).at(-1)).toEqual({ action: 'refilled', actor: 'eve', detail: '2/2' });
    expect(room.store.keys.filter((key) => key.startsWith(`runway/${job.job.id}/`))).toHaveLength(2);
    await expectNothingLostAndNothingLeft();
  });

  it('keeps what came, and says what did not', async () => {
    const id = await galleryWithout(7, 9);
    room.web.answer(url(7), gone('http_410'));
    const job = await refill(id);
    expect(await job.work()).toBe('refilled');
    expect(await noteOf(job)).toBe('补图 1/2;未取到: Look 7 http_410');
    expect(await galleryOf(id)).toMatchObject({ picture_count: 9, missing_count: 1 });
    expect(await codesOf(id)).toEqual(['http_410']);
    await expectNothingLostAndNothingLeft();
  });

  it('is tried again for what may come another time, and fetches no picture twice', async () => {
    const id = await galleryWithout(7, 9);
    room.web.answer(url(9), busy());
    const job = await refill(id);
    expect(await job.work()).toBe('failed');
    expect(await room.statusOf(job.job.id)).toMatchObject({ status: 'pending', error_code: 'pictures_missing' });
    room.web.behaveWell();
    expect(await (await room.held(job.job.id)).work()).toBe('refilled');
    expect(room.web.fetched).toEqual([url(9)]);
    expect(await galleryOf(id)).toMatchObject({ picture_count: 10, missing_count: 0 });
  });

  it('keeps with its last attempt what came by then', async () => {
    const id = await galleryWithout(7, 9);
    room.web.answer(url(9), busy());
    const job = await refill(id);
    await job.work();
    await (await room.held(job.job.id)).work();
    const last = await room.held(job.job.id);
    expect(await last.work()).toBe('refilled');
    expect(await noteOf(job)).toBe('补图 1/2;未取到: Look 9 http_500');
    await expectNothingLostAndNothingLeft();
  });

  it('that brings nothing has failed, leaves the gallery as it was, and can be retried', async () => {
    const id = await galleryWithout(7);
    room.web.answer(url(7), gone());
    const job = await refill(id);
    expect(await job.work()).toBe('failed');
    expect(await room.statusOf(job.job.id)).toMatchObject({ status: 'failed', error_code: 'no_picture_came' });
    expect(await galleryOf(id)).toMatchObject({ picture_count: 9, missing_count: 1 });
    room.web.behaveWell();
    await room.jobs.retry(job.job.id, ADMIN);
    expect(await (await room.held(job.job.id)).work()).toBe('refilled');
    expect(await galleryOf(id)).toMatchObject({ picture_count: 10, missing_count: 0 });
  });

  it('does not take the picture of another place, nor a placeholder, for what is missing', async () => {
    const id = await galleryWithout(6, 7);
    room.web.answer(url(6), url(1));
    room.web.answer(url(7), gone());
    const twin = await refill(id);
    expect(await twin.work()).toBe('failed');
    room.web.behaveWell();
    await expectNothingLostAndNothingLeft();

    const other = await purgedAndRestoredAgain(id);
    for (const look of [2, 3, 4, 5]) room.web.answer(url(look), 'placeholder');
    room.web.answer(url(6), url(1));
    const job = await only('media_refill');
    expect(await job.work()).toBe('refilled');
    expect(await codesOf(other)).toEqual(['placeholder', 'placeholder', 'placeholder', 'placeholder', 'same_bytes']);
    expect(await galleryOf(other)).toEqual({ picture_count: 5, missing_count: 5, is_purged: true });
    await expectNothingLostAndNothingLeft();
  });

  async function purgedAndRestoredAgain(id: string): Promise<string> {
    await room.review.delete(ADMIN, id);
    expect(await (await only('media_cleanup')).work()).toBe('cleaned');
    await room.review.restore(ADMIN, id);
    return id;
  }
});

describe('who asks for a refill', () => {
  it('is told when nothing is missing, when the gallery is in the trash, and when one is under way', async () => {
    const whole = await galleryWithout();
    await expect(room.review.refill(EVE, whole)).rejects.toMatchObject({ code: 'gallery-complete' });
    await room.reset();
    const id = await galleryWithout(7);
    await room.review.delete(ADMIN, id);
    await expect(room.review.refill(EVE, id)).rejects.toMatchObject({ code: 'gallery-deleted' });
    await room.review.restore(ADMIN, id);
    const job = await refill(id);
    await expect(room.review.refill(EVE, id)).rejects.toMatchObject({ code: 'refill-waiting' });
    expect(await job.work()).toBe('refilled');
    await expect(room.review.refill(EVE, '999')).rejects.toMatchObject({ code: 'gallery-not-found' });
  });

  it('twice at once has one job', async () => {
    const id = await galleryWithout(7);
    const asked = await Promise.allSettled([room.review.refill(EVE, id), room.review.refill(ADAM, id)]);
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await room.idsOf('media_refill', 'pending')).toHaveLength(1);
  });

  it('may not publish a gallery of which nothing is there', async () => {
    const id = await purgedAndRestored();
    await expect(room.review.publish(EVE, id)).rejects.toMatchObject({ code: 'gallery-empty' });
    expect(await (await only('media_refill')).work()).toBe('refilled');
    expect(await room.review.publish(EVE, id)).toMatchObject({ status: 'published' });
  });
});

describe('a gallery that is restored after its trash was emptied', () => {
  it('is filled again by a job of the restore itself', async () => {
    const id = await purgedAndRestored();
    expect(await galleryOf(id)).toEqual({ picture_count: 0, missing_count: 10, is_purged: true });
    expect(await (await only('media_refill')).work()).toBe('refilled');
    expect(await galleryOf(id)).toEqual({ picture_count: 10, missing_count: 0, is_purged: false });
    expect(await eventsOf(id)).toEqual([
      { action: 'created', actor: 'dev', detail: null },
      { action: 'deleted', actor: 'admin', detail: null },
      { action: 'purged', actor: 'runway-ingest', detail: null },
      { action: 'restored', actor: 'admin', detail: null },
      { action: 'refilled', actor: 'admin', detail: '10/10' },
    ]);
    await expectNothingLostAndNothingLeft();
  });

  it('is not fetched again when its files were still there', async () => {
    const id = await galleryWithout(7);
    await room.review.delete(ADMIN, id);
    await room.review.restore(ADMIN, id);
    expect(await room.idsOf('media_refill', 'pending')).toEqual([]);
  });

  it('says once that it was purged, however often the clean-up died', async () => {
    const id = await galleryWithout();
    await room.review.delete(ADMIN, id);
    const held = await only('media_cleanup');
    room.store.before = () => {
      throw new Error('killed');
    };
    await held.gatherAndDie();
    room.store.before = () => undefined;
    await room.reclaim(held.job.id);
    expect(await (await room.held(held.job.id)).work()).toBe('cleaned');
    const actions = (await eventsOf(id)) as { action: string }[];
    expect(actions.filter(({ action }) => action === 'purged')).toHaveLength(1);
  });

  it('keeps what it got while the clean-up of the earlier files is still running', async () => {
    const id = await galleryWithout();
    await room.review.delete(ADMIN, id);
    let refilled: string | undefined;
    room.store.after = async (operation) => {
      if (operation !== 'remove') return;
      room.store.after = () => undefined;
      await room.review.restore(ADMIN, id);
      refilled = await (await only('media_refill')).work();
    };
    expect(await (await only('media_cleanup')).work()).toBe('cleaned');
    expect(refilled).toBe('refilled');
    expect(await room.storedKeys()).toHaveLength(10);
    await expectNothingLostAndNothingLeft();
  });

  it('leaves no earlier file behind when its clean-up died and its places are filled', async () => {
    const id = await galleryWithout();
    await room.review.delete(ADMIN, id);
    const died = await only('media_cleanup');
    room.store.before = () => {
      throw new Error('killed');
    };
    await died.gatherAndDie();
    room.store.before = () => undefined;
    await room.review.restore(ADMIN, id);
    expect(await (await only('media_refill')).work()).toBe('refilled');
    expect(room.store.keys).toHaveLength(20);
    await room.reclaim(died.job.id);
    expect(await (await room.held(died.job.id)).work()).toBe('noop');
    await expectNothingLostAndNothingLeft();
    expect(room.store.keys).toHaveLength(10);
  });

  it('is filled also when its refill had just seen it in the trash', async () => {
    const id = await purgedAndRestored();
    const held = await only('media_refill');
    await room.review.delete(ADMIN, id);
    expect(await held.gather()).toBe(true);
    await room.review.restore(ADMIN, id);
    expect(await held.commit()).toBe('failed');
    expect(await room.statusOf(held.job.id)).toMatchObject({ status: 'pending', error_code: 'archive_changed' });
    expect(await (await room.held(held.job.id)).work()).toBe('refilled');
  });
});

describe('a refill that comes too late', () => {
  it('leaves a gallery in the trash alone, and what it fetched is swept up', async () => {
    const id = await galleryWithout(7);
    const held = await refill(id);
    await held.gather();
    await room.review.delete(ADMIN, id);
    expect(await held.commit()).toBe('noop');
    expect(await noteOf(held)).toBe('图集在回收站,不补图');
    expect(await (await only('media_cleanup')).work()).toBe('cleaned');
    await expectNothingLostAndNothingLeft();
    expect(room.store.keys).toEqual([]);
  });

  it('waits for whoever deletes the gallery at that moment, and then leaves it alone', async () => {
    const id = await galleryWithout(7);
    const held = await refill(id);
    await held.gather();
    const editor = await room.db.connect();
    await editor.query('BEGIN');
    await editor.query('SELECT 1 FROM galleries WHERE id = $1 FOR UPDATE', [id]);
    const committed = held.commit();
    await blockedBy(room.db, editor);
    await editor.query('UPDATE galleries SET deleted_at = 1 WHERE id = $1', [id]);
    await editor.query('COMMIT');
    expect(await committed).toBe('noop');
    await expectNothingLostAndNothingLeft();
  });

  it('puts nothing into the places of another revision', async () => {
    const id = await galleryWithout(7);
    const held = await refill(id);
    await held.gather();
    await room.review.reject(ADMIN, id, 'fetch it again');
    room.web.answer('https://pictures.example/other-7.jpg', gone());
    const images = looks(10).map((look, index) =>
      index === 6 ? { ...look, url: 'https://pictures.example/other-7.jpg' } : look,
    );
    const again = await room.held(await room.post(message('runway.show', runwayData({ images }))));
    expect(await again.work()).toBe('reused_rejected');
    expect(await held.commit()).toBe('failed');
    expect(await codesOf(id)).toEqual(['http_404']);
    await expectNothingLostAndNothingLeft();
  });

  it('has nothing to do when the next revision is whole', async () => {
    const id = await galleryWithout(7);
    const held = await refill(id);
    await room.review.reject(ADMIN, id, 'fetch it again');
    const again = await room.held(await room.post(message('runway.show', runwayData({ images: looks(10) }))));
    expect(await again.work()).toBe('reused_rejected');
    expect(await held.work()).toBe('noop');
    expect(await noteOf(held)).toBe('没有缺图,无需补图');
  });
});
