import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepsTheContract } from '../../test/harness/object-store-contract.js';
import { FileStore } from './file-store.js';
import { isObjectKey, objectKey } from './object-key.js';

const SHA = '0123456789abcdef'.repeat(4);
const KEY = objectKey('runway', '17', 3, SHA, 'jpg');
let outside: string;
let folder: string;
let store: FileStore;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'file-store-'));
  folder = join(outside, 'media');
  await mkdir(folder);
  store = new FileStore(folder);
});
afterEach(() => rm(outside, { recursive: true, force: true }));

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
  keepsTheContract(() =>
    Promise.resolve({
      store,
      plant: async (name) => {
        const path = join(folder, ...name.split('/'));
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, 'x');
      },
      close: () => Promise.resolve(),
    }),
  );

  it('keeps an object as the file of its key', async () => {
    await store.put(KEY, Buffer.from('a picture'), 'image/jpeg');
    expect(await readFile(join(folder, KEY), 'utf8')).toBe('a picture');
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
    expect(await store.address()).toBeUndefined();
  });

  it('leaves nothing behind when it can not write', async () => {
    // A file where the job's folder would have to be.
    await writeFile(join(folder, 'runway'), '');
    await mkdir(join(folder, '.incoming'));
    await expect(store.put(KEY, Buffer.from('x'), 'image/jpeg')).rejects.toThrow();
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  });

  it('reads no file outside its folder', async () => {
    await writeFile(join(dirname(folder), 'secret.jpg'), 'secret');
    await expect((async () => store.get('../secret.jpg'))()).rejects.toMatchObject({ code: 'object-key-invalid' });
    await expect((async () => store.remove('../secret.jpg'))()).rejects.toMatchObject({ code: 'object-key-invalid' });
    expect(await readFile(join(dirname(folder), 'secret.jpg'), 'utf8')).toBe('secret');
  });
});
