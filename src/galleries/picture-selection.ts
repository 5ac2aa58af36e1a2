import { readCaption, type PictureKind } from '../media/picture-caption.js';
import { pictureIdentity } from '../media/picture-identity.js';
import { readSeason } from '../taxonomy/season-reader.js';
import { MAX_LOOK, type SentPicture } from './crawl-payload.js';
import type { Show } from './show.js';

/** A picture that belongs to the gallery, before anything of it was fetched. */
export interface SelectedPicture {
  /** Place in the gallery, from 1; gaps are where a picture was left out. A cover that is none of the pictures is 0. */
  position: number;
  kind: PictureKind;
  look: string | null;
  caption: string | null;
  credit: string | null;
  /** As sent: this is what is fetched. */
  url: string;
  /** What makes two addresses one photo. */
  identity: string;
}

export interface Selection {
  pictures: SelectedPicture[];
  /** Position of the gallery's cover. */
  cover: number;
  /** How many were left out, and why. */
  leftOut: { duplicate: number; railCover: number; foreignCover: number };
}

const MAX_WORDS_OF_A_SEASON = 6;

interface Candidate extends SelectedPicture {
  width: number;
}

/**
 * Which of the sent pictures are the show's own. Pages carry the covers of other shows beside it, captioned with a
 * season and nothing else; where looks are captioned as looks, those covers give themselves away. One photo sent twice
 * is taken once, the larger.
 */
export function selectPictures({ payload, key }: Show, brandNames: readonly string[], currentYear: number): Selection {
  const leftOut = { duplicate: 0, railCover: 0, foreignCover: 0 };
  const candidates = payload.images.map((picture, index) => candidateOf(picture, index + 1));
  const captioned = candidates.some((picture) => picture.kind === 'look' && picture.caption !== null);
  const byIdentity = new Map<string, Candidate>();
  for (const picture of candidates) {
    const season = captioned ? seasonCaption(picture, brandNames, currentYear) : undefined;
    if (season !== undefined) {
      if (season.year === key.year && season.term === key.term) leftOut.railCover++;
      else leftOut.foreignCover++;
      continue;
    }
    const earlier = byIdentity.get(picture.identity);
    if (earlier === undefined) byIdentity.set(picture.identity, picture);
    else {
      leftOut.duplicate++;
      byIdentity.set(picture.identity, merged(earlier, picture));
    }
  }
  const chosen = [...byIdentity.values()];
  const cover = coverOf(payload.cover, chosen);
  return {
    pictures: (cover.extra ? [cover.extra, ...chosen] : chosen).map(withoutWidth),
    cover: cover.position,
    leftOut,
  };
}

function candidateOf(picture: SentPicture, position: number): Candidate {
  const read = readCaption(picture.caption ?? '');
  return {
    position,
    kind: picture.kind ?? (picture.look !== undefined && read.kind === 'other' ? 'look' : read.kind),
    look: picture.look ?? lookOf(picture.kind ?? read.kind, read.look),
    caption: picture.caption ?? null,
    credit: picture.credit ?? null,
    url: picture.url,
    identity: pictureIdentity(picture.url),
    width: picture.width ?? widthInUrl(picture.url),
  };
}

/** A caption's number is a look's only where the picture is one, and only if it is no telephone number. */
function lookOf(kind: PictureKind, look: string | null): string | null {
  return kind === 'look' && look !== null && look.length <= MAX_LOOK ? look : null;
}

/** The season that a caption consists of, if it is one and nothing else. */
function seasonCaption(
  { kind, caption }: Candidate,
  brandNames: readonly string[],
  currentYear: number,
): { year: number; term: string } | undefined {
  if (kind !== 'other' || caption === null || caption.split(/\s+/).length > MAX_WORDS_OF_A_SEASON + wordsOf(brandNames))
    return undefined;
  const { year, term } = readSeason({ kind: 'runway', season: caption, brandNames }, currentYear);
  return year === null || term === null ? undefined : { year, term };
}

function wordsOf(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => name.split(/\s+/).length));
}

/** Keeps the earlier place and words, and the larger picture's address. */
function merged(earlier: Candidate, later: Candidate): Candidate {
  const larger = later.width > earlier.width ? later : earlier;
  return {
    ...earlier,
    url: larger.url,
    width: larger.width,
    caption: earlier.caption ?? later.caption,
    credit: earlier.credit ?? later.credit,
    look: earlier.look ?? later.look,
    kind: earlier.kind === 'other' ? later.kind : earlier.kind,
  };
}

/** Width as image servers write it into their addresses: `w_1280`, `-1024x683`, `?w=800`. Without one it is the original. */
function widthInUrl(url: string): number {
  const found = /\bw_(\d{2,5})|[-.](\d{2,5})x\d{2,5}(?=\.)|[?&]w(?:idth)?=(\d{2,5})/i.exec(url);
  return Number(found?.[1] ?? found?.[2] ?? found?.[3] ?? Number.POSITIVE_INFINITY);
}

/** The sent cover, else the first look, else the first picture. */
function coverOf(sent: SentPicture | undefined, chosen: Candidate[]): { position: number; extra?: Candidate } {
  if (sent !== undefined) {
    const extra = candidateOf(sent, 0);
    const same = chosen.find((picture) => picture.identity === extra.identity);
    return same === undefined ? { position: 0, extra } : { position: same.position };
  }
  return { position: (chosen.find((picture) => picture.kind === 'look') ?? chosen[0])?.position ?? 0 };
}

function withoutWidth({ width: _, ...picture }: Candidate): SelectedPicture {
  return picture;
}
