import { describe, expect, it } from '@jest/globals';
import { appErrorOf } from '../../test/harness/errors.js';
import { looks, runwayData, streetData } from '../../test/harness/payloads.js';
import { readRunwayShow, readStreetGallery, type CrawlPayload } from './crawl-payload.js';

const YEAR = 2026;

type Fields = Record<string, unknown>;

const read = (over: Fields): CrawlPayload => readRunwayShow(runwayData(over), YEAR).value;
const warningsOf = (over: Fields): string[] => readRunwayShow(runwayData(over), YEAR).warnings;
const problemsOf = (over: Fields): { pointer: string; detail: string }[] =>
  appErrorOf(() => readRunwayShow(runwayData(over), YEAR)).errors;
const pointersOf = (over: Fields): string[] => problemsOf(over).map((problem) => problem.pointer);
const picture = (over: Fields): Fields => ({ images: [{ url: 'https://p.example/1.jpg', ...over }] });

describe('a runway show', () => {
  it('is read whole', () => {
    const { value, warnings } = readRunwayShow(
      {
        brand_hashid: 'aB3',
        brand_id: '7',
        brand: ' Maison Éclair ',
        season: ' Fall 2026 ',
        title: 'Maison Éclair Fall 2026',
        year: 2026,
        term: 'fall',
        category: 'rtw',
        market: 'Paris',
        show_date: '2026-03-02',
        source: { site: 'runway.example', url: 'https://runway.example/fall-2026', external_id: 'x-1' },
        cover: 'https://p.example/cover.jpg',
        images: [
          'https://p.example/1.jpg',
          {
            url: 'https://p.example/2.jpg',
            kind: 'detail',
            look: 12,
            caption: 'Detail',
            credit: 'Somebody',
            width: 1600,
            height: 2400,
            external_id: '2',
          },
        ],
        expected_images: 45,
        extra: { anything: ['at', { all: 1 }] },
      },
      YEAR,
    );
    expect(warnings).toEqual([]);
    expect(value).toEqual({
      kind: 'runway',
      brand: { hashid: 'aB3', id: '7', name: 'Maison Éclair' },
      season: 'Fall 2026',
      title: 'Maison Éclair Fall 2026',
      hints: { year: 2026, term: 'fall', category: 'rtw', market: 'Paris' },
      showDate: '2026-03-02',
      source: { site: 'runway.example', url: 'https://runway.example/fall-2026', externalId: 'x-1' },
      cover: { url: 'https://p.example/cover.jpg' },
      images: [
        { url: 'https://p.example/1.jpg' },
        {
          url: 'https://p.example/2.jpg',
          kind: 'detail',
          look: '12',
          caption: 'Detail',
          credit: 'Somebody',
          width: 1600,
          externalId: '2',
        },
      ],
      expectedImages: 45,
    });
  });

  it('must be an object', () => {
    for (const data of [undefined, null, 'show', 7, []]) {
      const { code, status, errors } = appErrorOf(() => readRunwayShow(data, YEAR));
      expect({ code, status, first: errors[0] }).toEqual({
        code: 'schema-invalid',
        status: 422,
        first: { pointer: '/data', detail: 'must be an object' },
      });
    }
  });

  it('tells every problem with its pointer, and the first in its sentence', () => {
    const { errors, message } = appErrorOf(() =>
      readRunwayShow(runwayData({ season: 7, show_date: 'soon', images: ['ftp://p.example/1', { look: 1 }] }), YEAR),
    );
    expect(errors.map((problem) => problem.pointer)).toEqual([
      '/data/images/0',
      '/data/images/1/url',
      '/data/season',
      '/data/show_date',
    ]);
    expect(message).toContain('/data/images/0 must be an http or https address');
    expect(message).toContain('and 3 more');
  });

  it('tells at most 20 problems', () => {
    expect(problemsOf({ images: Array(50).fill('nonsense') })).toHaveLength(20);
  });
});

describe('its brand', () => {
  it.each([
    ['no field at all', {}],
    ['null', { brand_hashid: null, brand_id: null, brand: null }],
    ['empty and blank text', { brand_hashid: '', brand_id: '', brand: '  ' }],
    ['zeros', { brand_hashid: '0', brand_id: 0, brand: '0' }],
    ['zeros as text', { brand_hashid: '0', brand_id: '0', brand: '0' }],
  ])('is missing when given as %s', (_, brand) => {
    expect(problemsOf({ brand: undefined, ...brand })).toEqual([
      { pointer: '/data/brand', detail: 'one of brand_hashid, brand_id and brand is needed' },
    ]);
  });

  it.each([
    [7, '7'],
    ['7', '7'],
    ['9223372036854775807', '9223372036854775807'],
  ])('may be the id %j', (id, expected) => {
    expect(read({ brand: undefined, brand_id: id }).brand).toEqual({ id: expected });
  });

  it.each([-1, 1.5, 2 ** 53, 'seven', '-7', '12345678901234567890', true, {}])('may not be the id %j', (id) => {
    expect(pointersOf({ brand_id: id })).toEqual(['/data/brand_id']);
  });

  it('may be a name of 120 characters and no longer', () => {
    expect(read({ brand: 'x'.repeat(120) }).brand.name).toHaveLength(120);
    expect(pointersOf({ brand: 'x'.repeat(121) })).toEqual(['/data/brand']);
  });
});

describe('its season and title', () => {
  it('may be one of the two', () => {
    expect(read({ season: undefined, title: 'Fall 2026' })).toMatchObject({ title: 'Fall 2026' });
    expect(read({ season: 'Fall 2026' })).not.toHaveProperty('title');
    expect(pointersOf({ season: undefined })).toEqual(['/data/season']);
    expect(pointersOf({ season: ' ', title: null })).toEqual(['/data/season']);
  });

  it('identify the show, so that they are refused and not cut when too long', () => {
    expect(read({ season: 's'.repeat(120), title: 't'.repeat(300) })).toMatchObject({ season: 's'.repeat(120) });
    expect(pointersOf({ season: 's'.repeat(121) })).toEqual(['/data/season']);
    expect(pointersOf({ title: 't'.repeat(301) })).toEqual(['/data/title']);
  });

  it('leaves hints as they were sent, for the taxonomy to judge', () => {
    expect(read({ year: '2026', term: 'herbst', category: 3, market: ' Mars ' }).hints).toEqual({
      year: '2026',
      term: 'herbst',
      category: 3,
      market: 'Mars',
    });
  });
});

describe('its other fields', () => {
  it.each(['1980-01-01', '2026-03-02', '2028-12-31', '2024-02-29'])('takes the show date %s', (day) => {
    expect(read({ show_date: day }).showDate).toBe(day);
  });

  it.each(['1979-12-31', '2029-01-01', '2026-02-30', '2026-3-2', '2026-03-02T10:00:00Z', 'yesterday', 20260302])(
    'refuses the show date %j',
    (day) => {
      expect(pointersOf({ show_date: day })).toEqual(['/data/show_date']);
    },
  );

  it('takes 0 to 5000 expected images', () => {
    expect([0, 5000].map((count) => read({ expected_images: count }).expectedImages)).toEqual([0, 5000]);
    for (const count of [-1, 5001, 1.5, '45']) {
      expect(pointersOf({ expected_images: count })).toEqual(['/data/expected_images']);
    }
  });

  it('refuses a source that is too long, no object, or on no web page', () => {
    expect(pointersOf({ source: 'https://runway.example' })).toEqual(['/data/source']);
    expect(pointersOf({ source: { site: 's'.repeat(65), external_id: 'e'.repeat(129) } })).toEqual([
      '/data/source/site',
      '/data/source/external_id',
    ]);
    for (const url of ['ftp://runway.example/', 'runway.example', `https://r.example/${'x'.repeat(2048)}`]) {
      expect(pointersOf({ source: { url } })).toEqual(['/data/source/url']);
    }
  });

  it('takes an extra object of 8 KiB, counted in bytes', () => {
    const around = JSON.stringify({ a: '' }).length;
    expect(read({ extra: { a: 'x'.repeat(8192 - around) } })).toBeDefined();
    expect(pointersOf({ extra: { a: 'x'.repeat(8193 - around) } })).toEqual(['/data/extra']);
    expect(pointersOf({ extra: { a: '秀'.repeat(3000) } })).toEqual(['/data/extra']);
    for (const extra of ['text', 7, [1]]) expect(pointersOf({ extra })).toEqual(['/data/extra']);
  });

  it('takes null and "" for not given everywhere', () => {
    for (const nothing of [null, '']) {
      const { value, warnings } = readRunwayShow(
        runwayData({
          title: nothing,
          year: nothing,
          term: nothing,
          category: nothing,
          show_date: nothing,
          source: nothing,
          cover: nothing,
          expected_images: nothing,
          extra: nothing,
          ...picture({ kind: nothing, look: nothing, caption: nothing, credit: nothing, width: nothing }),
        }),
        YEAR,
      );
      expect(warnings).toEqual([]);
      expect(value).toEqual({
        kind: 'runway',
        brand: { name: 'Maison Éclair' },
        season: 'Fall 2026 Ready-to-Wear',
        hints: { year: undefined, term: undefined, category: undefined, market: 'paris' },
        source: {},
        images: [{ url: 'https://p.example/1.jpg' }],
      });
    }
  });
});

describe('its pictures', () => {
  it('are 1 to 1000', () => {
    expect(read({ images: looks(1000) }).images).toHaveLength(1000);
    for (const images of [[], looks(1001), undefined, null, 'https://p.example/1.jpg', {}]) {
      expect(pointersOf({ images })).toContain('/data/images');
    }
  });

  it('keep their order, as text or as object', () => {
    const images = ['https://p.example/b.jpg', { url: 'https://p.example/a.jpg' }, ' https://p.example/c.jpg '];
    expect(read({ images }).images.map(({ url }) => url)).toEqual([
      'https://p.example/b.jpg',
      'https://p.example/a.jpg',
      'https://p.example/c.jpg',
    ]);
  });

  it.each([
    'ftp://p.example/1.jpg',
    'javascript:alert(1)',
    '//p.example/1.jpg',
    'p.example/1.jpg',
    'https://user:word@p.example/1.jpg',
    'https://user@p.example/1.jpg',
    'https://',
    `https://p.example/${'x'.repeat(2048)}`,
    '',
    7,
    null,
    ['https://p.example/1.jpg'],
  ])('are refused at the address %j', (entry) => {
    expect(pointersOf({ images: [entry] })).toEqual(['/data/images/0']);
    if (typeof entry === 'string') expect(pointersOf(picture({ url: entry }))).toEqual(['/data/images/0/url']);
  });

  it.each(['http://127.0.0.1:8080/1.jpg', 'https://p.example/a%20b.jpg?w=1#x', 'https://例え.example/图.jpg'])(
    'may be at %s',
    (url) => {
      expect(read({ images: [url] }).images).toEqual([{ url }]);
      expect(read(picture({ url })).images).toEqual([{ url }]);
    },
  );

  it.each([
    [7, '7'],
    [0, '0'],
    ['12A', '12A'],
    [' 7 ', '7'],
  ])('may show the look %j', (look, expected) => {
    expect(read(picture({ look })).images[0]?.look).toBe(expected);
  });

  it.each([1.5, -1, 1e21, 123456789, '123456789', true, [1]])('may not show the look %j', (look) => {
    expect(pointersOf(picture({ look }))).toEqual(['/data/images/0/look']);
  });

  it('are of a known kind and of sensible sizes', () => {
    expect(pointersOf(picture({ kind: 'selfie' }))).toEqual(['/data/images/0/kind']);
    expect(pointersOf(picture({ width: -1 }))).toEqual(['/data/images/0/width']);
    expect(pointersOf(picture({ height: 'tall' }))).toEqual(['/data/images/0/height']);
    expect(pointersOf(picture({ external_id: 'x'.repeat(129) }))).toEqual(['/data/images/0/external_id']);
  });

  it('have captions and credits cut with a warning, never inside a character', () => {
    const over = picture({ caption: 'c'.repeat(501), credit: `${'k'.repeat(199)}👠` });
    expect(read(over).images[0]).toMatchObject({ caption: 'c'.repeat(500), credit: 'k'.repeat(199) });
    expect(warningsOf(over)).toEqual([
      '/data/images/0/caption: cut to 500 characters',
      '/data/images/0/credit: cut to 200 characters',
    ]);
  });

  it('have a cover in either form', () => {
    expect(read({ cover: { url: 'https://p.example/c.jpg', kind: 'look' } }).cover).toEqual({
      url: 'https://p.example/c.jpg',
      kind: 'look',
    });
    expect(pointersOf({ cover: 'nowhere' })).toEqual(['/data/cover']);
    expect(pointersOf({ cover: { caption: 'no address' } })).toEqual(['/data/cover/url']);
  });
});

describe('unknown fields', () => {
  it('are ignored and named, wherever they are', () => {
    const over = { seasn: 'x', source: { sight: 'y' }, ...picture({ colour: 'red' }) };
    expect(warningsOf(over).sort()).toEqual([
      '/data/images/0/colour: unknown field, ignored',
      '/data/seasn: unknown field, ignored',
      '/data/source/sight: unknown field, ignored',
    ]);
    expect(read(over)).toEqual(read(picture({})));
  });

  it('are named as JSON pointers, and not at length', () => {
    expect(warningsOf({ 'a/b~c': 1 })).toEqual(['/data/a~1b~0c: unknown field, ignored']);
    expect(warningsOf({ ['n'.repeat(1000)]: 1 })[0]?.length).toBeLessThan(120);
  });

  it('are named 20 times at most', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`unknown_${index}`, index]));
    expect(warningsOf(many)).toHaveLength(20);
  });
});

describe('a street-style gallery', () => {
  const street = (over: Fields): CrawlPayload => readStreetGallery(streetData(over), YEAR).value;
  const refused = (over: Fields): string[] =>
    appErrorOf(() => readStreetGallery(streetData(over), YEAR)).errors.map(({ pointer }) => pointer);

  it('is read whole', () => {
    const over = { season: 'Spring 2026', audience: 'women', photographer: 'Somebody', brands_seen: ['aB3', 'xY9'] };
    expect(readStreetGallery(streetData(over), YEAR)).toEqual({
      value: {
        kind: 'street',
        brand: {},
        title: 'Street style, Paris, Spring 2026, day 3',
        season: 'Spring 2026',
        hints: { year: undefined, term: undefined, category: undefined, market: 'paris' },
        source: {},
        audience: 'women',
        day: 3,
        photographer: 'Somebody',
        images: [
          { url: 'https://pictures.example/look-1.jpg', caption: 'Look 1' },
          { url: 'https://pictures.example/look-2.jpg', caption: 'Look 2' },
        ],
      },
      warnings: [],
    });
  });

  it.each([{ brand: 'Dior' }, { brand_id: 7 }, { brand_id: '7' }, { brand_hashid: 'aB3' }])(
    'is refused with the brand %j',
    (brand) => {
      const { code, status, errors } = appErrorOf(() => readStreetGallery(streetData(brand), YEAR));
      expect({ code, status, errors }).toEqual({
        code: 'brand-not-allowed',
        status: 422,
        errors: [{ pointer: '/data/brand', detail: 'is not allowed here' }],
      });
    },
  );

  it.each([{ brand: null, brand_id: null }, { brand: '', brand_hashid: '' }, { brand_id: 0 }, { brand_id: '0' }])(
    'may say %j, which is no brand',
    (none) => {
      expect(readStreetGallery(streetData(none), YEAR)).toMatchObject({ value: { brand: {} }, warnings: [] });
    },
  );

  it('needs a title, and no season', () => {
    expect(refused({ title: undefined })).toEqual(['/data/title']);
    expect(refused({ title: undefined, season: 'Spring 2026' })).toEqual(['/data/title']);
    expect(street({})).not.toHaveProperty('season');
  });

  it.each([
    [{ audience: 'kids' }, '/data/audience'],
    [{ day: 0 }, '/data/day'],
    [{ day: 32 }, '/data/day'],
    [{ brands_seen: Array(51).fill('aB3') }, '/data/brands_seen'],
    [{ brands_seen: ['aB3', 7] }, '/data/brands_seen/1'],
    [{ images: [] }, '/data/images'],
  ])('is refused with %j', (over, pointer) => {
    expect(refused(over)).toEqual([pointer]);
  });

  it('has its photographer’s name cut with a warning', () => {
    const { value, warnings } = readStreetGallery(streetData({ photographer: 'p'.repeat(201) }), YEAR);
    expect(value.photographer).toHaveLength(200);
    expect(warnings).toEqual(['/data/photographer: cut to 200 characters']);
  });
});
