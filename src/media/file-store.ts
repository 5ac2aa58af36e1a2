import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertObjectKey, isObjectKey } from './object-key.js';
import { type ListedObject, objectMissing, type ObjectStore, type OpenObject } from './object-store.js';
import { contentTypeOf } from './picture-type.js';

/** No key can begin with a dot, so what a killed process leaves in here is never taken for an object. */
const INCOMING = '.incoming';

/** The pictures as files under one folder: the store of a first start, and of everybody who has one machine. */
export class FileStore implements ObjectStore {
  constructor(private readonly root: string) {}

  /** The type is not written down: a key's extension says it, and was given by the same proof. */
  async put(key: string, bytes: Buffer, _contentType: string): Promise<void> {
    const path = this.path(key);
    const incoming = join(this.root, INCOMING, randomUUID());
    await mkdir(dirname(incoming), { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeDurably(incoming, bytes);
      await rename(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async get(key: string): Promise<Buffer> {
    const bytes = await orUndefined(readFile(this.path(key)));
    if (bytes !== undefined) return bytes;
    throw objectMissing(key);
  }

  async open(key: string): Promise<OpenObject | undefined> {
    const file = await orUndefined(open(this.path(key), 'r'));
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      return { stream: file.createReadStream(), bytes: size, contentType: contentTypeOf(key) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async exists(key: string): Promise<boolean> {
    return (await orUndefined(stat(this.path(key)))) !== undefined;
  }

  async remove(key: string): Promise<'removed' | 'missing'> {
    const removed = await orUndefined(unlink(this.path(key)).then(() => true));
    return removed ? 'removed' : 'missing';
  }

  async *list(prefix: string, after = ''): AsyncIterable<ListedObject> {
    for await (const key of this.keys('', prefix, after)) {
      const file = await orUndefined(stat(this.path(key)));
      if (file !== undefined) yield { key, bytes: file.size, modifiedAt: file.mtime };
    }
  }

  /** A file has no address of its own: this server sends it. */
  address(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** One folder after the other, and none that holds no such key: an archive has a folder for each job. */
  private async *keys(folder: string, prefix: string, after: string): AsyncIterable<string> {
    const entries = (await orUndefined(readdir(join(this.root, folder), { withFileTypes: true }))) ?? [];
    // With its slash a folder comes where its keys come.
    const names = entries.map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : '')).sort();
    for (const name of names) {
      if (name.endsWith('/')) {
        const mayHold = name.startsWith(prefix) || prefix.startsWith(name);
        if (mayHold && (name > after || after.startsWith(name))) yield* this.keys(name, prefix, after);
      } else if (isObjectKey(name) && name.startsWith(prefix) && name > after) yield name;
    }
  }

  private path(key: string): string {
    return join(this.root, ...assertObjectKey(key).split('/'));
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without this a power cut may forget the name of a file whose bytes are safe. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, 'r');
  } catch (error) {
    // Windows opens no folders, and needs no such sync.
    if (process.platform === 'win32') return;
    throw error;
  }
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
