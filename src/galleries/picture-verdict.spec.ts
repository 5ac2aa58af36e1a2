import { describe, expect, it } from '@jest/globals';
import type { Selection } from './picture-selection.js';
import type { PictureSlot } from './picture-slots.repository.js';
import { closeVerdict, judgePictures, type Verdict } from './picture-verdict.js';

/** A selection of so many looks, the first of them the cover. */
const selection = (count: number, cover = 1): Selection => ({
  pictures: Array.from({ length: count }, (_, index) => ({
    position: index + 1,
    kind: 'look',
    look: String(index + 1),
    caption: null,
    credit: null,
    url: `https://p.example/${index + 1}.jpg`,
    identity: `p.example/${index + 1}.jpg`,
  })),
  cover,
  leftOut: { duplicate: 0, railCover: 0, foreignCover: 0 },
});

const stored = (position: number, over: Partial<PictureSlot> = {}): PictureSlot => ({
  position,
  url: `https://p.example/${position}.jpg`,
  state: 'stored',
  tries: 1,
  errorCode: null,
  error: null,
  objectKey: `runway/1/${position}-0000000000000000.jpg`,
  sha256: `sha of ${position}`,
  contentType: 'image/jpeg',
  width: 1600,
  height: 2400,
  bytes: 1000,
  thumbhash: 'hash',
  ...over,
});
const EMPTY = { objectKey: null, sha256: null, contentType: null, width: null, height: null, bytes: null };
const failed = (position: number, errorCode = 'http_404'): PictureSlot =>
  stored(position, { ...EMPTY, state: 'failed', errorCode });
const waiting = (position: number, errorCode: string | null = 'timeout'): PictureSlot =>
  stored(position, { ...EMPTY, state: 'waiting', errorCode });

/** All stored, but for those given. */
function judged(count: number, ...others: PictureSlot[]): Verdict {
  const byPosition = new Map(others.map((slot) => [slot.position, slot]));
  const slots = Array.from({ length: count }, (_, index) => byPosition.get(index + 1) ?? stored(index + 1));
  return judgePictures(selection(count), slots);
}

describe('a gallery’s pictures', () => {
  it('are enough when all are stored', () => {
    expect(judged(3)).toMatchObject({ verdict: 'enough', cover: 1, tally: { wanted: 3, stored: 3, failures: [] } });
  });

  it('are enough at 80 %, and too few below', () => {
    expect(judged(10, failed(9), failed(10)).verdict).toBe('enough');
    expect(judged(10, failed(8), failed(9), failed(10)).verdict).toBe('too_few');
    expect(judged(4, failed(4)).verdict).toBe('too_few');
    expect(judged(45, failed(7), failed(8), failed(9)).tally).toMatchObject({ wanted: 45, stored: 42 });
  });

  it('are too few without the cover, however many the others are', () => {
    expect(judged(45, failed(1)).verdict).toBe('too_few');
  });

  it('are named with what happened to them', () => {
    const { tally } = judgePictures(
      { ...selection(3), pictures: selection(3).pictures.map((p) => (p.position === 3 ? { ...p, look: null } : p)) },
      [stored(1), failed(2), failed(3, 'too_large')],
    );
    expect(tally.failures).toEqual(['Look 2 http_404', '#3 too_large']);
  });
});

describe('a picture that may still come', () => {
  it('keeps the verdict open, however many there are already', () => {
    expect(judged(45, waiting(45))).toMatchObject({ verdict: 'open', waiting: [{ position: 45 }] });
    expect(judged(45, stored(45, { state: 'storing' })).verdict).toBe('open');
  });

  it('is missing once no further attempt comes', () => {
    const late = closeVerdict(judged(5, waiting(5)));
    expect(late).toMatchObject({ verdict: 'enough', tally: { wanted: 5, stored: 4, failures: ['Look 5 timeout'] } });
    expect(closeVerdict(judged(4, waiting(4))).verdict).toBe('too_few');
    expect(closeVerdict(judged(45, waiting(1))).verdict).toBe('too_few');
    expect(closeVerdict(judged(5, waiting(5, null))).tally.failures).toEqual(['Look 5 not_fetched']);
  });

  it('is not what a settled verdict waits for', () => {
    const verdict = judged(3);
    expect(closeVerdict(verdict)).toBe(verdict);
    expect(closeVerdict(judged(3, failed(1))).verdict).toBe('too_few');
  });
});

describe('the same bytes', () => {
  const same = (...positions: number[]): PictureSlot[] =>
    positions.map((position) => stored(position, { sha256: 'same' }));

  it('twice are one picture, the earlier, and counted', () => {
    const verdict = judged(5, ...same(2, 4));
    expect(verdict.pictures.map(({ position }) => position)).toEqual([1, 2, 3, 5]);
    expect(verdict).toMatchObject({ verdict: 'enough', tally: { wanted: 4, stored: 4, leftOut: { sameBytes: 1 } } });
  });

  it('lead the cover to the picture that was kept', () => {
    expect(judgePictures(selection(3, 3), [stored(1), ...same(2, 3)])).toMatchObject({ verdict: 'enough', cover: 2 });
  });

  it('four times or more are placeholders, all of them', () => {
    expect(judged(40, ...same(37, 38, 39)).tally).toMatchObject({ stored: 38, leftOut: { sameBytes: 2 } });
    const verdict = judged(40, ...same(37, 38, 39, 40));
    expect(verdict).toMatchObject({ verdict: 'enough', tally: { wanted: 40, stored: 36, leftOut: { sameBytes: 0 } } });
    expect(verdict.tally.failures).toEqual([37, 38, 39, 40].map((look) => `Look ${look} placeholder`));
    expect(judged(10, ...same(7, 8, 9, 10)).verdict).toBe('too_few');
  });
});
