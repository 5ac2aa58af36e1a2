import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

/** A write that ends when it is told to, and remembers what it was given. */
function heldWrites(): {
  write: (items: number[]) => Promise<(string | Error)[]>;
  batches: number[][];
  begun: (count: number) => Promise<void>;
  end: (results?: (items: number[]) => (string | Error)[]) => void;
} {
  const batches: number[][] = [];
  const open: { items: number[]; resolve: (results: (string | Error)[]) => void }[] = [];
  let changed: () => void = () => undefined;
  return {
    batches,
    write: (items) =>
      new Promise((resolve) => {
        batches.push(items);
        open.push({ items, resolve });
        changed();
      }),
    begun: async (count) => {
      while (batches.length < count) await new Promise<void>((resolve) => (changed = resolve));
    },
    end: (results = (items) => items.map(String)) => {
      const first = open.shift();
      first?.resolve(results(first.items));
    },
  };
}

describe('the batcher', () => {
  it('writes together what came together', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      (items) => {
        batches.push(items);
        return Promise.resolve(items.map((item) => item * 2));
      },
      { maxItems: 100, concurrency: 1 },
    );
    expect(await Promise.all([1, 2, 3].map((item) => batcher.add(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('collects what arrives while a batch is being written, up to its limit', async () => {
    const { write, batches, begun, end } = heldWrites();
    const batcher = new Batcher(write, { maxItems: 2, concurrency: 1 });
    const first = batcher.add(1);
    await begun(1);
    const others = [2, 3, 4].map((item) => batcher.add(item));
    expect(batcher.waiting).toBe(3);
    end();
    await begun(2);
    end();
    await begun(3);
    end();
    expect(await Promise.all([first, ...others])).toEqual(['1', '2', '3', '4']);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('writes so many batches at once and no more', async () => {
    const { write, batches, begun, end } = heldWrites();
    const batcher = new Batcher(write, { maxItems: 1, concurrency: 2 });
    const all = [1, 2, 3].map((item) => batcher.add(item));
    await begun(2);
    expect(batches).toHaveLength(2);
    end();
    await begun(3);
    end();
    end();
    expect(await Promise.all(all)).toEqual(['1', '2', '3']);
  });

  it('rejects the one item whose result is an error, and no other', async () => {
    const { write, begun, end } = heldWrites();
    const batcher = new Batcher(write, { maxItems: 3, concurrency: 1 });
    const all = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    await begun(1);
    end((items) => items.map((item) => (item === 2 ? new Error('bad') : String(item))));
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects a whole batch when its write throws, and goes on with the next', async () => {
    let broken = true;
    const batcher = new Batcher<number, number>(
      (items) => (broken ? Promise.reject(new Error('away')) : Promise.resolve(items)),
      { maxItems: 3, concurrency: 1 },
    );
    const lost = await Promise.allSettled([1, 2].map((item) => batcher.add(item)));
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await batcher.add(3)).toBe(3);
  });
});
