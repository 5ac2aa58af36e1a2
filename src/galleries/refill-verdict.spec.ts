import { describe, expect, it } from '@jest/globals';
import type { PictureSlot } from './picture-slots.repository.js';
import { judgeRefill, type PlacedPicture } from './refill-verdict.js';

const url = (position: number): string => `https://pictures.example/${position}.jpg`;

function picture(position: number, sha256: string | null): PlacedPicture {
  const look = position === 4 ? null : String(position);
  return { position, look, url: url(position), state: sha256 === null ? 'failed' : 'stored', sha256 };
}

function slot(position: number, over: Partial<PictureSlot>): PictureSlot {
  const nothing = { errorCode: null, error: null, objectKey: null, sha256: null, contentType: null, thumbhash: null };
  const size = { width: null, height: null, bytes: null };
  return { position, url: url(position), state: 'stored', tries: 1, ...nothing, ...size, ...over };
}

const judge = (there: (string | null)[], slots: PictureSlot[]): ReturnType<typeof judgeRefill> =>
  judgeRefill(
    there.map((sha256, index) => picture(index + 1, sha256)),
    slots,
  );

describe('what fills a hole', () => {
  it('is a picture of its own', () => {
    const verdict = judge(['a', null, null], [slot(2, { sha256: 'b' }), slot(3, { sha256: 'c' })]);
    expect(verdict).toEqual({ wanted: 2, filled: [2, 3], failures: [] });
  });

  it('is not one that did not come; each says why', () => {
    const slots = [slot(2, { state: 'failed', errorCode: 'http_404' }), slot(4, { state: 'waiting' })];
    expect(judge(['a', null, null, null], slots).failures).toEqual([
      { position: 2, name: 'Look 2', code: 'http_404' },
      { position: 3, name: 'Look 3', code: 'not_fetched' },
      { position: 4, name: '#4', code: 'not_fetched' },
    ]);
  });

  it('is not one with the bytes of a picture that is there, before or behind it, or that came', () => {
    const slots = [1, 3].map((position) => slot(position, { sha256: 'a' }));
    expect(judge([null, 'a', null], slots)).toMatchObject({ filled: [], failures: [{ code: 'same_bytes' }, {}] });
    expect(judge([null, 'b', null], slots)).toMatchObject({ filled: [1], failures: [{ position: 3 }] });
  });

  it('is not a placeholder, counted with those that are there', () => {
    const slots = [2, 3, 4].map((position) => slot(position, { sha256: 'a' }));
    const verdict = judge(['a', null, null, null], slots);
    expect(verdict.failures.map(({ code }) => code)).toEqual(['placeholder', 'placeholder', 'placeholder']);
  });

  it('is not the picture of another address, when the place is another revision’s', () => {
    const stale = slot(2, { sha256: 'b', url: 'https://pictures.example/old.jpg' });
    expect(judge(['a', null], [stale])).toMatchObject({ filled: [], failures: [{ code: 'not_fetched' }] });
  });
});
