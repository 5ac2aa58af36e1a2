import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { objectKey } from '../../src/media/object-key.js';
import type { ListedObject, ObjectStore } from '../../src/media/object-store.js';

export interface StoreUnderTest {
  store: ObjectStore;
  /** Puts an object of one byte there past the store, whatever its name. */
  plant: (name: string) => Promise<void>;
  close: () => Promise<void>;
}

/** What every store does, whatever is behind it. */
export function keepsTheContract(open: () => Promise<StoreUnderTest>): void {
  const KEY = keyOf('17', 3);
  let under: StoreUnderTest;
  let store: ObjectStore;

  beforeEach(async () => {
    under = await open();
    ({ store } = under);
  });
  afterEach(() => under.close());

  it('gives back the bytes that it was given', async () => {
    const bytes = Buffer.from('a picture');
    await store.put(KEY, bytes, 'image/jpeg');
    expect(await store.get(KEY)).toEqual(bytes);
    expect(await store.exists(KEY)).toBe(true);
    const opened = await store.open(KEY);
    expect(opened).toMatchObject({ bytes: bytes.length, contentType: 'image/jpeg' });
    expect(opened && (await buffer(opened.stream))).toEqual(bytes);
  });

  it('says so when there is nothing', async () => {
    expect(await store.exists(KEY)).toBe(false);
    expect(await store.open(KEY)).toBeUndefined();
    expect(await store.remove(KEY)).toBe('missing');
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'object-missing' });
    expect(await listed('')).toEqual([]);
  });

  it('removes once', async () => {
    await store.put(KEY, Buffer.from('x'), 'image/jpeg');
    expect(await store.remove(KEY)).toBe('removed');
    expect(await store.exists(KEY)).toBe(false);
    expect(await store.remove(KEY)).toBe('missing');
  });

  it('takes the same key again', async () => {
    await store.put(KEY, Buffer.from('longer than the other'), 'image/jpeg');
    await store.put(KEY, Buffer.from('the other'), 'image/jpeg');
    expect((await store.get(KEY)).toString()).toBe('the other');
    expect(await listed('')).toHaveLength(1);
  });

  it('shows a whole object or none while many write the same one', async () => {
    const one = Buffer.alloc(2_000_000, 1);
    const other = Buffer.alloc(2_000_000, 2);
    const writing = Promise.all([one, other, one, other].map((bytes) => store.put(KEY, bytes, 'image/jpeg')));
    let seen = 0;
    for (let done = false; !done;) {
      done = await Promise.race([
        writing.then(() => true),
        new Promise<boolean>((resolve) => setImmediate(resolve, false)),
      ]);
      const bytes = await store.get(KEY).catch(() => undefined);
      if (bytes === undefined) continue;
      seen++;
      expect(bytes.equals(one) || bytes.equals(other)).toBe(true);
    }
    expect(seen).toBeGreaterThan(0);
  });

  it('takes many objects at once', async () => {
    const keys = Array.from({ length: 60 }, (_, position) => keyOf('5', position));
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key), 'image/jpeg')));
    const found = await Promise.all(keys.map((key) => store.get(key)));
    expect(found.map(String)).toEqual(keys);
  });

  it('goes on when a reader leaves in the middle', async () => {
    await store.put(KEY, Buffer.alloc(4_000_000, 1), 'image/jpeg');
    for (let round = 0; round < 3; round++) {
      const opened = await store.open(KEY);
      if (opened === undefined) throw new Error('there is no such object');
      const closed = new Promise((resolve) => opened.stream.on('error', () => undefined).once('close', resolve));
      for await (const _chunk of opened.stream) break;
      await closed;
    }
    expect(await store.get(KEY)).toHaveLength(4_000_000);
  });

  it.each(['../secret.jpg', '/etc/passwd', 'runway/../3-0123456789abcdef.jpg', `${keyOf('1', 1)}/..`, '', 'a/b'])(
    'touches nothing for %j, which is no key',
    async (key) => {
      const refusal = { code: 'object-key-invalid' };
      await expect((async () => store.get(key))()).rejects.toMatchObject(refusal);
      await expect((async () => store.open(key))()).rejects.toMatchObject(refusal);
      await expect((async () => store.exists(key))()).rejects.toMatchObject(refusal);
      await expect((async () => store.put(key, Buffer.from('x'), 'image/jpeg'))()).rejects.toMatchObject(refusal);
      await expect((async () => store.remove(key))()).rejects.toMatchObject(refusal);
    },
  );

  describe('lists', () => {
    it('keys in the order of their bytes, with size and time', async () => {
      const keys = [keyOf('10', 1), keyOf('9', 2), keyOf('9', 10), keyOf('1', 1), keyOf('100', 1)];
      const began = Date.now();
      for (const [index, key] of keys.entries()) await store.put(key, Buffer.alloc(index + 1), 'image/jpeg');
      const found = await listed('');
      expect(found.map(({ key }) => key)).toEqual([...keys].sort());
      expect(found.find(({ key }) => key === keys[2])?.bytes).toBe(3);
      for (const { modifiedAt } of found) expect(Math.abs(modifiedAt.getTime() - began)).toBeLessThan(60_000);
    });

    it('what begins with the prefix, and comes behind', async () => {
      const keys = [keyOf('1', 1), keyOf('1', 2), keyOf('12', 1), keyOf('2', 1)].sort();
      for (const key of keys) await under.plant(key);
      await under.plant(objectKey('street', '1', 1, SHA, 'jpg'));
      const of = async (prefix: string, after?: string): Promise<string[]> =>
        (await listed(prefix, after)).map(({ key }) => key);
      expect(await of('runway/')).toEqual(keys);
      expect(await of('runway/1/')).toEqual([keyOf('1', 1), keyOf('1', 2)]);
      expect(await of('runway/1')).toEqual([keyOf('1', 1), keyOf('1', 2), keyOf('12', 1)]);
      expect(await of('runway/', keyOf('1', 2))).toEqual([keyOf('12', 1), keyOf('2', 1)]);
      expect(await of('runway/', 'runway/13')).toEqual([keyOf('2', 1)]);
      expect(await of('runway/', keyOf('2', 1))).toEqual([]);
      expect(await of('', 'runway~')).toEqual([objectKey('street', '1', 1, SHA, 'jpg')]);
      expect(await of('nothing/')).toEqual([]);
      expect(await of('../')).toEqual([]);
    });

    it('more than any page holds, each once', async () => {
      const keys = Array.from({ length: 2_050 }, (_, index) => keyOf(String(index % 7), index)).sort();
      await Promise.all(keys.map((key) => under.plant(key)));
      expect((await listed('')).map(({ key }) => key)).toEqual(keys);
      const half = keys[1_024];
      expect((await listed('', half)).map(({ key }) => key)).toEqual(keys.slice(1_025));
    });

    it('nothing that is not ours', async () => {
      await under.plant(KEY);
      for (const name of ['runway/17/notes.txt', 'legacy/a b+c&d/ü.jpg', 'readme', '.incoming/x'])
        await under.plant(name);
      expect((await listed('')).map(({ key }) => key)).toEqual([KEY]);
    });
  });

  async function listed(prefix: string, after?: string): Promise<ListedObject[]> {
    const found: ListedObject[] = [];
    for await (const object of store.list(prefix, after)) found.push(object);
    return found;
  }
}

const SHA = '0123456789abcdef'.repeat(4);

function keyOf(jobId: string, position: number): string {
  return objectKey('runway', jobId, position, SHA, 'jpg');
}
