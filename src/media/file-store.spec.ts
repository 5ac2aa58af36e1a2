import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testConfig } from '../../test/harness/test-config.js';
import { FileStore } from './file-store.js';
import { isObjectKey, objectKey } from './object-key.js';

const SHA = '0123456789abcdef'.repeat(4);
const KEY = objectKey('runway', '17', 3, SHA, 'jpg');
let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-store-'));
  store = new FileStore(testConfig('postgres://nobody@127.0.0.1/none', { DATA_DIR: folder }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('objectKey', () => {
  it('names owner, job, position and bytes', () => {
    expect(KEY).toBe('runway/17/3-0123456789abcdef.jpg');
  });

  it('makes no key out of parts that would leave the folder', () => {
    expect(() => objectKey('runway', '../17', 3, SHA, 'jpg')).toThrow('no key of this picture store');
    expect(() => objectKey('street', '17', -1, SHA, 'jpg')).toThrow('no key of this picture store');
    expect(() => objectKey('street', '17', 1, 'short', 'jpg')).toThrow('no key of this picture store');
  });

  it.each([
    '',
    '/etc/passwd',
    'runway/../3-0123456789abcdef.jpg',
    'runway/1/3-0123456789abcdef.jpg\n',
    'runway\\1\\3-0123456789abcdef.jpg',
    `${KEY}/..`,
    '.incoming/1/1-0123456789abcdef.jpg',
    'legacy/2019/a.jpg',
  ])('does not know %j', (key) => {
    expect(isObjectKey(key)).toBe(false);
  });
});

describe('the file store', () => {
  it('gives back the bytes that it was given', async () => {
    const bytes = Buffer.from('a picture');
    await store.put(KEY, bytes, 'image/jpeg');
    expect(await store.get(KEY)).toEqual(bytes);
    expect(await store.exists(KEY)).toBe(true);
    const opened = await store.open(KEY);
    expect(opened).toMatchObject({ bytes: bytes.length, contentType: 'image/jpeg' });
    expect(opened && (await buffer(opened.stream))).toEqual(bytes);
    expect(await readFile(join(folder, 'media', KEY))).toEqual(bytes);
  });

  it('says so when there is nothing', async () => {
    expect(await store.exists(KEY)).toBe(false);
    expect(await store.open(KEY)).toBeUndefined();
    expect(await store.remove(KEY)).toBe('missing');
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'object-missing' });
  });

  it('removes once', async () => {
    await store.put(KEY, Buffer.from('x'), 'image/jpeg');
    expect(await store.remove(KEY)).toBe('removed');
    expect(await store.remove(KEY)).toBe('missing');
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
    expect(await readdir(join(folder, 'media', '.incoming'))).toEqual([]);
  });

  it('leaves nothing behind when it can not write', async () => {
    await store.put(KEY, Buffer.from('x'), 'image/jpeg');
    await store.remove(KEY);
    // A file where the job's folder would have to be.
    await rm(join(folder, 'media', 'runway'), { recursive: true });
    await writeFile(join(folder, 'media', 'runway'), '');
    await expect(store.put(KEY, Buffer.from('x'), 'image/jpeg')).rejects.toThrow();
    expect(await readdir(join(folder, 'media', '.incoming'))).toEqual([]);
  });

  it('touches no file for a key that is none', async () => {
    await writeFile(join(folder, 'secret.jpg'), 'secret');
    const escape = '../secret.jpg';
    await expect(store.get(escape)).rejects.toMatchObject({ code: 'object-key-invalid' });
    await expect(store.open(escape)).rejects.toMatchObject({ code: 'object-key-invalid' });
    await expect(store.exists(escape)).rejects.toMatchObject({ code: 'object-key-invalid' });
    await expect(store.put(escape, Buffer.from('x'), 'image/jpeg')).rejects.toMatchObject({
      code: 'object-key-invalid',
    });
    await expect(store.remove(escape)).rejects.toMatchObject({ code: 'object-key-invalid' });
    expect(await readFile(join(folder, 'secret.jpg'), 'utf8')).toBe('secret');
  });
});
