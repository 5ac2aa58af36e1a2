import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { type PictureOrigin, startPictureOrigin } from './picture-origin.js';

let origin: PictureOrigin;

beforeAll(async () => {
  origin = await startPictureOrigin({ longSide: 300 });
});
afterAll(() => origin.close());

async function bytesOf(path: string, from = origin): Promise<Buffer> {
  return Buffer.from(await (await fetch(from.url(path))).arrayBuffer());
}

describe('the picture origin', () => {
  it.each([
    ['/look', 'jpeg'],
    ['/look.jpeg', 'jpeg'],
    ['/look.png', 'png'],
    ['/look.webp', 'webp'],
    ['/look.avif', 'heif'],
    ['/look.gif', 'gif'],
    ['//look.jpg', 'jpeg'],
  ])('answers %s with a real picture', async (path, format) => {
    expect(await sharp(await bytesOf(path)).metadata()).toMatchObject({ format, width: 200, height: 300 });
  });

  it('gives one path the same bytes in another life, and another path others', async () => {
    const other = await startPictureOrigin({ longSide: 300 });
    expect((await bytesOf('/a/1.jpg', other)).equals(await bytesOf('/a/1.jpg'))).toBe(true);
    await other.close();
    const pictures = await Promise.all(Array.from({ length: 40 }, (_, look) => bytesOf(`/many/${look}.jpg`)));
    expect(new Set(pictures.map((bytes) => bytes.toString('base64'))).size).toBe(40);
  });

  it('paints the size that is asked for, and a real one when none is', async () => {
    expect((await sharp(await bytesOf('/wide.jpg?w=450')).metadata()).height).toBe(450);
    const demo = await startPictureOrigin();
    const { height } = await sharp(await bytesOf('/real.jpg', demo)).metadata();
    expect(height).toBeGreaterThanOrEqual(1600);
    await demo.close();
  });

  it('takes the port that is asked for, and another when it is taken', async () => {
    const first = await startPictureOrigin();
    const { port } = first;
    const second = await startPictureOrigin({ port });
    expect(second.port).not.toBe(port);
    await first.close();
    const third = await startPictureOrigin({ port });
    expect(third.port).toBe(port);
    await Promise.all([second.close(), third.close()]);
  });

  it('counts what was asked, by path', async () => {
    const before = origin.total;
    await bytesOf('/counted.jpg?w=210');
    await bytesOf('/counted.jpg');
    expect([origin.requests('/counted.jpg'), origin.requests('/other.jpg'), origin.total - before]).toEqual([2, 0, 2]);
  });

  it('misbehaves on one path, or on all below a folder, until it is told otherwise', async () => {
    origin.behave('/bad/', { do: 'status', code: 404 });
    origin.behave('/bad/1.jpg', { do: 'fail', times: 2, code: 503 });
    const statuses = async (path: string): Promise<number[]> => {
      const answers: number[] = [];
      for (let times = 0; times < 3; times++) answers.push((await fetch(origin.url(path))).status);
      return answers;
    };
    expect(await statuses('/bad/1.jpg')).toEqual([503, 503, 200]);
    expect(await statuses('/bad/10.jpg')).toEqual([404, 404, 404]);
    origin.behaveWell();
    expect(await statuses('/bad/10.jpg')).toEqual([200, 200, 200]);
  });

  it('sends one placeholder for all, and cuts by share, by length and from the end', async () => {
    origin.behave('/same/', { do: 'placeholder' });
    expect((await bytesOf('/same/1.jpg')).equals(await bytesOf('/same/2.jpg'))).toBe(true);
    const whole = (await bytesOf('/cut.jpg')).length;
    for (const [to, bytes] of [
      [0.5, Math.round(whole / 2)],
      [100, 100],
      [-2, whole - 2],
    ] as const) {
      origin.behave('/cut.jpg', { do: 'truncate', to });
      expect((await bytesOf('/cut.jpg')).length).toBe(bytes);
    }
  });
});
