import { webcrypto } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileTypeFromBuffer } from 'file-type';
import PQueue from 'p-queue';
import sharp, { type Metadata } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { messageOf } from '../lib/text.js';
import { PictureError } from './picture-error.js';
import { isPictureType, PICTURE_TYPES, type PictureType } from './picture-type.js';

/** Of every thumbnail. */
export const THUMBNAIL_TYPE = 'image/webp';
const THUMBNAIL_PIXELS = 512;
/** As much as a ThumbHash takes. */
const HASHED_PIXELS = 100;
const SMALLEST_LONG_SIDE = 200;

// Each picture is decoded once in its life: libvips' cache of operations would only grow. Its threads are one a picture,
// and few pictures are open at a time, since one of 80 megapixels can take 300 MB and decoding shares libuv's four threads
// with files and names.
sharp.cache(false);
sharp.concurrency(1);
const decoding = new PQueue({ concurrency: Math.min(3, availableParallelism()) });

export interface ProvenPicture {
  type: PictureType;
  ext: string;
  /** Of the picture held upright. */
  width: number;
  height: number;
  /** Lower-case hex, of the bytes as they came. */
  sha256: string;
  bytes: number;
  /** WebP, at most 512 px, upright, sRGB, without metadata. */
  thumbnail: Buffer;
  /** What a page shows before the thumbnail is there: some 25 bytes, base64. */
  thumbhash: string;
}

/**
 * Proves that bytes are a whole picture of a kind that is kept. A header proves nothing (a JPEG cut at 60 % has a good
 * one), so all of it is decoded, and the thumbnail is what comes of that. The bytes themselves are never written anew.
 * @throws PictureError `not_an_image` or `truncated` (transient: see `natureAfter`), `too_many_pixels`, `too_small` or
 * `animated` (permanent)
 */
export async function provePicture(bytes: Buffer, limits: { maxPixels: number }): Promise<ProvenPicture> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const mime = found?.mime ?? 'nothing known';
  if (!isPictureType(mime)) throw notAnImage(`The bytes are ${mime}, not a JPEG, PNG, WebP, AVIF or GIF picture.`);
  if (mime === 'image/avif' && isAvifSequence(bytes)) throw animated();
  return decoding.add(async () => {
    const header = await readHeader(bytes, mime);
    const { width, height } = header.autoOrient;
    if (width * height > limits.maxPixels) {
      throw refused('too_many_pixels', `${width} × ${height} pixels are more than the ${limits.maxPixels} allowed.`);
    }
    if (Math.max(width, height) < SMALLEST_LONG_SIDE) {
      throw refused('too_small', `${width} × ${height} pixels are a placeholder, not a picture.`);
    }
    if ((header.pages ?? 1) > 1) throw animated();
    if (mime === 'image/png' && !hasPngEnd(bytes)) throw truncated('its last chunk is missing');
    const thumbnail = await decodeWhole(bytes, mime, limits.maxPixels);
    const [sha256, thumbhash] = [await sha256Of(bytes), await thumbhashOf(thumbnail)];
    const { ext } = PICTURE_TYPES[mime];
    return { type: mime, ext, width, height, sha256, bytes: bytes.length, thumbnail, thumbhash };
  });
}

async function readHeader(bytes: Buffer, type: PictureType): Promise<Metadata> {
  let header: Metadata;
  try {
    header = await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw truncated(error);
  }
  // Two readers that disagree about what the bytes are: made to deceive one of them.
  if (header.format !== PICTURE_TYPES[type].decoder)
    throw notAnImage(`The bytes pass for ${type} and are something else.`);
  return header;
}

async function decodeWhole(bytes: Buffer, type: PictureType, maxPixels: number): Promise<Buffer> {
  try {
    return await sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels })
      .autoOrient()
      .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: 80 })
      .toBuffer();
  } catch (error) {
    throw truncated(error);
  }
}

/** The decoder reads no sequences, and would call one damaged; its brand says what it is. */
function isAvifSequence(bytes: Buffer): boolean {
  return bytes.toString('latin1', 8, 12) === 'avis';
}

/** Not by createHash: the largest pictures take it 100 ms, in which the process would do nothing else. */
async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

async function thumbhashOf(thumbnail: Buffer): Promise<string> {
  const { data, info } = await sharp(thumbnail)
    .resize(HASHED_PIXELS, HASHED_PIXELS, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/** The one cut that decoding does not see: libpng stops reading after the last row, and the twelve bytes behind may be gone. */
function hasPngEnd(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf('IEND');
  return end >= 0 && bytes.length >= end + 8;
}

function truncated(cause: unknown): PictureError {
  return new PictureError('truncated', `The picture is cut or damaged: ${messageOf(cause)}`, {
    nature: 'transient',
    cause,
  });
}

function notAnImage(message: string): PictureError {
  return new PictureError('not_an_image', message, { nature: 'transient' });
}

function refused(code: 'too_many_pixels' | 'too_small' | 'animated', message: string): PictureError {
  return new PictureError(code, message, { nature: 'permanent' });
}

function animated(): PictureError {
  return refused('animated', 'An animation is no still picture.');
}
