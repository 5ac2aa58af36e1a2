import { describe, expect, it } from '@jest/globals';
import { Progress } from './progress.js';

function shown(isTTY: boolean, work: (progress: Progress) => void): string[] {
  const written: string[] = [];
  work(new Progress({ isTTY, write: (text) => written.push(text) }));
  return written;
}

describe('progress', () => {
  it('is a bar that moves, on a terminal', () => {
    const written = shown(true, (progress) => {
      progress.show('pictures', 1, 4);
      progress.show('pictures', 4, 4);
      progress.show('objects', 12);
    });
    expect(written).toEqual([
      '\r\u001b[K[######------------------] 1 of 4 pictures, 25 %',
      '\r\u001b[K[########################] 4 of 4 pictures, 100 %',
      '\r\u001b[K12 objects',
    ]);
  });

  it('is cleared once, and only when it was drawn', () => {
    const clear = (progress: Progress): void => {
      progress.clear();
      progress.show('objects', 1);
      progress.clear();
      progress.clear();
    };
    expect(shown(true, clear)).toEqual(['\r\u001b[K1 objects', '\r\u001b[K']);
    expect(shown(false, clear)).toEqual([]);
  });

  it('is a line for each tenth in a log, and for each ten thousand when nobody knows how many there are', () => {
    const written = shown(false, (progress) => {
      for (let done = 0; done <= 100; done++) progress.show('pictures', done, 100);
      for (let done = 0; done <= 25_000; done += 1_000) progress.show('objects', done);
    });
    expect(written).toHaveLength(12);
    expect(written[0]).toBe('10 of 100 pictures, 10 %\n');
    expect(written.slice(-2)).toEqual(['10000 objects\n', '20000 objects\n']);
  });

  it('of nothing is all of it', () => {
    expect(shown(true, (progress) => progress.show('pictures', 0, 0))[0]).toContain('0 of 0 pictures, 100 %');
  });
});
