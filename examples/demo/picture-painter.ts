import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';

export type PaintedFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

// Painted small and enlarged by sharp: a few milliseconds, where drawing every pixel of a real size would take seconds.
const CANVAS = { width: 176, height: 264 };
// Shares of the canvas.
const HORIZON = 0.62;
const FIGURE = { shoulders: 0.2, hem: 0.78 };
const FOLDS = 8;

/** Letters of 3 × 5 dots, a row an octal digit: the picture's name looks the same on machines with no fonts at all. */
// prettier-ignore
const FONT: Readonly<Record<string, string>> = {
  A: '25755', B: '65656', C: '34443', D: '65556', E: '74647', F: '74644', G: '34553', H: '55755', I: '72227',
  J: '11152', K: '55655', L: '44447', M: '57755', N: '65555', O: '25552', P: '65644', Q: '25563', R: '65655',
  S: '34216', T: '72222', U: '55557', V: '55552', W: '55775', X: '55255', Y: '55222', Z: '71247', '0': '75557',
  '1': '26227', '2': '61247', '3': '61216', '4': '55711', '5': '74616', '6': '34652', '7': '71244', '8': '25252',
  '9': '25316', '-': '00700', '.': '00002',
};
const DOT = 2;
const LETTER_WIDTH = 4 * DOT;
const LINE_HEIGHT = 7 * DOT;
const LETTERS_A_LINE = Math.floor((CANVAS.width - 2 * DOT) / LETTER_WIDTH);
const LINES = 3;

type Colour = readonly [red: number, green: number, blue: number];
const WHITE: Colour = [255, 255, 255];

/**
 * A picture of somebody on a runway who never walked it. The same name gives the same bytes, another name others: the
 * colours, the outline and a row of dots come out of the name's hash.
 * @param longSide pixels
 */
export async function paintPicture(name: string, format: PaintedFormat, longSide: number): Promise<Buffer> {
  const scale = longSide / CANVAS.height;
  const enlarged = sharp(paint(name), { raw: { ...CANVAS, channels: 3 } }).resize(
    Math.round(CANVAS.width * scale),
    Math.round(longSide),
    { fit: 'fill', kernel: 'linear' },
  );
  return encoders[format](enlarged).toBuffer();
}

// The least effort of each: what is wanted are real files, soon.
const encoders: Readonly<Record<PaintedFormat, (picture: Sharp) => Sharp>> = {
  jpeg: (picture) => picture.jpeg({ quality: 82 }),
  png: (picture) => picture.png({ compressionLevel: 1 }),
  webp: (picture) => picture.webp({ quality: 75, effort: 0 }),
  avif: (picture) => picture.avif({ quality: 50, effort: 0 }),
  gif: (picture) => picture.gif({ effort: 1, dither: 0, colours: 64 }),
};

function paint(name: string): Buffer {
  const hash = createHash('sha256').update(name).digest();
  const part = (index: number): number => (hash[index] ?? 0) / 255;
  const hue = part(0) * 360;
  const sky = colour(hue, 0.25, 0.82);
  const floor = colour(hue + 40, 0.2, 0.3 + part(1) * 0.2);
  const cloth = colour(hue + 120 + part(2) * 120, 0.35 + part(3) * 0.5, 0.25 + part(4) * 0.5);
  const stripe = colour(hue + 200, 0.5, 0.3 + part(5) * 0.5);
  const skin = colour(24, 0.4, 0.3 + part(6) * 0.4);
  const shoulder = 0.09 + part(7) * 0.04;
  const waist = 0.05 + part(8) * 0.05;
  const hem = 0.07 + part(9) * 0.16;
  const stripes = 6 + Math.floor(part(10) * 40);

  const pixels = Buffer.alloc(CANVAS.width * CANVAS.height * 3);
  const line = (row: number, halfWidth: number, shade: Colour): void => {
    const left = Math.round((0.5 - halfWidth) * CANVAS.width);
    rectangle(pixels, left, row, CANVAS.width - 2 * left, 1, shade);
  };
  for (let row = 0; row < CANVAS.height; row++) {
    const y = row / CANVAS.height;
    line(row, 0.5, y < HORIZON ? mix(sky, floor, y * 0.7) : mix(floor, sky, 0.1));
    if (y >= HORIZON) line(row, Math.min(0.5, 0.12 + y - HORIZON), mix(floor, sky, 0.55));
    if (y >= FIGURE.hem && y < 0.9) {
      line(row, 0.045, skin);
      line(row, 0.015, mix(floor, sky, 0.55));
    }
    const face = 1 - ((y - 0.155) / 0.042) ** 2;
    if (face > 0) line(row, 0.045 * Math.sqrt(face), skin);
    const body = (y - FIGURE.shoulders) / (FIGURE.hem - FIGURE.shoulders);
    if (body < 0 || body > 1) continue;
    const outline = body < 0.35 ? between(shoulder, waist, body / 0.35) : between(waist, hem, (body - 0.35) / 0.65);
    const fabric = Math.floor(body * stripes) % 3 === 0 ? stripe : cloth;
    // Folds, from the outside in.
    for (let fold = 0; fold < FOLDS; fold++) {
      const inwards = 1 - fold / FOLDS;
      line(row, outline * inwards, mix(fabric, WHITE, Math.max(0, 0.25 * Math.sin(inwards * 6 + y * 9))));
    }
  }
  hash.forEach((byte, index) => rectangle(pixels, 8 + index * 5, 4, 5, 5, [byte, 255 - byte, (byte * 7) % 256]));
  write(pixels, name);
  return pixels;
}

function write(pixels: Buffer, name: string): void {
  const text = (name.split('/').pop() ?? '').replace(/\.[a-z0-9]+$/i, '').toUpperCase();
  for (let index = 0; index < Math.min(text.length, LETTERS_A_LINE * LINES); index++) {
    const left = DOT * 2 + (index % LETTERS_A_LINE) * LETTER_WIDTH;
    const top = CANVAS.height - LINE_HEIGHT * (LINES - Math.floor(index / LETTERS_A_LINE));
    [...(FONT[text[index] ?? ''] ?? '00000')].forEach((octal, line) => {
      for (let bit = 0; bit < 3; bit++) {
        if ((Number(octal) & (4 >> bit)) === 0) continue;
        rectangle(pixels, left + bit * DOT, top + line * DOT, DOT, DOT, [250, 250, 245]);
      }
    });
  }
}

function rectangle(pixels: Buffer, left: number, top: number, width: number, height: number, shade: Colour): void {
  for (let row = top; row < top + height; row++) {
    const end = (row * CANVAS.width + left + width) * 3;
    for (let at = (row * CANVAS.width + left) * 3; at < end; at += 3) {
      pixels[at] = shade[0];
      pixels[at + 1] = shade[1];
      pixels[at + 2] = shade[2];
    }
  }
}

function mix(one: Colour, other: Colour, share: number): Colour {
  return [between(one[0], other[0], share), between(one[1], other[1], share), between(one[2], other[2], share)];
}

function between(one: number, other: number, share: number): number {
  return one + (other - one) * share;
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
function colour(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const turn = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
