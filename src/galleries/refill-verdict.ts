import type { GalleryPictureState } from './gallery-picture.entity.js';
import type { PictureSlot } from './picture-slots.repository.js';
import { nameOf, PLACEHOLDERS } from './picture-verdict.js';

/** A picture of a gallery as far as filling its place needs it. */
export interface PlacedPicture {
  position: number;
  look: string | null;
  url: string;
  state: GalleryPictureState;
  sha256: string | null;
}

export interface RefillVerdict {
  wanted: number;
  /** Places that their slots' objects go to. */
  filled: number[];
  /** Places that stay empty, and why. */
  failures: { position: number; name: string; code: string }[];
}

/**
 * Which of the fetched pictures fill a gallery's holes. What is there stays as it is; a picture with the bytes of another
 * one leaves its hole with the code `same_bytes`. Rejected: to take that place away, as a crawl does. There the page shows
 * one picture twice, here a host has lost one, and what the place was for would be forgotten.
 */
export function judgeRefill(pictures: readonly PlacedPicture[], slots: readonly PictureSlot[]): RefillVerdict {
  const byPosition = new Map(slots.map((slot) => [slot.position, slot]));
  const holes = pictures.filter(({ state }) => state !== 'stored');
  const there = pictures.filter(({ state }) => state === 'stored').map(({ sha256 }) => sha256);
  const came = slots.filter(({ state }) => state === 'stored').map(({ sha256 }) => sha256);
  const sharing = (sha256: string): number => [...there, ...came].filter((other) => other === sha256).length;
  const seen = new Set(there);
  const verdict: RefillVerdict = { wanted: holes.length, filled: [], failures: [] };
  for (const hole of holes) {
    const slot = byPosition.get(hole.position);
    // Another revision may have the place by now: then the slot is of another picture.
    const code = slot?.url === hole.url ? failureOf(slot, sharing, seen) : 'not_fetched';
    if (code !== undefined) {
      verdict.failures.push({ position: hole.position, name: nameOf(hole), code });
      continue;
    }
    seen.add(slot?.sha256 ?? null);
    verdict.filled.push(hole.position);
  }
  return verdict;
}

function failureOf(
  { state, errorCode, sha256 }: PictureSlot,
  sharing: (sha256: string) => number,
  seen: ReadonlySet<string | null>,
): string | undefined {
  if (state !== 'stored' || sha256 === null) return errorCode ?? 'not_fetched';
  if (sharing(sha256) >= PLACEHOLDERS) return 'placeholder';
  return seen.has(sha256) ? 'same_bytes' : undefined;
}
