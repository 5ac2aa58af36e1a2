import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GalleryDetailsRepository } from '../../src/galleries/gallery-details.repository.js';
import { GalleryEditor } from '../../src/galleries/gallery-editor.service.js';
import { GalleryReadRepository } from '../../src/galleries/gallery-read.repository.js';
import { ADMIN, EVE } from '../harness/actors.js';
import { blockedBy } from '../harness/blocked-by.js';
import { refusal } from '../harness/errors.js';
import { gone } from '../harness/fakes/fake-media.js';
import { GalleriesContext, type HeldJob } from '../harness/galleries-context.js';
import { looks, message, runwayData, streetData } from '../harness/payloads.js';

type Fields = Record<string, unknown>;

let room: GalleriesContext;
let editor: GalleryEditor;

beforeAll(async () => {
  room = await GalleriesContext.start();
  editor = room.get(GalleryEditor);
});
afterEach(() => room.reset());
afterAll(() => room.close());

const runway = (over: Fields = {}): Promise<string> => room.post(message('runway.show', runwayData(over)));
const street = (over: Fields = {}): Promise<string> => room.post(message('street.gallery', streetData(over)), '0');
const COUTURE = { season: 'Fall 2026 Couture' };

async function crawl(posted: Promise<string>): Promise<string> {
  return (await room.held(await posted)).work();
}

/** @returns the newest gallery's id, which the crawl made */
async function gallery(posted: Promise<string>): Promise<string> {
  expect(await crawl(posted)).toBe('created');
  const [row] = await room.db.query<{ id: string }>('SELECT id FROM galleries ORDER BY id DESC LIMIT 1');
  return row?.id ?? '';
}

async function gathered(posted: Promise<string>): Promise<HeldJob> {
  const held = await room.held(await posted);
  expect(await held.gather()).toBe(true);
  return held;
}

/** What an editor did, without what crawls did. */
async function deedsOf(id: string): Promise<[string, string, string | null][]> {
  const histories = await room.get(GalleryDetailsRepository).historiesOf([id], 100, undefined);
  const deeds = (histories.get(id) ?? []).filter(({ jobId }) => jobId === null);
  return deeds.map(({ actor, action, detail }) => [actor, action, detail]);
}

async function rowOf(id: string): Promise<Fields> {
  const [row] = await room.db.query<Fields>('SELECT * FROM galleries WHERE id = $1', [id]);
  return row ?? {};
}

const keysOf = async (id: string): Promise<Fields[]> =>
  room.db.query('SELECT year, term, category, market, detail FROM gallery_keys WHERE gallery_id = $1 ORDER BY id', [
    id,
  ]);

describe('a gallery whose show an editor puts right', () => {
  it('is found under the new key and the old one', async () => {
    const id = await gallery(runway());
    const changed = await editor.change(EVE, id, { category: 'couture', market: 'milan' }, 1);
    expect(changed).toMatchObject({ category: 'couture', categorySource: 'editor', market: 'milan', revision: 2 });
    expect(await keysOf(id)).toEqual([
      { year: 2026, term: 'fall', category: 'rtw', market: 'paris', detail: null },
      { year: 2026, term: 'fall', category: 'couture', market: 'milan', detail: null },
    ]);
    expect(await crawl(runway())).toBe('skipped_existing');
    expect(await crawl(runway({ ...COUTURE, market: 'milan' }))).toBe('skipped_existing');
    expect(await deedsOf(id)).toEqual([['eve', 'changed', 'category: rtw → couture, market: paris → milan']]);
  });

  it('is an editor’s word, also when it confirms a guess, and no crawl overrules it', async () => {
    const id = await gallery(runway({ season: 'Fall 2026' }));
    expect((await rowOf(id))['category_source']).toBe('default');
    const changed = await editor.change(EVE, id, { category: 'rtw' }, 1);
    expect(changed).toMatchObject({ category: 'rtw', categorySource: 'editor', revision: 2 });
    expect(await deedsOf(id)).toEqual([['eve', 'changed', 'category: rtw']]);
    // Said again, it is nothing new.
    expect(await editor.change(EVE, id, { category: 'rtw', year: 2026 }, 2)).toMatchObject({ revision: 2 });
    expect(await deedsOf(id)).toHaveLength(1);
    await room.review.reject(EVE, id, 'again');
    expect(await crawl(runway())).toBe('reused_rejected');
    expect(await rowOf(id)).toMatchObject({ category: 'rtw', category_source: 'editor' });
  });

  it('cannot be a show that another gallery is, which is named, deleted or not', async () => {
    const rtw = await gallery(runway());
    const couture = await gallery(runway(COUTURE));
    const taken = await refusal(editor.change(EVE, rtw, { category: 'couture' }, 1));
    expect(taken).toMatchObject({
      code: 'show-exists',
      members: { gallery_id: couture, label: '2026 秋冬 · 高级定制 · 巴黎' },
    });
    await room.review.delete(EVE, couture);
    const trashed = await refusal(editor.change(EVE, rtw, { category: 'couture' }, 1));
    expect(trashed.code).toBe('show-exists');
    expect(trashed.message).toContain('in the trash');
    expect(await rowOf(rtw)).toMatchObject({ category: 'rtw', revision: 1 });
    expect(await keysOf(rtw)).toHaveLength(1);
    expect(await deedsOf(rtw)).toEqual([]);
  });

  it('is told when somebody was quicker, or a crawl', async () => {
    const id = await gallery(runway());
    await editor.change(ADMIN, id, { market: 'milan' }, 1);
    const late = await refusal(editor.change(EVE, id, { market: 'london' }, 1));
    expect(late).toMatchObject({ code: 'gallery-changed', status: 409, members: { revision: 2 } });
    expect(late.message).toContain('米兰');
    await room.review.reject(ADMIN, id, 'again');
    await crawl(runway());
    expect((await refusal(editor.change(EVE, id, { market: 'london' }, 2))).code).toBe('gallery-changed');
    expect(await editor.change(EVE, id, { market: 'london' })).toMatchObject({ market: 'london', revision: 4 });
  });

  it('is changed by one of two who do so at once', async () => {
    const id = await gallery(runway());
    const both = await Promise.allSettled([
      editor.change(EVE, id, { market: 'milan' }, 1),
      editor.change(ADMIN, id, { market: 'london' }, 1),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await keysOf(id)).toHaveLength(2);
  });

  it('is not made a second time by a crawl that commits at the same time', async () => {
    const id = await gallery(runway());
    const other = await gathered(runway({ ...COUTURE }));
    const holder = await room.db.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM galleries WHERE id = $1 FOR UPDATE', [id]);
    const changed = editor.change(EVE, id, { category: 'couture' }, 1);
    // The editor has the brand and waits for the gallery; the crawl waits for the brand.
    await blockedBy(room.db, holder);
    const outcome = other.commit();
    const [waiting] = await room.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`,
      [(await holder.query('SELECT pg_backend_pid() AS pid')).rows[0].pid],
    );
    await blockedBy(room.db, waiting?.pid ?? 0);
    await holder.query('COMMIT');
    expect(await changed).toMatchObject({ category: 'couture' });
    expect(await outcome).toBe('skipped_existing');
    expect(await room.db.query('SELECT 1 FROM galleries')).toHaveLength(1);
  });

  it('meets a crawl that was quicker', async () => {
    const id = await gallery(runway());
    const other = await gathered(runway({ ...COUTURE }));
    let changed: Promise<unknown> | undefined;
    expect(
      await other.commit(async (tx) => {
        const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        changed = refusal(editor.change(EVE, id, { category: 'couture' }, 1));
        await blockedBy(room.db, pid);
      }),
    ).toBe('created');
    expect(await changed).toMatchObject({ code: 'show-exists' });
  });

  it('may be street style, which keeps what tells its days apart', async () => {
    const id = await gallery(street());
    const changed = await editor.change(EVE, id, { year: null, term: null, market: 'milan' }, 1);
    expect(changed).toMatchObject({ year: null, term: null, market: 'milan', categorySource: 'title' });
    const [old, now] = await keysOf(id);
    expect(now).toEqual({ year: null, term: null, category: 'street_style', market: 'milan', detail: old?.['detail'] });
    expect(old?.['detail']).toContain('3');
    const back = await editor.change(EVE, id, { year: 2026, term: 'spring', market: 'paris' }, 2);
    expect(back.revision).toBe(3);
    expect(await keysOf(id)).toHaveLength(2);
    expect(await crawl(street())).toBe('skipped_existing');
  });

  it('must be there, out of the trash, and a show that can be', async () => {
    const id = await gallery(runway());
    expect((await refusal(editor.change(EVE, '999', {}, 1))).code).toBe('gallery-not-found');
    expect((await refusal(editor.change(EVE, id, { year: 1700 }, 1))).code).toBe('overrides-invalid');
    expect((await refusal(editor.change(EVE, id, { term: null }, 1))).code).toBe('season-needed');
    await room.review.delete(EVE, id);
    expect((await refusal(editor.change(EVE, id, { market: 'milan' }, 1))).code).toBe('gallery-deleted');
  });
});

describe('pictures and covers', () => {
  const url = (look: number): string => `https://pictures.example/look-${look}.jpg`;
  const visibility = async (id: string, position: number): Promise<string | undefined> => {
    const [row] = await room.db.query<{ object_key: string }>(
      'SELECT object_key FROM gallery_pictures WHERE gallery_id = $1 AND position = $2',
      [id, position],
    );
    return room.get(GalleryReadRepository).visibilityOf(row?.object_key ?? '');
  };
  const coverOf = async (id: string): Promise<number | undefined> =>
    (await room.get(GalleryReadRepository).coversOf([id])).get(id)?.position;
  const hiddenOf = async (id: string): Promise<number[]> =>
    (await room.get(GalleryReadRepository).picturesOf([id])).get(id)?.flatMap((p) => (p.hidden ? [p.position] : [])) ??
    [];

  it('that are hidden are for the signed-in alone, and no cover', async () => {
    const id = await gallery(runway({ images: looks(3) }));
    await room.review.publish(EVE, id);
    expect([await coverOf(id), await visibility(id, 1)]).toEqual([1, 'public']);
    const hidden = await editor.hidePicture(EVE, id, 1, true);
    expect(hidden).toMatchObject({ coverPosition: 2, pictureCount: 3, revision: 1 });
    expect([await coverOf(id), await visibility(id, 1), await visibility(id, 2)]).toEqual([2, 'editors', 'public']);
    await editor.hidePicture(EVE, id, 1, true);
    await editor.hidePicture(EVE, id, 1, false);
    expect(await visibility(id, 1)).toBe('public');
    expect(await deedsOf(id)).toEqual([
      ['eve', 'picture_shown', 'Look 1'],
      ['eve', 'picture_hidden', 'Look 1'],
      ['eve', 'published', null],
    ]);
  });

  it('are never all hidden while the gallery is published, nor is one published then', async () => {
    const id = await gallery(runway());
    await room.review.publish(EVE, id);
    await editor.hidePicture(EVE, id, 1, true);
    expect((await refusal(editor.hidePicture(EVE, id, 2, true))).code).toBe('last-picture');
    expect(await hiddenOf(id)).toEqual([1]);
    await room.review.reopen(EVE, id);
    await editor.hidePicture(EVE, id, 2, true);
    expect(await coverOf(id)).toBeUndefined();
    expect(await refusal(room.review.publish(EVE, id))).toMatchObject({ code: 'gallery-empty' });
    await editor.hidePicture(EVE, id, 1, false);
    expect(await coverOf(id)).toBe(1);
    expect(await room.review.publish(EVE, id)).toMatchObject({ status: 'published' });
  });

  it('are chosen as cover only when they can be seen', async () => {
    room.web.answer(url(9), gone());
    const id = await gallery(runway({ images: looks(10) }));
    await editor.hidePicture(EVE, id, 3, true);
    expect((await refusal(editor.chooseCover(EVE, id, 3))).code).toBe('picture-not-shown');
    expect((await refusal(editor.chooseCover(EVE, id, 9))).code).toBe('picture-not-shown');
    expect((await refusal(editor.chooseCover(EVE, id, 99))).code).toBe('picture-not-found');
    expect(await editor.chooseCover(EVE, id, 5)).toMatchObject({ coverPosition: 5 });
    await editor.chooseCover(EVE, id, 5);
    expect(await deedsOf(id)).toEqual([
      ['eve', 'cover_chosen', 'Look 5'],
      ['eve', 'picture_hidden', 'Look 3'],
    ]);
  });

  it('stay hidden and chosen when a crawl brings them again in other places', async () => {
    const id = await gallery(runway({ images: looks(4) }));
    await editor.hidePicture(EVE, id, 1, true);
    await editor.chooseCover(EVE, id, 3);
    await room.review.reject(EVE, id, 'the order is wrong');
    expect(await crawl(runway({ images: looks(5).reverse() }))).toBe('reused_rejected');
    expect(await hiddenOf(id)).toEqual([5]);
    expect(await coverOf(id)).toBe(3);
    await editor.chooseCover(EVE, id, 4);
    await room.review.reject(EVE, id, 'again');
    expect(await crawl(runway({ images: looks(5) }))).toBe('reused_rejected');
    expect([await hiddenOf(id), await coverOf(id)]).toEqual([[1], 2]);
    // A photo that does not come again is no cover, and the first that may be seen is.
    await room.review.reject(EVE, id, 'again');
    expect(await crawl(runway({ images: looks(5).filter((_, index) => index !== 1) }))).toBe('reused_rejected');
    expect([await hiddenOf(id), await coverOf(id)]).toEqual([[1], 2]);
    expect(await rowOf(id)).toMatchObject({ cover_chosen: false });
  });

  it('stay hidden when a refill fetches them', async () => {
    room.web.answer(url(9), gone());
    const id = await gallery(runway({ images: looks(10) }));
    await editor.hidePicture(EVE, id, 9, true);
    room.web.behaveWell();
    await room.review.refill(EVE, id);
    expect(await (await room.held((await room.idsOf('media_refill', 'pending'))[0] ?? '')).work()).toBe('refilled');
    await room.review.publish(EVE, id);
    expect(await visibility(id, 9)).toBe('editors');
  });
});

describe('a gallery that is taken down', () => {
  const cleanup = async (): Promise<HeldJob[]> =>
    Promise.all((await room.idsOf('media_cleanup', 'pending')).map((id) => room.held(id)));

  it('is in the trash with its reason, and its files go at once', async () => {
    const id = await gallery(runway());
    await room.db.query('UPDATE galleries SET status = $1', ['published']);
    const view = await room.review.takeDown(EVE, id, ' The photographer wrote. ');
    expect(view).toMatchObject({ takedownReason: 'The photographer wrote.' });
    expect(view.deletedAt).toBeGreaterThan(0);
    const [job] = await room.db.query<Fields>(
      `SELECT next_attempt_at <= floor(extract(epoch from clock_timestamp())) AS due FROM ingest_jobs WHERE kind = 'media_cleanup'`,
    );
    expect(job).toEqual({ due: true });
    for (const held of await cleanup()) expect(await held.work()).toBe('cleaned');
    expect(room.store.keys).toEqual([]);
    expect(await crawl(runway())).toBe('skipped_deleted');
    await room.review.takeDown(ADMIN, id, 'again');
    expect(await deedsOf(id)).toEqual([['eve', 'taken_down', 'The photographer wrote.']]);
  });

  it('goes at once also when it waited in the trash', async () => {
    const id = await gallery(runway());
    await room.review.delete(EVE, id);
    const { deleted_at: before } = await rowOf(id);
    await room.review.takeDown(EVE, id, 'rights');
    expect((await rowOf(id))['deleted_at']).toBe(before);
    const [first, second] = await cleanup();
    expect([await second?.work(), await first?.work()]).toEqual(['cleaned', 'cleaned']);
    expect(room.store.keys).toEqual([]);
    const purges = await room.db.query(`SELECT 1 FROM gallery_events WHERE action = 'purged'`);
    expect(purges).toHaveLength(1);
  });

  it('comes back by an operator only, and then without its reason', async () => {
    const id = await gallery(runway());
    expect((await refusal(room.review.takeDown(EVE, id, ' '))).code).toBe('reason-needed');
    await room.review.takeDown(EVE, id, 'rights');
    const refused = await refusal(room.review.restore(EVE, id));
    expect([refused.code, refused.message]).toEqual(['gallery-taken-down', expect.stringContaining('rights')]);
    expect(await room.review.restore(ADMIN, id)).toMatchObject({ deletedAt: 0, takedownReason: null });
  });
});

describe('a gallery that is forgotten', () => {
  it('makes room for its show: the next crawl makes another gallery', async () => {
    const source = { url: 'https://runway.example/eclair/fall-2026' };
    const id = await gallery(runway({ source }));
    expect((await refusal(room.review.forget(ADMIN, id))).code).toBe('gallery-not-deleted');
    await room.review.delete(EVE, id);
    expect(await crawl(runway({ source }))).toBe('skipped_deleted');
    const view = await room.review.forget(ADMIN, id);
    expect(view.forgottenAt).toBeGreaterThan(0);
    await room.review.forget(ADMIN, id);
    // One that was due at the end of the trash time, and one that is due now.
    expect(await room.idsOf('media_cleanup', 'pending')).toHaveLength(2);
    const again = await gallery(runway({ source }));
    expect(again).not.toBe(id);
    expect(await keysOf(id)).toEqual([]);
    expect((await deedsOf(id)).map(([actor, action]) => [actor, action])).toEqual([
      ['admin', 'forgotten'],
      ['eve', 'deleted'],
    ]);
    // Its files go, those of the other stay.
    for (const job of await room.idsOf('media_cleanup', 'pending')) await (await room.held(job)).work();
    expect(room.store.keys).toEqual(await room.storedKeys());
    expect(room.store.keys).toHaveLength(2);
  });

  it('cannot come back, be taken down, changed or published', async () => {
    const id = await gallery(runway());
    await room.review.delete(EVE, id);
    await room.review.forget(ADMIN, id);
    await gallery(runway());
    const refused = await Promise.all(
      [
        room.review.restore(ADMIN, id),
        room.review.takeDown(ADMIN, id, 'rights'),
        room.review.publish(ADMIN, id),
        editor.change(ADMIN, id, { market: 'milan' }, 1),
      ].map(async (work) => (await refusal(work)).code),
    );
    expect(new Set(refused)).toEqual(new Set(['gallery-forgotten']));
  });

  it('is not found by a crawl that waited for it', async () => {
    const id = await gallery(runway());
    await room.review.reject(EVE, id, 'again');
    const other = await gathered(runway());
    await room.review.delete(EVE, id);
    const holder = await room.db.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM galleries WHERE id = $1 FOR UPDATE', [id]);
    const forgotten = room.review.forget(ADMIN, id);
    await blockedBy(room.db, holder);
    await holder.query('COMMIT');
    await forgotten;
    expect(await other.commit()).toBe('created');
  });
});

describe('a decision that is taken back', () => {
  it('makes the gallery wait for its review again', async () => {
    const id = await gallery(runway());
    await room.review.publish(EVE, id);
    expect(await room.review.reopen(EVE, id)).toMatchObject({ status: 'pending_review', publishedAt: 0 });
    await room.review.reject(EVE, id, 'wrong');
    expect(await room.review.reopen(ADMIN, id)).toMatchObject({ status: 'pending_review', rejectReason: null });
    await room.review.reopen(ADMIN, id);
    expect(await deedsOf(id)).toEqual([
      ['admin', 'reopened', 'rejected → pending_review'],
      ['eve', 'rejected', 'wrong'],
      ['eve', 'reopened', 'published → pending_review'],
      ['eve', 'published', null],
    ]);
    expect(await crawl(runway())).toBe('skipped_existing');
  });
});
