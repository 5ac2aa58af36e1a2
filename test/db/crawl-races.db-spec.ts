import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN } from '../harness/actors.js';
import { blockedBy } from '../harness/blocked-by.js';
import { GalleriesContext, type HeldJob } from '../harness/galleries-context.js';
import { message, runwayData, streetData } from '../harness/payloads.js';

let room: GalleriesContext;

beforeAll(async () => {
  room = await GalleriesContext.start();
});
afterEach(() => room.reset());
afterAll(() => room.close());

type Fields = Record<string, unknown>;

const runway = (over: Fields = {}): Promise<string> => room.post(message('runway.show', runwayData(over)));
const street = (over: Fields = {}): Promise<string> => room.post(message('street.gallery', streetData(over)), '0');

/** Its pictures are stored, and it is about to write. */
async function gathered(posted: Promise<string>): Promise<HeldJob> {
  const held = await room.held(await posted);
  expect(await held.gather()).toBe(true);
  return held;
}

describe('two crawls of one show', () => {
  it.each<[string, () => Promise<string>, () => Promise<string>]>([
    ['the very same', () => runway(), () => runway()],
    ['one of them without a market', () => runway(), () => runway({ market: undefined })],
    ['street style, the very same', () => street(), () => street()],
    [
      'street style, one of them without a market',
      () => street({ title: 'Day 3, Spring 2026' }),
      () => street({ title: 'Day 3, Spring 2026', market: undefined }),
    ],
    [
      'street style, of one page under two titles',
      () => street({ source: { url: 'https://street.example/3' } }),
      () => street({ source: { url: 'https://street.example/3' }, title: 'Updated: Paris, Spring 2026' }),
    ],
  ])('write one after the other, and the second one sees the first: %s', async (_, one, other) => {
    const first = await gathered(one());
    const second = await gathered(other());
    let outcome: Promise<string> | undefined;
    expect(
      await first.commit(async (tx) => {
        const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        outcome = second.commit();
        await blockedBy(room.db, pid);
      }),
    ).toBe('created');
    expect(await outcome).toBe('skipped_existing');
    expect(await room.db.query('SELECT 1 FROM galleries')).toHaveLength(1);
  });
});

describe('a rejected show that two crawls bring again', () => {
  it('is written over once', async () => {
    expect(await (await room.held(await runway())).work()).toBe('created');
    await room.review.reject(ADMIN, '1', 'wrong');
    const both = [await gathered(runway()), await gathered(runway())];
    expect((await Promise.all(both.map((held) => held.commit()))).sort()).toEqual([
      'reused_rejected',
      'skipped_existing',
    ]);
    expect(await room.db.query('SELECT revision FROM galleries')).toEqual([{ revision: 2 }]);
  });

  it('takes the category and the market that were not known before', async () => {
    const source = { url: 'https://runway.example/fall-2026' };
    await (await room.held(await runway({ season: 'Fall 2026', market: undefined, source }))).work();
    await room.review.reject(ADMIN, '1', 'wrong');
    expect(await (await room.held(await runway({ season: 'Fall 2026 Couture', source }))).work()).toBe(
      'reused_rejected',
    );
    expect(await room.db.query('SELECT category, category_source, market FROM galleries')).toEqual([
      { category: 'couture', category_source: 'season', market: 'paris' },
    ]);
    // Both keys lead to it from now on.
    for (const season of ['Fall 2026', 'Fall 2026 Couture']) {
      expect(await (await room.held(await runway({ season, market: undefined }))).work()).toBe('skipped_existing');
    }
  });

  it('keeps a category that was read', async () => {
    const source = { url: 'https://runway.example/fall-2026' };
    await (await room.held(await runway({ season: 'Fall 2026 Couture', source }))).work();
    await room.review.reject(ADMIN, '1', 'wrong');
    expect(await (await room.held(await runway({ season: 'Fall 2026', source }))).work()).toBe('reused_rejected');
    expect(await room.db.query('SELECT category FROM galleries')).toEqual([{ category: 'couture' }]);
  });
});

describe('a crawl against the editors', () => {
  it('does not write over a gallery that is published while it commits', async () => {
    const id = '1';
    await (await room.held(await runway())).work();
    await room.review.reject(ADMIN, id, 'wrong');
    const crawl = await gathered(runway());
    const editor = await room.db.connect();
    await editor.query('BEGIN');
    await editor.query('SELECT 1 FROM galleries WHERE id = $1 FOR UPDATE', [id]);
    const committed = crawl.commit();
    await blockedBy(room.db, editor);
    await editor.query(`UPDATE galleries SET status = 'published' WHERE id = $1`, [id]);
    await editor.query('COMMIT');
    expect(await committed).toBe('skipped_existing');
    const [gallery] = await room.db.query('SELECT status, revision FROM galleries');
    expect(gallery).toEqual({ status: 'published', revision: 1 });
  });

  it('does not fill a gallery that goes to the trash while it commits', async () => {
    const id = '1';
    await (await room.held(await runway())).work();
    await room.review.reject(ADMIN, id, 'wrong');
    const crawl = await gathered(runway());
    const editor = await room.db.connect();
    await editor.query('BEGIN');
    await editor.query('UPDATE galleries SET deleted_at = 1800000000 WHERE id = $1', [id]);
    const committed = crawl.commit();
    await blockedBy(room.db, editor);
    await editor.query('COMMIT');
    expect(await committed).toBe('skipped_deleted');
  });
});
