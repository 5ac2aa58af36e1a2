import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileTypeFromBuffer } from 'file-type';
import PQueue from 'p-queue';
import sharp, { type Metadata } from 'sharp';
import { messageOf } from '../lib/text.js';
import { PictureError } from './picture-error.js';
import { isPictureType, PICTURE_TYPES, type PictureType } from './picture-type.js';

const THUMBNAIL_PIXELS = 512;
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
  return decoding.add(async () => {
    const header = await readHeader(bytes, mime);
    const { width, height } = header.autoOrient;
    if (width * height > limits.maxPixels) {
      throw refused('too_many_pixels', `${width} × ${height} pixels are more than the ${limits.maxPixels} allowed.`);
    }
    if (Math.max(width, height) < SMALLEST_LONG_SIDE) {
      throw refused('too_small', `${width} × ${height} pixels are a placeholder, not a picture.`);
    }
    if ((header.pages ?? 1) > 1)
      throw refused('animated', `An animation of ${header.pages} frames is no still picture.`);
    if (mime === 'image/png' && !hasPngEnd(bytes)) throw truncated('its last chunk is missing');
    const thumbnail = await decodeWhole(bytes, mime, limits.maxPixels);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { type: mime, ext: PICTURE_TYPES[mime].ext, width, height, sha256, bytes: bytes.length, thumbnail };
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
