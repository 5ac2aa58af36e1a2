import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { type PictureOrigin, startPictureOrigin } from '../../examples/demo/picture-origin.js';
import { natureAfter, PictureError } from './picture-error.js';
import { provePicture } from './picture-proof.js';

const LIMITS = { maxPixels: 80_000_000 };
let origin: PictureOrigin;

beforeAll(async () => {
  origin = await startPictureOrigin({ longSide: 600 });
});
afterAll(() => origin.close());

async function refusal(bytes: Buffer, limits = LIMITS): Promise<string> {
  try {
    const { type, width, height } = await provePicture(bytes, limits);
    return `accepted as ${type} ${width}×${height}`;
  } catch (error) {
    if (error instanceof PictureError) return error.code;
    throw error;
  }
}

function blank(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#a26' } });
}

function flat(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** How a camera that was held so writes an upright picture down: the orientation's own turn undone. */
async function lying(upright: Buffer, orientation: number): Promise<Sharp> {
  const turns: Record<number, (picture: Sharp) => Sharp> = {
    2: (picture) => picture.flop(),
    3: (picture) => picture.rotate(180),
    4: (picture) => picture.flip(),
    6: (picture) => picture.rotate(270),
    8: (picture) => picture.rotate(90),
  };
  const turn = turns[orientation];
  if (turn !== undefined) return sharp(await turn(sharp(upright)).png().toBuffer());
  // 5 mirrors along the one diagonal, 7 along the other: a turn, then a mirror.
  if (orientation === 1) return sharp(upright);
  const turned = await sharp(upright)
    .rotate(orientation === 5 ? 270 : 90)
    .png()
    .toBuffer();
  return sharp(await sharp(turned).flip().png().toBuffer());
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(picture).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
}

/** A primary colour as it was before it was compressed. */
function near(colour: number[]): number[] {
  return colour.map((value) => (value < 40 ? 0 : value > 215 ? 255 : value));
}

describe('provePicture', () => {
  it.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
  ])('takes a whole .%s and says what it is', async (ext, type) => {
    const bytes = await origin.picture(`/look.${ext}`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const proof = await provePicture(bytes, LIMITS);
    expect(proof).toMatchObject({ type, ext, width: 400, height: 600, bytes: bytes.length, sha256 });
    expect(await sharp(proof.thumbnail).metadata()).toMatchObject({ format: 'webp', height: 512, space: 'srgb' });
  });

  it('measures and shows a picture as it is held upright, and tells nobody where it was taken', async () => {
    const lying = await blank(600, 400)
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { width, height, thumbnail } = await provePicture(lying, LIMITS);
    expect([width, height]).toEqual([400, 600]);
    const shown = await sharp(thumbnail).metadata();
    expect([shown.width, shown.height, shown.exif, shown.orientation]).toEqual([341, 512, undefined, undefined]);
  });

  it('refuses what only says that it is a picture (CASES, pictures 4)', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="9" height="9"/></svg>';
    for (const text of [
      '',
      '<!doctype html><title>Limit reached</title>',
      svg,
      `<?xml version="1.0"?>${svg}`,
      '%PDF-1.7',
    ]) {
      expect(await refusal(Buffer.from(text))).toBe('not_an_image');
    }
    expect(await refusal(await blank(400, 400).tiff().toBuffer())).toBe('not_an_image');
  });

  it.each(['jpg', 'png', 'webp', 'avif', 'gif'])(
    'refuses a .%s that was cut anywhere (CASES, pictures 7 and 8)',
    async (ext) => {
      const whole = await origin.picture(`/cut.${ext}`);
      for (const bytes of [Math.ceil(whole.length * 0.01), Math.round(whole.length * 0.6), whole.length - 2]) {
        expect([bytes, ['truncated', 'not_an_image'].includes(await refusal(whole.subarray(0, bytes)))]).toEqual([
          bytes,
          true,
        ]);
      }
    },
  );

  it('refuses a PNG whose middle is damaged, and lives on', async () => {
    const damaged = Buffer.from(await origin.picture('/damaged.png'));
    const middle = Math.round(damaged.length / 2);
    damaged.fill(0xff, middle, middle + 400);
    expect(await refusal(damaged)).toBe('truncated');
    expect(await refusal(await origin.picture('/sound.png'))).toMatch(/^accepted/);
  });

  it('answers any bytes at all with a proof or a PictureError', async () => {
    const heads = await Promise.all(['jpg', 'png', 'webp', 'avif', 'gif'].map((ext) => origin.picture(`/head.${ext}`)));
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.nat(800), fc.uint8Array({ maxLength: 400 }), async (head, kept, rest) => {
        const bytes = Buffer.concat([heads[head]?.subarray(0, kept) ?? Buffer.alloc(0), rest]);
        expect(await refusal(bytes)).toMatch(
          /^(not_an_image|truncated|too_small|too_many_pixels|animated|accepted.*)$/,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('reads how many pixels there are before it makes room for them', async () => {
    expect(await refusal(pngHeader(16_384, 16_384))).toBe('too_many_pixels');
    expect(await refusal(await blank(600, 400).png().toBuffer(), { maxPixels: 239_999 })).toBe('too_many_pixels');
    expect(await refusal(await blank(600, 400).png().toBuffer(), { maxPixels: 240_000 })).toMatch(/^accepted/);
  });

  it('takes nothing smaller than 200 pixels for a picture', async () => {
    expect(await refusal(await blank(1, 1).gif().toBuffer())).toBe('too_small');
    expect(await refusal(await blank(199, 150).jpeg().toBuffer())).toBe('too_small');
    expect(await refusal(await blank(120, 200).jpeg().toBuffer())).toMatch(/^accepted/);
  });

  it.each(['gif', 'webp'] as const)('takes no animated .%s for a still picture', async (format) => {
    const frames = sharp(
      [
        await blank(300, 300).png().toBuffer(),
        await sharp({ create: { width: 300, height: 300, channels: 3, background: '#000' } })
          .png()
          .toBuffer(),
      ],
      { join: { animated: true } },
    );
    expect(await refusal(await frames.toFormat(format).toBuffer())).toBe('animated');
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('holds a picture of EXIF orientation %d upright', async (orientation) => {
    // Four colours, as somebody who looks at it sees them: no turn and no mirror goes unnoticed.
    const upright = sharp(await flat(300, 600, '#f00')).composite([
      { input: await flat(150, 300, '#0f0'), top: 0, left: 150 },
      { input: await flat(150, 300, '#00f'), top: 300, left: 0 },
      { input: await flat(150, 300, '#fff'), top: 300, left: 150 },
    ]);
    const bytes = await (
      await lying(await upright.png().toBuffer(), orientation)
    )
      .withMetadata({ orientation })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const { width, height, thumbnail } = await provePicture(bytes, LIMITS);
    expect([width, height]).toEqual([300, 600]);
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 256, height: 512 });
    const corners = await Promise.all([
      colourAt(thumbnail, 40, 40),
      colourAt(thumbnail, 216, 40),
      colourAt(thumbnail, 40, 470),
      colourAt(thumbnail, 216, 470),
    ]);
    expect(corners.map(near)).toEqual([
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
    ]);
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['a CMYK JPEG', (picture) => picture.toColourspace('cmyk').jpeg({ quality: 95 })],
    ['a grey JPEG', (picture) => picture.greyscale().jpeg()],
    ['a progressive JPEG', (picture) => picture.jpeg({ progressive: true })],
    ['a 16-bit PNG', (picture) => picture.toColourspace('rgb16').png()],
    ['an interlaced PNG', (picture) => picture.png({ progressive: true })],
    ['a PNG with a palette', (picture) => picture.png({ palette: true, colours: 16 })],
    ['a PNG with alpha', (picture) => picture.ensureAlpha(0.5).png()],
    ['a WebP with alpha', (picture) => picture.ensureAlpha(0.5).webp({ lossless: true })],
    ['an AVIF with alpha', (picture) => picture.ensureAlpha(0.5).avif()],
    ['a still GIF', (picture) => picture.gif()],
    ['a JPEG with a Display P3 profile', (picture) => picture.withIccProfile('p3').jpeg({ quality: 95 })],
  ])('takes %s; its thumbnail is sRGB without a profile, and looks the same', async (name, made) => {
    const bytes = await made(sharp(await flat(600, 400, '#b03c50'))).toBuffer();
    const { width, height, thumbnail, thumbhash } = await provePicture(bytes, LIMITS);
    expect([width, height]).toEqual([600, 400]);
    const shown = await sharp(thumbnail).metadata();
    expect(shown).toMatchObject({ format: 'webp', width: 512, height: 341, space: 'srgb', depth: 'uchar' });
    expect([shown.icc, shown.exif, shown.xmp]).toEqual([undefined, undefined, undefined]);
    expect(shown.hasAlpha).toBe(name.includes('alpha'));
    const grey = name.includes('grey');
    const [r = 0, g = 0, b = 0] = await colourAt(thumbnail, 256, 170);
    for (const [is, wanted] of grey
      ? [
          [r, g],
          [g, b],
        ]
      : [
          [r, 0xb0],
          [g, 0x3c],
          [b, 0x50],
        ]) {
      // CMYK inks come near, no nearer.
      expect(Math.abs((is ?? 0) - (wanted ?? 0))).toBeLessThanOrEqual(name.includes('CMYK') ? 24 : 10);
    }
    const hashed = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'));
    expect(Math.abs(hashed.r * 255 - r)).toBeLessThanOrEqual(20);
  });

  it('keeps what stands behind the end of a picture: its bytes are the original', async () => {
    for (const ext of ['jpg', 'png', 'gif']) {
      const bytes = Buffer.concat([
        await origin.picture(`/behind.${ext}`),
        Buffer.from('what a camera wrote behind it'),
      ]);
      const { sha256, bytes: length } = await provePicture(bytes, LIMITS);
      expect([sha256, length]).toEqual([createHash('sha256').update(bytes).digest('hex'), bytes.length]);
    }
  });

  it('takes no AVIF that moves for a still picture', async () => {
    const bytes = Buffer.from(await origin.picture('/moves.avif'));
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypavif');
    bytes.write('avis', 8, 'latin1');
    expect(await refusal(bytes)).toBe('animated');
  });

  it('bears many pictures at once', async () => {
    const pictures = await Promise.all(Array.from({ length: 24 }, (_, look) => origin.picture(`/many/${look}.jpg`)));
    const proofs = await Promise.all(pictures.map((bytes) => provePicture(bytes, LIMITS)));
    expect(new Set(proofs.map(({ sha256 }) => sha256)).size).toBe(24);
  });
});

describe('natureAfter', () => {
  it('gives bad bytes one more try, and no second', () => {
    const cut = new PictureError('truncated', 'cut', { nature: 'transient' });
    expect(natureAfter(cut, null)).toBe('transient');
    expect(natureAfter(cut, 'http_503')).toBe('transient');
    expect(natureAfter(cut, 'not_an_image')).toBe('permanent');
    expect(natureAfter(new PictureError('http_503', 'busy', { nature: 'transient' }), 'truncated')).toBe('transient');
  });
});

/** A PNG that promises so many pixels and holds one row of nothing. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
