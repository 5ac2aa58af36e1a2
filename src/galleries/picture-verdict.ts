import type { PictureTally } from './crawl-notes.js';
import type { SelectedPicture, Selection } from './picture-selection.js';
import type { PictureSlot } from './picture-slots.repository.js';

/** A picture of a gallery to be: stored, or given up with a code. */
export interface GatheredPicture extends SelectedPicture {
  slot: PictureSlot;
  /** Why there is no picture; null when there is one. */
  failure: string | null;
}

export interface Verdict {
  /**
   * open: some pictures may come another time. enough: the gallery can be made. too_few: it cannot, since its cover or
   * too many of the others are missing.
   */
  verdict: 'open' | 'enough' | 'too_few';
  pictures: GatheredPicture[];
  cover: number;
  tally: PictureTally;
  /** Slots that are still open. */
  waiting: PictureSlot[];
}

/** The share of its pictures that a gallery needs, and the number of equal ones that makes them placeholders. */
const ENOUGH = 0.8;
export const PLACEHOLDERS = 4;

/**
 * Whether a crawl's pictures make a gallery. Pictures with the same bytes are one; many with the same bytes are an error
 * page that looks like a picture.
 */
export function judgePictures(selection: Selection, slots: readonly PictureSlot[]): Verdict {
  const byPosition = new Map(slots.map((slot) => [slot.position, slot]));
  const sharing = countBy(slots.filter((slot) => slot.state === 'stored').map((slot) => slot.sha256 ?? ''));
  const firstOf = new Map<string, number>();
  const pictures: GatheredPicture[] = [];
  let sameBytes = 0;
  let { cover } = selection;
  for (const picture of selection.pictures) {
    const slot = byPosition.get(picture.position);
    if (slot === undefined) continue;
    const failure = failureOf(slot, sharing);
    const earlier = failure === null ? firstOf.get(slot.sha256 ?? '') : undefined;
    if (earlier !== undefined) {
      sameBytes++;
      if (cover === picture.position) cover = earlier;
      continue;
    }
    if (failure === null) firstOf.set(slot.sha256 ?? '', picture.position);
    pictures.push({ ...picture, slot, failure });
  }
  const stored = pictures.filter((picture) => picture.failure === null);
  const waiting = slots.filter((slot) => slot.state === 'waiting' || slot.state === 'storing');
  return {
    verdict: waiting.length > 0 ? 'open' : isEnough(pictures, cover) ? 'enough' : 'too_few',
    pictures,
    cover,
    waiting,
    tally: {
      wanted: pictures.length,
      stored: stored.length,
      failures: pictures
        .filter(({ failure }) => failure !== null)
        .map((picture) => `${nameOf(picture)} ${picture.failure}`),
      leftOut: { ...selection.leftOut, sameBytes },
    },
  };
}

/** What becomes of an open verdict when no further attempt will come: what is missing stays missing. */
export function closeVerdict(verdict: Verdict): Verdict {
  if (verdict.verdict !== 'open') return verdict;
  return { ...verdict, verdict: isEnough(verdict.pictures, verdict.cover) ? 'enough' : 'too_few' };
}

function isEnough(pictures: readonly GatheredPicture[], cover: number): boolean {
  const stored = pictures.filter((picture) => picture.failure === null);
  return stored.some((picture) => picture.position === cover) && stored.length >= ENOUGH * pictures.length;
}

function failureOf(slot: PictureSlot, sharing: ReadonlyMap<string, number>): string | null {
  if (slot.state !== 'stored') return slot.errorCode ?? 'not_fetched';
  return (sharing.get(slot.sha256 ?? '') ?? 0) >= PLACEHOLDERS ? 'placeholder' : null;
}

/** As notes call a picture. */
export function nameOf({ look, position }: { look: string | null; position: number }): string {
  return look === null ? `#${position}` : `Look ${look}`;
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
