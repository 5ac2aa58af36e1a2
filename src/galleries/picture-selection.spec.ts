import { describe, expect, it } from '@jest/globals';
import { crawlPayload } from '../../test/harness/payloads.js';
import type { CrawlPayload, SentPicture } from './crawl-payload.js';
import { selectPictures, type Selection } from './picture-selection.js';
import { readShow } from './show.js';

const NAMES = ['Maison Éclair'];

function select(images: SentPicture[], over: Partial<CrawlPayload> = {}): Selection {
  return selectPictures(readShow(crawlPayload({ images, ...over }), { id: '7', names: NAMES }, 2026), NAMES, 2026);
}

const at = (name: string, over: Partial<SentPicture> = {}): SentPicture => ({
  url: `https://p.example/${name}`,
  ...over,
});
const look = (label: string, over: Partial<SentPicture> = {}): SentPicture =>
  at(`${label}.jpg`, { caption: `Look ${label}`, ...over });
const urls = ({ pictures }: Selection): string[] => pictures.map(({ url }) => url.replace('https://p.example/', ''));
const NOTHING = { duplicate: 0, railCover: 0, foreignCover: 0 };

describe('looks', () => {
  it('1, 2, 2, 4, 12A and one without a number are all kept, in order', () => {
    const sent = ['1', '2', '2', '4', '12A'].map((label, index) => at(`${index}.jpg`, { caption: `Look ${label}` }));
    const { pictures, leftOut } = select([...sent, at('5.jpg', { caption: 'Look' })]);
    expect(pictures.map((picture) => picture.look)).toEqual(['1', '2', '2', '4', '12A', null]);
    expect(pictures.map((picture) => picture.position)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(pictures.map((picture) => picture.kind))).toEqual(new Set(['look']));
    expect(leftOut).toEqual(NOTHING);
  });

  it('take kind and number from the payload first, then from the caption, never from the file’s name', () => {
    const { pictures } = select([
      at('look-9.jpg'),
      at('a.jpg', { look: '3' }),
      at('b.jpg', { look: '4', caption: 'Look 5' }),
      at('c.jpg', { kind: 'backstage', caption: 'Look 6' }),
      at('d.jpg', { caption: 'Detail Look 7' }),
      at('e.jpg', { caption: 'Beauty' }),
    ]);
    expect(pictures.map(({ kind, look: label }) => [kind, label])).toEqual([
      ['other', null],
      ['look', '3'],
      ['look', '4'],
      ['backstage', null],
      ['detail', null],
      ['beauty', null],
    ]);
  });

  it('are not numbered by whatever number a caption holds', () => {
    expect(select([at('a.jpg', { caption: 'Look 20260302123456' })]).pictures[0]).toMatchObject({
      kind: 'look',
      look: null,
    });
  });
});

describe('covers of other shows', () => {
  const rail = [
    at('rail-1.jpg', { caption: 'Fall 2026' }),
    at('rail-2.jpg', { caption: 'Spring 2025 Ready-to-Wear' }),
    at('rail-3.jpg', { caption: 'Maison Éclair 2024春夏' }),
  ];

  it('are left out and counted where looks are captioned as looks', () => {
    const selection = select([look('1'), ...rail, look('2')]);
    expect(urls(selection)).toEqual(['1.jpg', '2.jpg']);
    expect(selection.leftOut).toEqual({ duplicate: 0, railCover: 1, foreignCover: 2 });
    expect(selection.pictures.map(({ position }) => position)).toEqual([1, 5]);
  });

  it('are kept where no look is captioned: then the season is just how the page captions', () => {
    const same = ['1', '2', '3'].map((name) => at(`${name}.jpg`, { caption: 'Fall 2026 Ready-to-Wear' }));
    expect(select(same)).toMatchObject({ pictures: [{}, {}, {}], leftOut: NOTHING });
    expect(urls(select([at('plain.jpg'), ...rail]))).toHaveLength(4);
  });

  it('are those captioned with a season and nothing else', () => {
    const kept = [
      at('a.jpg', { caption: 'The designer takes a bow after the Fall 2026 show at the museum' }),
      at('b.jpg', { caption: 'Fall 2026', kind: 'detail' }),
      at('c.jpg', { caption: 'Fall 2026', look: '3' }),
      at('d.jpg', { caption: 'Backstage, Fall 2026' }),
      at('e.jpg', { caption: 'Paris' }),
      at('f.jpg'),
    ];
    expect(select([look('1'), ...kept])).toMatchObject({ leftOut: NOTHING });
  });
});

describe('one photo sent twice', () => {
  it('is taken once, the larger, in the earlier place and with the earlier words', () => {
    const id = `https://assets.vogue.com/photos/${'a'.repeat(24)}`;
    const { pictures, leftOut } = select([
      { url: `${id}/master/w_320,c_limit/1.jpg`, caption: 'Look 1' },
      look('2'),
      { url: `${id}/master/w_1280,c_limit/1.jpg`, caption: 'Look 1, larger', credit: 'Somebody' },
    ]);
    expect(pictures).toHaveLength(2);
    expect(pictures[0]).toMatchObject({
      position: 1,
      url: `${id}/master/w_1280,c_limit/1.jpg`,
      caption: 'Look 1',
      credit: 'Somebody',
    });
    expect(leftOut.duplicate).toBe(1);
  });

  it.each<[string, SentPicture[], string]>([
    ['the first of equals', [at('1.jpg?a=1'), at('1.jpg?a=2')], '1.jpg?a=1'],
    ['the earlier larger', [at('1-1024x683.jpg'), at('1-300x200.jpg')], '1-1024x683.jpg'],
    ['the width that was sent', [at('1.jpg?a=1', { width: 640 }), at('1.jpg?a=2', { width: 1600 })], '1.jpg?a=2'],
    ['a query’s width', [at('1.jpg?w=320'), at('1.jpg?w=800')], '1.jpg?w=800'],
    ['the original over a size of it', [at('1-1024x683.jpg'), at('1.jpg')], '1.jpg'],
    ['the original before a size of it', [at('1.jpg'), at('1-1024x683.jpg')], '1.jpg'],
  ])('goes by size: %s', (_, sent, expected) => {
    expect(urls(select(sent))).toEqual([expected]);
  });

  it('learns from the later one what the earlier did not say', () => {
    const { pictures } = select([at('1.jpg?w=800'), at('1.jpg?w=320', { caption: 'Look 7' })]);
    expect(pictures).toMatchObject([
      { kind: 'look', look: '7', caption: 'Look 7', url: 'https://p.example/1.jpg?w=800' },
    ]);
  });
});

describe('the cover', () => {
  it('is the one that was sent, when it is among the pictures, whatever its size', () => {
    expect(select([look('1'), look('2')], { cover: at('2.jpg?w=320') })).toMatchObject({
      cover: 2,
      pictures: [{}, {}],
    });
  });

  it('is a picture of its own at place 0, when it is not', () => {
    const selection = select([look('1')], { cover: at('cover.jpg', { caption: 'Cover' }) });
    expect(selection.cover).toBe(0);
    expect(urls(selection)).toEqual(['cover.jpg', '1.jpg']);
  });

  it('is fetched although the same picture was left out as a cover of the rail', () => {
    const selection = select([look('1'), at('rail.jpg', { caption: 'Fall 2026' })], { cover: at('rail.jpg') });
    expect(selection).toMatchObject({ cover: 0, leftOut: { railCover: 1 } });
    expect(urls(selection)).toEqual(['rail.jpg', '1.jpg']);
  });

  it('is else the first look, else the first picture', () => {
    expect(select([at('a.jpg', { caption: 'Backstage' }), look('1')]).cover).toBe(2);
    expect(select([at('a.jpg', { caption: 'Backstage' }), at('b.jpg', { caption: 'Beauty' })]).cover).toBe(1);
  });
});
