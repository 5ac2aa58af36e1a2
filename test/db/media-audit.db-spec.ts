import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runMediaSweepCommand } from '../../src/galleries/media-sweep.command.js';
import { MediaSweepService } from '../../src/galleries/media-sweep.service.js';
import { runMediaVerifyCommand } from '../../src/galleries/media-verify.command.js';
import { MediaVerifyService } from '../../src/galleries/media-verify.service.js';
import { ObjectAuditRepository } from '../../src/galleries/object-audit.repository.js';
import { thumbnailKey } from '../../src/media/object-key.js';
import { Progress } from '../../src/platform/progress.js';
import { ADMIN } from '../harness/actors.js';
import { GalleriesContext } from '../harness/galleries-context.js';
import { insertJobs } from '../harness/job-rows.js';
import { looks, message, runwayData } from '../harness/payloads.js';

let room: GalleriesContext;
let folder: string;
let printed: string[];
let remarked: string[];

beforeAll(async () => {
  room = await GalleriesContext.start();
});
beforeEach(async () => {
  await room.reset();
  room.store.modifiedAt.clear();
  folder = await mkdtemp(join(tmpdir(), 'runway-audit-'));
  printed = [];
  remarked = [];
  const images = looks(5);
  expect(await (await room.held(await room.post(message('runway.show', runwayData({ images }))))).work()).toBe(
    'created',
  );
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => room.close());

const out = {
  print: (line: string) => void printed.push(line),
  remark: (line: string) => void remarked.push(line),
  progress: new Progress({ write: () => true }),
};
const sweep = (...args: string[]): Promise<number> => runMediaSweepCommand(args, room.get(MediaSweepService), out);
const verify = (...args: string[]): Promise<number> =>
  runMediaVerifyCommand(args, { service: room.get(MediaVerifyService), dataDir: folder }, out);

const ORPHAN = 'runway/99/1-0123456789abcdef.jpg';
const key = (place: number): string => room.store.keys[place - 1] ?? '';

/** So many objects of a gallery, past the crawl that would have put them; enough that one orphan is less than 1 %. */
async function manyObjects(count: number): Promise<void> {
  await room.db.query(
    `INSERT INTO gallery_pictures (gallery_id, position, kind, source_url, identity, state, object_key)
     SELECT 1, 1000 + n, 'look', 'https://pictures.example/' || n, 'p' || n, 'stored',
       'runway/5/' || n || '-00000000000000aa.jpg' FROM generate_series(1, $1::int) AS n`,
    [count],
  );
  for (let n = 1; n <= count; n++) room.store.objects.set(`runway/5/${n}-00000000000000aa.jpg`, Buffer.from('x'));
}

describe('the sweep', () => {
  it('finds nothing where store and archive agree', async () => {
    expect(await sweep()).toBe(0);
    expect(printed).toEqual([
      '10 objects: 0 that no row names, 0 of them older than 7 days',
      '0 objects that rows name are gone',
    ]);
  });

  it('lists objects that no row names, and rows whose object or thumbnail is gone', async () => {
    room.store.objects.set(ORPHAN, Buffer.from('abc'));
    room.store.objects.set(thumbnailKey(ORPHAN), Buffer.from('a'));
    const [lost, thumbless] = [key(2), key(3)];
    room.store.objects.delete(lost);
    room.store.objects.delete(thumbnailKey(thumbless));
    expect(await sweep()).toBe(1);
    expect(printed).toEqual([
      `orphan ${ORPHAN} 3 bytes, of 1970-01-01`,
      `orphan ${thumbnailKey(ORPHAN)} 1 bytes, of 1970-01-01`,
      `gone   ${lost}, picture 2 of gallery 1`,
      `gone   ${thumbnailKey(thumbless)}, picture 3 of gallery 1`,
      '10 objects: 2 that no row names, 2 of them older than 7 days',
      '2 objects that rows name are gone',
    ]);
    expect(room.store.objects.has(ORPHAN)).toBe(true);
  });

  it('knows what is a crawl’s that is under way, and what is still to be removed', async () => {
    const waiting = await room.held(await room.post(message('runway.show', runwayData({ season: 'Fall 2020' }))));
    await waiting.gather();
    await room.review.delete(ADMIN, '1');
    const held = await room.held((await room.idsOf('media_cleanup', 'pending'))[0] ?? '');
    room.store.before = () => {
      throw new Error('killed');
    };
    await held.gatherAndDie();
    room.store.before = () => undefined;
    expect(await sweep()).toBe(0);
    expect(printed.at(-2)).toMatch(/: 0 that no row names/);
  });

  it('deletes when told to, and nothing that is not old enough', async () => {
    await manyObjects(300);
    const young = 'street/98/1-0123456789abcdef.jpg';
    for (const orphan of [ORPHAN, young]) room.store.objects.set(orphan, Buffer.from('abc'));
    room.store.modifiedAt.set(young, new Date(Date.now() - 6 * 86_400_000));
    const before = room.store.objects.size;
    expect(await sweep('--delete')).toBe(0);
    expect(printed).toContain(`orphan ${young} 3 bytes, of ${dayOf(young)}, too young`);
    expect(printed.at(-1)).toBe('1 objects deleted');
    expect(room.store.objects.has(ORPHAN)).toBe(false);
    expect(room.store.objects.size).toBe(before - 1);
  });

  const dayOf = (one: string): string | undefined => room.store.modifiedAt.get(one)?.toISOString().slice(0, 10);

  it('deletes nothing when that would be more than one in a hundred, unless it is told that it may', async () => {
    room.store.objects.set(ORPHAN, Buffer.from('abc'));
    expect(await sweep('--delete')).toBe(1);
    expect(remarked.join()).toContain('Nothing was deleted: 9.1 % of all objects is more than 1 %');
    expect(room.store.objects.has(ORPHAN)).toBe(true);
    expect(await sweep('--delete', '--max-percent', '10')).toBe(0);
    expect(room.store.objects.has(ORPHAN)).toBe(false);
  });

  it('leaves the whole store alone against an empty database', async () => {
    const objects = room.store.objects.size;
    await room.db.query('TRUNCATE galleries, ingest_pictures, ingest_jobs CASCADE');
    expect(await sweep('--delete')).toBe(1);
    expect(room.store.objects.size).toBe(objects);
  });

  it('looks again before it deletes: at the rows, and at the job that may want the object', async () => {
    const [job = ''] = await insertJobs(room.db, 1, { kind: 'crawl', status: 'pending' });
    const wanted = `runway/${job}/1-0123456789abcdef.jpg`;
    const nobodys = 'runway/99999999999999999999/1-0123456789abcdef.jpg';
    for (const one of [ORPHAN, nobodys, wanted, key(1)]) room.store.objects.set(one, Buffer.from('abc'));
    expect(await room.get(MediaSweepService).remove([ORPHAN, nobodys, wanted, key(1)], () => undefined)).toBe(2);
    expect(room.store.objects.has(ORPHAN)).toBe(false);
    expect(room.store.objects.has(wanted)).toBe(true);
  });

  it('does not call gone what came while it listed, nor what was cleaned up since', async () => {
    const [late, cleaned] = [key(2), key(3)];
    const list = room.store.list.bind(room.store);
    const bytes = room.store.objects.get(late) ?? Buffer.alloc(0);
    room.store.objects.delete(late);
    room.store.objects.delete(cleaned);
    room.store.list = async function* (prefix) {
      yield* list(prefix);
      room.store.objects.set(late, bytes);
    };
    const exists = room.store.exists.bind(room.store);
    room.store.exists = async (one) => {
      await room.db.query(`UPDATE gallery_pictures SET state = 'missing' WHERE object_key = $1`, [cleaned]);
      return exists(one);
    };
    expect(await sweep()).toBe(0);
    Object.assign(room.store, { list, exists });
    expect(printed.at(-1)).toBe('0 objects that rows name are gone');
  });

  it('compares one stretch of keys after the other, and misses none at their ends', async () => {
    await manyObjects(2_600);
    const gone = [
      'runway/5/1-00000000000000aa.jpg',
      'runway/5/2600-00000000000000aa.jpg',
      'runway/5/999-00000000000000aa.jpg',
    ];
    for (const one of gone) room.store.objects.delete(one);
    // More objects than a batch has.
    for (let n = 1; n <= 2_600; n++) room.store.objects.set(`runway/99/${n}-0123456789abcdef.jpg`, Buffer.from('x'));
    expect(await sweep()).toBe(1);
    expect(printed.filter((line) => line.startsWith('gone')).map((line) => line.split(/[ ,]+/)[1])).toEqual(gone);
    expect(printed.at(-2)).toMatch(/^5207 objects: 2600 that no row names/);
  });

  it.each([[['--remove']], [['--max-percent', 'all']], [['--max-percent', '0']], [['--delete', 'now']]])(
    'does not understand %j, and deletes nothing',
    async (args) => {
      room.store.objects.set(ORPHAN, Buffer.from('abc'));
      expect(await sweep(...args)).toBe(2);
      expect(remarked.join()).toContain('npm run media:sweep');
      expect(room.store.objects.has(ORPHAN)).toBe(true);
    },
  );
});

describe('the verification', () => {
  it('finds nothing where all bytes are as they came', async () => {
    expect(await verify()).toBe(0);
    expect(printed).toEqual(['5 pictures compared, 0 damaged']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('names what is gone and what has other bytes', async () => {
    const [gone, changed] = [key(2), key(4)];
    const { sha256 } = (
      await room.db.query<{ sha256: string }>('SELECT sha256 FROM gallery_pictures WHERE position = 4')
    )[0] ?? { sha256: '' };
    room.store.objects.delete(gone);
    room.store.objects.set(changed, Buffer.from('abc'));
    expect(await verify()).toBe(1);
    expect(printed).toEqual([
      `${gone}, picture 2 of gallery 1, is gone`,
      `${changed}, picture 4 of gallery 1, has sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad instead of ${sha256}`,
      '5 pictures compared, 2 damaged',
    ]);
  });

  it('goes on where it was stopped, with what it had found', async () => {
    await manyObjects(300);
    await room.db.query(`UPDATE gallery_pictures SET sha256 = encode(sha256('x'), 'hex') WHERE position > 1000`);
    room.store.objects.delete(key(1));
    const get = room.store.get.bind(room.store);
    const read: string[] = [];
    room.store.get = (one) => {
      if (read.length >= 250) return Promise.reject(new Error('The store is down.'));
      read.push(one);
      return get(one);
    };
    await expect(verify()).rejects.toThrow('The store is down.');
    const place = JSON.parse(await readFile(join(folder, 'media-verify.json'), 'utf8')) as object;
    expect(place).toMatchObject({ done: 200, damaged: 1 });
    read.length = 0;
    room.store.get = (one) => {
      read.push(one);
      return get(one);
    };
    expect(await verify()).toBe(1);
    Object.assign(room.store, { get });
    expect(read).toHaveLength(105);
    expect(remarked).toEqual([expect.stringMatching(/^Going on behind runway\//)]);
    expect(printed.at(-1)).toBe('305 pictures compared, 1 damaged');
    expect(await readdir(folder)).toEqual([]);
  });

  it('begins anew when told to, or when its place cannot be read', async () => {
    await writeFile(join(folder, 'media-verify.json'), JSON.stringify({ after: key(3), done: 3, damaged: 0 }));
    expect(await verify('--from-start')).toBe(0);
    await writeFile(join(folder, 'media-verify.json'), '{"after": ');
    expect(await verify()).toBe(0);
    expect(printed).toEqual(Array(2).fill('5 pictures compared, 0 damaged'));
  });

  it('begins behind a key when told to', async () => {
    expect(await verify('--after', key(3))).toBe(0);
    expect(printed).toEqual(['2 pictures compared, 0 damaged']);
  });

  it('does not call damaged what was cleaned up while it read', async () => {
    const audit = room.get(ObjectAuditRepository);
    const isStored = audit.isStored.bind(audit);
    room.store.objects.delete(key(2));
    audit.isStored = async (one) => {
      await room.db.query(`UPDATE gallery_pictures SET state = 'missing' WHERE object_key = $1`, [one]);
      return isStored(one);
    };
    expect(await verify()).toBe(0);
    Object.assign(audit, { isStored });
  });

  it('does not understand what it was not taught', async () => {
    expect(await verify('--all')).toBe(2);
    expect(remarked.join()).toContain('npm run media:verify');
  });
});
