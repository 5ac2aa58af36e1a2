import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { AppError } from '../../src/lib/app-error.js';
import { pictureKeyOf } from '../../src/media/object-key.js';
import { S4Store } from '../../src/media/s4-store.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { readMediaConfig } from '../../src/platform/config/media-config.js';
import { ADMIN } from '../harness/actors.js';
import { blockedBy } from '../harness/blocked-by.js';
import { busy, gone } from '../harness/fakes/fake-media.js';
import { GalleriesContext, type HeldJob } from '../harness/galleries-context.js';
import { looks, message, runwayData } from '../harness/payloads.js';
import { type S3Server, startS3Server } from '../harness/s3-server.js';

let room: GalleriesContext;
let bucket: S3Server;
let s4: S4Store;

beforeAll(async () => {
  bucket = await startS3Server();
  const config = readMediaConfig(bucket.env).s4;
  if (config === undefined) throw new Error('The settings name no bucket');
  s4 = new S4Store(config, new Clock());
  room = await GalleriesContext.start(s4);
});
afterEach(async () => {
  room.store.before = () => undefined;
  room.store.after = () => undefined;
  await reset();
});
afterAll(async () => {
  await room.close();
  s4.onApplicationShutdown();
  await bucket.close();
});

async function reset(): Promise<void> {
  await room.reset();
  bucket.clear();
}

const isPicture = (key: string): boolean => pictureKeyOf(key) === key;
const url = (look: number): string => `https://pictures.example/look-${look}.jpg`;
const show = (year = 2026, pictures = 5): unknown =>
  message('runway.show', runwayData({ season: `Fall ${year} Ready-to-Wear`, images: looks(pictures) }));
const showOfOne = show(2026, 1);

/** A show in the archive. @returns its gallery's id */
async function archived(year?: number): Promise<string> {
  expect(await (await room.held(await room.post(show(year)))).work()).toBe('created');
  const [row] = await room.db.query<{ id: string }>('SELECT id FROM galleries ORDER BY id DESC LIMIT 1');
  return row?.id ?? '';
}

/** A crawl that failed for good, with four of its five pictures stored and the cover missing. @returns the job's id */
async function failedCrawl(): Promise<string> {
  const id = await room.post(show());
  room.web.answer(url(1), gone());
  expect(await (await room.held(id)).work()).toBe('failed');
  expect(room.store.keys).toHaveLength(4);
  room.web.behaveWell();
  return id;
}

/** The pending clean-up, of which there is one. */
async function cleanup(): Promise<HeldJob> {
  const ids = await room.idsOf('media_cleanup', 'pending');
  expect(ids).toHaveLength(1);
  return room.held(ids[0] ?? '');
}

async function expectNothingLostAndNothingLeft(): Promise<void> {
  expect(room.store.keys).toEqual(await room.storedKeys());
  expect(room.store.thumbnailsOf).toEqual(room.store.keys);
  const listed: string[] = [];
  for await (const { key } of s4.list('')) listed.push(key);
  expect(listed).toEqual([...room.store.objects.keys()].sort());
}

describe('clean-up against restore', () => {
  it('leaves a gallery alone that was restored before it came', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    await room.review.restore(ADMIN, id);
    expect(await (await cleanup()).work()).toBe('noop');
    expect(room.store.keys).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });

  it('waits for a restore that holds the gallery, and then leaves it alone', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    const held = await cleanup();
    const editor = await room.db.connect();
    await editor.query('BEGIN');
    await editor.query('SELECT 1 FROM galleries WHERE id = $1 FOR UPDATE', [id]);
    const gathered = held.gather();
    await blockedBy(room.db, editor);
    await editor.query('UPDATE galleries SET deleted_at = 0 WHERE id = $1', [id]);
    await editor.query('COMMIT');
    expect(await gathered).toBe(true);
    expect(await held.commit()).toBe('noop');
    await expectNothingLostAndNothingLeft();
  });

  it('has told a gallery what it will miss, before the first file goes', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    let restored: unknown;
    room.store.before = async () => {
      restored ??= await room.review.restore(ADMIN, id);
    };
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(restored).toMatchObject({ deletedAt: 0, pictureCount: 0, missingCount: 5 });
    expect(await room.storedKeys()).toEqual([]);
    await expectNothingLostAndNothingLeft();
  });

  it('that died after its mark goes on, although the gallery was restored meanwhile', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    const held = await cleanup();
    room.store.before = () => {
      throw new Error('killed');
    };
    await held.gatherAndDie();
    room.store.before = () => undefined;
    await room.review.restore(ADMIN, id);
    await room.reclaim(held.job.id);
    expect(await (await room.held(held.job.id)).work()).toBe('cleaned');
    await expectNothingLostAndNothingLeft();
  });

  it('lets what was fetched for the restored gallery be: a new revision has keys of its own', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    const held = await cleanup();
    await held.gather();
    await room.review.restore(ADMIN, id);
    await room.review.reject(ADMIN, id, 'fetch it again');
    expect(await (await room.held(await room.post(show()))).work()).toBe('reused_rejected');
    expect(await held.commit()).toBe('cleaned');
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(room.store.keys).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });

  it('of a first deletion does not empty the trash of the second one early', async () => {
    const id = await archived();
    await room.review.delete(ADMIN, id);
    const first = await cleanup();
    await room.db.query('UPDATE galleries SET deleted_at = deleted_at - 60 WHERE id = $1', [id]);
    await room.db.query(
      `UPDATE ingest_jobs SET payload = jsonb_set(payload::jsonb, '{data,deleted_at}',
         to_jsonb((payload::jsonb #>> '{data,deleted_at}')::bigint - 60))::text WHERE id = $1`,
      [first.job.id],
    );
    await room.reclaim(first.job.id);
    await room.review.restore(ADMIN, id);
    await room.review.delete(ADMIN, id);
    expect(await (await room.held(first.job.id)).work()).toBe('noop');
    expect(room.store.keys).toHaveLength(5);
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(room.store.keys).toEqual([]);
  });
});

describe('clean-up beside a gallery of the same pictures (CASES, pictures 10)', () => {
  /** The kept gallery is whole, and each of its objects is there. */
  async function expectWhole(id: string): Promise<void> {
    const pictures = await room.db.query<{ object_key: string; state: string }>(
      'SELECT object_key, state FROM gallery_pictures WHERE gallery_id = $1',
      [id],
    );
    expect(pictures.map(({ state }) => state)).toEqual(Array(5).fill('stored'));
    expect(room.store.keys).toEqual(expect.arrayContaining(pictures.map((picture) => picture.object_key)));
  }

  it.each(['before', 'after'] as const)('that dies %s each removal, one by one, takes nothing of it', async (when) => {
    const [shared, kept] = [await archived(2026), await archived(2025)];
    await room.review.delete(ADMIN, shared);
    const { id } = (await cleanup()).job;
    let deaths = 0;
    for (let outcome = 'died'; outcome === 'died'; deaths++) {
      let left = deaths;
      room.store[when] = (operation) => {
        if (operation === 'remove' && left-- === 0) throw new Error('killed');
      };
      await room.reclaim(id);
      const held = await room.held(id);
      await held.gatherAndDie();
      await expectWhole(kept);
      if (left > 0) outcome = 'through';
    }
    room.store[when] = () => undefined;
    expect(deaths).toBeGreaterThan(5);
    await room.reclaim(id);
    expect(await (await room.held(id)).work()).toBe('cleaned');
    await expectWhole(kept);
    await expectNothingLostAndNothingLeft();
  });

  it('by keys that a row from before names takes none that the other has', async () => {
    await archived(2026);
    const kept = await archived(2025);
    const keys = (await room.storedKeys()).filter((key) => key.startsWith('runway/2/'));
    expect(keys).toHaveLength(5);
    await room.db.query(
      `INSERT INTO ingest_jobs (kind, payload, status, created_at, updated_at, next_attempt_at)
       VALUES ('media_cleanup', $1, 'pending', 1, 1, 1)`,
      [JSON.stringify({ object_keys: keys })],
    );
    expect(await (await cleanup()).work()).toBe('noop');
    await expectWhole(kept);
  });
});

describe('clean-up against retry', () => {
  it('leaves a crawl’s pictures alone that was retried before it came', async () => {
    const id = await failedCrawl();
    await room.sweepOrphans();
    await room.jobs.retry(id, COMMAND_LINE);
    expect(await (await cleanup()).work()).toBe('noop');
    expect(await (await room.held(id)).work()).toBe('created');
    expect(room.web.fetched).toEqual([url(1)]);
    await expectNothingLostAndNothingLeft();
  });

  it('waits for a retry that holds the job, and then leaves its pictures alone', async () => {
    const id = await failedCrawl();
    await room.sweepOrphans();
    const held = await cleanup();
    const editor = await room.db.connect();
    await editor.query('BEGIN');
    await editor.query(`UPDATE ingest_jobs SET status = 'pending', attempts = 0 WHERE id = $1`, [id]);
    const gathered = held.gather();
    await blockedBy(room.db, editor);
    await editor.query('COMMIT');
    expect(await gathered).toBe(true);
    expect(await held.commit()).toBe('noop');
    expect(room.store.keys).toHaveLength(4);
  });

  it('makes the retried crawl wait from its mark to its end, which then fetches all anew', async () => {
    const id = await failedCrawl();
    await room.sweepOrphans();
    const held = await cleanup();
    room.store.before = async (operation) => {
      if (operation !== 'remove') return;
      room.store.before = () => undefined;
      await room.jobs.retry(id, COMMAND_LINE);
      expect(await (await room.held(id)).work()).toBe('failed');
      expect(await room.statusOf(id)).toMatchObject({ status: 'pending', error_code: 'pictures_being_removed' });
    };
    await held.gather();
    expect(await (await room.held(id)).work()).toBe('failed');
    expect(await held.commit()).toBe('cleaned');
    expect(await (await room.held(id)).work()).toBe('created');
    expect(room.web.fetched).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });

  it('that ends between the two looks of the retried crawl makes it wait, and never lose a picture', async () => {
    const id = await failedCrawl();
    await room.sweepOrphans();
    const held = await cleanup();
    await held.gather();
    await room.jobs.retry(id, COMMAND_LINE);
    const { slots } = room;
    const of = slots.of.bind(slots);
    slots.of = async (jobId) => {
      slots.of = of;
      expect(await held.commit()).toBe('cleaned');
      return of(jobId);
    };
    expect(await (await room.held(id)).gather()).toBe(false);
    expect(await room.statusOf(id)).toMatchObject({ status: 'pending', error_code: 'pictures_being_removed' });
    expect(await (await room.held(id)).work()).toBe('created');
    expect(await room.storedKeys()).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });

  it('by a worker that stalled, after another one ended it, takes nothing of what was put since', async () => {
    const id = await failedCrawl();
    await room.sweepOrphans();
    const stalled = await cleanup();
    let removed = 0;
    room.store.after = async (operation) => {
      if (operation !== 'remove' || ++removed > 1) return;
      await room.reclaim(stalled.job.id);
      expect(await (await room.held(stalled.job.id)).work()).toBe('cleaned');
      await room.jobs.retry(id, COMMAND_LINE);
      expect(await (await room.held(id)).work()).toBe('created');
    };
    await stalled.gather();
    expect(await stalled.commit()).toBe('lost');
    expect(await room.storedKeys()).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });
});

describe('clean-up of what was abandoned', () => {
  it('finds the object of a worker that died between its put and its word', async () => {
    const id = await room.post(showOfOne);
    room.store.after = (_, key) => {
      if (isPicture(key)) throw new Error('killed');
    };
    await (await room.held(id)).gatherAndDie();
    room.store.after = () => undefined;
    await room.reclaim(id);
    room.web.answer(url(1), gone());
    expect(await (await room.held(id)).work()).toBe('failed');
    expect(room.store.keys).toHaveLength(1);
    await room.sweepOrphans();
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(room.store.keys).toEqual([]);
  });

  it('finds the thumbnail of a worker that died before it put the picture', async () => {
    const id = await room.post(showOfOne);
    room.store.after = () => {
      throw new Error('killed');
    };
    await (await room.held(id)).gatherAndDie();
    room.store.after = () => undefined;
    expect([room.store.keys.length, room.store.thumbnailsOf.length]).toEqual([0, 1]);
    await room.reclaim(id);
    room.web.answer(url(1), gone());
    expect(await (await room.held(id)).work()).toBe('failed');
    await room.sweepOrphans();
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(room.store.thumbnailsOf).toEqual([]);
  });

  it('finds it too when the next try got other bytes, and the gallery was made of those', async () => {
    const id = await room.post(show());
    room.store.after = (_, key) => {
      if (isPicture(key) && key.includes('/1-')) throw new Error('killed');
    };
    await (await room.held(id)).gatherAndDie();
    room.store.after = () => undefined;
    await room.reclaim(id);
    room.web.answer(url(1), 'another picture');
    expect(await (await room.held(id)).work()).toBe('created');
    expect(room.store.keys).toHaveLength(6);
    expect(await (await cleanup()).work()).toBe('cleaned');
    await expectNothingLostAndNothingLeft();
  });

  it('finds what a cancelled crawl put after it had been cleaned up', async () => {
    const id = await room.post(showOfOne);
    room.store.before = async () => {
      room.store.before = () => undefined;
      await room.jobs.cancel(id, ADMIN);
      await room.sweepOrphans();
      expect(await (await cleanup()).work()).toBe('cleaned');
    };
    await (await room.held(id)).gather();
    expect(room.store.keys).toHaveLength(1);
    expect(await (await cleanup()).work()).toBe('cleaned');
    expect(room.store.keys).toEqual([]);
  });

  it('spares what the one worker put and the other one, with the same job, made a gallery of', async () => {
    const id = await room.post(show());
    const stalled = await room.held(id);
    room.store.before = async () => {
      room.store.before = () => undefined;
      await room.reclaim(id);
      expect(await (await room.held(id)).work()).toBe('created');
    };
    expect(await stalled.gather()).toBe(false);
    expect(await room.statusOf(id)).toMatchObject({ status: 'done', outcome: 'created' });
    await runAllCleanups();
    expect(room.store.keys).toHaveLength(5);
    await expectNothingLostAndNothingLeft();
  });

  it('is never needed for a slot that is called stored before its object was put', async () => {
    const id = await room.post(show());
    const stalled = await room.held(id);
    room.web.answer(url(1), url(1), 'another picture');
    room.store.before = async (_, key) => {
      if (!key.includes('/1-')) return;
      // Another worker takes the slot for other bytes, and dies before it puts them.
      room.store.before = () => {
        throw new Error('killed');
      };
      await room.reclaim(id);
      await (await room.held(id)).gatherAndDie();
      room.store.before = () => undefined;
    };
    await stalled.gather();
    const slots = await room.db.query<{ object_key: string }>(
      `SELECT object_key FROM ingest_pictures WHERE state = 'stored' AND job_id = $1`,
      [id],
    );
    for (const { object_key: key } of slots) expect(room.store.keys).toContain(key);
    await room.reclaim(id);
    expect(await (await room.held(id)).work()).toBe('created');
    await runAllCleanups();
    await expectNothingLostAndNothingLeft();
  });
});

async function runAllCleanups(): Promise<void> {
  for (let ids = await room.idsOf('media_cleanup', 'pending'); ids.length > 0;) {
    for (const id of ids) await (await room.claim(id))?.work();
    ids = await room.idsOf('media_cleanup', 'pending');
  }
}

describe('whatever happens in whatever order', () => {
  const KINDS = ['crawl', 'media_refill', 'media_cleanup'] as const;
  type Kind = (typeof KINDS)[number];
  type Answer = 'picture' | 'another' | 'gone' | 'busy';
  type Step =
    | { do: 'post'; show: number }
    | { do: 'gather'; kind: Kind; nth: number; at: number; meanwhile: Step[] }
    | { do: 'die'; kind: Kind; nth: number; at: number; when: 'before' | 'after' }
    | { do: 'commit'; nth: number }
    | { do: 'stall'; nth: number }
    | { do: 'retry' | 'cancel'; nth: number }
    | { do: 'delete' | 'restore' | 'reject' | 'publish' | 'refill'; nth: number }
    | { do: 'answer'; look: number; answer: Answer }
    | { do: 'sweep' };

  const nth = fc.nat(5);
  const kind = fc.constantFrom(...KINDS);
  const at = fc.nat(6);
  const simple: fc.Arbitrary<Step>[] = [
    fc.record({ do: fc.constant('post' as const), show: fc.nat(1) }),
    fc.record({ do: fc.constant('commit' as const), nth }),
    fc.record({ do: fc.constant('stall' as const), nth }),
    fc.record({ do: fc.constantFrom('retry' as const, 'cancel' as const), nth }),
    fc.record({
      do: fc.constantFrom('delete' as const, 'restore' as const, 'reject' as const, 'publish' as const),
      nth,
    }),
    fc.record({ do: fc.constant('refill' as const), nth }),
    fc.record({
      do: fc.constant('answer' as const),
      look: fc.integer({ min: 1, max: 5 }),
      answer: fc.constantFrom<Answer>('picture', 'another', 'gone', 'busy'),
    }),
    fc.record({ do: fc.constant('sweep' as const) }),
    fc.record({
      do: fc.constant('die' as const),
      kind,
      nth,
      at,
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  ];
  const gather = (meanwhile: fc.Arbitrary<Step[]>): fc.Arbitrary<Step> =>
    fc.record({ do: fc.constant('gather' as const), kind, nth, at, meanwhile });
  const inner = fc.oneof(...simple, gather(fc.constant([])), gather(fc.constant([])));
  const step = fc.oneof(
    ...simple,
    gather(fc.array(inner, { maxLength: 5 })),
    gather(fc.array(inner, { maxLength: 5 })),
  );

  /** How far things have gone when chance takes over: what is rare alone is met often behind these. */
  const created: Step[] = [
    { do: 'gather', kind: 'crawl', nth: 0, at: 99, meanwhile: [] },
    { do: 'commit', nth: 0 },
  ];
  const purgedByHalves: Step[] = [
    ...created,
    { do: 'delete', nth: 0 },
    { do: 'die', kind: 'media_cleanup', nth: 0, at: 1, when: 'before' },
  ];
  const begun = fc.constantFrom<Step[]>(
    [],
    created,
    [{ do: 'answer', look: 4, answer: 'gone' }, ...created, { do: 'refill', nth: 0 }],
    purgedByHalves,
    [...purgedByHalves, { do: 'restore', nth: 0 }],
  );

  /** Jobs with a plan, in the hands of workers that have not committed yet; some are not theirs any more. */
  let inHand: HeldJob[];

  const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
  const galleries = async (): Promise<string[]> =>
    (await room.db.query<{ id: string }>('SELECT id FROM galleries ORDER BY id')).map(({ id }) => id);
  const claimNth = async (of: string, index: number): Promise<HeldJob | undefined> => {
    const id = pick(await room.idsOf(of, 'pending'), index);
    return id === undefined ? undefined : room.claim(id);
  };
  const orRefused = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });

  async function take(it: Step): Promise<void> {
    switch (it.do) {
      case 'post':
        await room.post(show(2026 - it.show));
        return;
      case 'gather': {
        const held = await claimNth(it.kind, it.nth);
        if (held !== undefined && (await interrupted(it.at, it.meanwhile, held))) inHand.push(held);
        return;
      }
      case 'die': {
        const held = await claimNth(it.kind, it.nth);
        if (held === undefined) return;
        const { store } = room;
        const alive = { before: store.before, after: store.after };
        let left = it.at;
        store[it.when] = () => {
          if (left-- <= 0) throw new Error('killed');
        };
        await held.gatherAndDie();
        Object.assign(store, alive);
        await room.reclaim(held.job.id);
        return;
      }
      case 'commit': {
        const held = pick(inHand, it.nth);
        inHand = inHand.filter((other) => other !== held);
        await held?.commit();
        return;
      }
      case 'stall': {
        const held = pick(inHand, it.nth);
        if (held !== undefined) await room.reclaim(held.job.id);
        return;
      }
      case 'retry': {
        const id = pick(
          [...(await room.idsOf('crawl', 'failed')), ...(await room.idsOf('media_refill', 'failed'))],
          it.nth,
        );
        if (id !== undefined) await orRefused(room.jobs.retry(id, COMMAND_LINE));
        return;
      }
      case 'cancel': {
        const open = await Promise.all(
          (['crawl', 'media_refill'] as const).flatMap((of) => [
            room.idsOf(of, 'pending'),
            room.idsOf(of, 'processing'),
          ]),
        );
        const id = pick(open.flat(), it.nth);
        if (id !== undefined) await orRefused(room.jobs.cancel(id, ADMIN));
        return;
      }
      case 'delete':
      case 'restore':
      case 'refill':
      case 'publish': {
        const id = pick(await galleries(), it.nth);
        if (id !== undefined) await orRefused(room.review[it.do](ADMIN, id));
        return;
      }
      case 'reject': {
        const id = pick(await galleries(), it.nth);
        if (id !== undefined) await orRefused(room.review.reject(ADMIN, id, 'wrong'));
        return;
      }
      case 'answer': {
        const answers = { picture: url(it.look), another: `another ${it.look}`, gone: gone(), busy: busy() };
        room.web.answer(url(it.look), answers[it.answer]);
        return;
      }
      case 'sweep':
        await room.sweepOrphans();
    }
  }

  /** Gathers, and stands still for the other steps: before or after an object is put, or between two removals. */
  async function interrupted(operation: number, meanwhile: Step[], held: HeldJob): Promise<boolean> {
    const { store } = room;
    const outer = { before: store.before, after: store.after };
    let left = operation;
    const stand = async (): Promise<void> => {
      if (left-- !== 0) return;
      Object.assign(store, { before: () => undefined, after: () => undefined });
      for (const one of meanwhile) await take(one);
    };
    store.before = (what) => (what === 'put' ? stand() : undefined);
    store.after = stand;
    const hasPlan = await held.gather();
    Object.assign(store, outer);
    return hasPlan;
  }

  /** All comes to rest: hosts are well, workers die or finish, and an operator retries what was given up. */
  async function comeToRest(): Promise<void> {
    room.web.behaveWell();
    for (const work of KINDS) for (const id of await room.idsOf(work, 'processing')) await room.reclaim(id);
    for (const held of inHand) expect(await held.commit()).toBe('lost');
    for (let moved = 1; moved > 0;) {
      moved = 0;
      for (const id of await room.idsOf('media_cleanup', 'failed')) await room.jobs.retry(id, COMMAND_LINE);
      await runAllCleanups();
      for (const work of ['crawl', 'media_refill']) {
        for (const id of await room.idsOf(work, 'pending')) {
          moved++;
          await (await room.claim(id))?.work();
        }
      }
      await runAllCleanups();
      moved += (await room.sweepOrphans()).enqueued;
    }
  }

  it('no live gallery loses an object, and no orphan stays', async () => {
    await fc.assert(
      fc.asyncProperty(begun, fc.array(step, { minLength: 5, maxLength: 30 }), async (before, steps) => {
        await reset();
        inHand = [];
        await room.post(show());
        for (const one of [...before, ...steps]) {
          await take(one);
          const known = await room.knownKeys();
          const stored = await room.storedKeys();
          const { keys, thumbnailsOf } = room.store;
          expect(keys).toEqual(expect.arrayContaining(stored));
          expect(thumbnailsOf).toEqual(expect.arrayContaining(stored));
          expect([...keys, ...thumbnailsOf].filter((key) => !known.has(key))).toEqual([]);
        }
        await comeToRest();
        await expectNothingLostAndNothingLeft();
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
