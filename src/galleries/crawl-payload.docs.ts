import { type JsonSchema, orNull } from '../lib/json-schema.js';
import { taken } from '../lib/shape-schema.js';
import type { IntakeDocs } from '../platform/intake/intake-docs.js';
import { CATEGORIES } from '../taxonomy/categories.js';
import { TERMS } from '../taxonomy/terms.js';
import { AUDIENCES, CRAWL_LIMITS as LIMITS, PICTURE_KINDS } from './crawl-payload.js';

/** What crawl-payload.ts reads, as the door's documentation shows it. A test holds the two together. */

export const BRAND_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  brand_hashid: taken.text(LIMITS.brandHashid, 'The brand by its public id'),
  brand_id: {
    type: ['integer', 'string', 'null'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[0-9]{1,19}$',
    description: 'The brand by its number; 0 means none',
  },
  brand: taken.text(LIMITS.brand, 'The brand by any name, slug or alias; letter case and accents do not matter'),
};

export const SEASON_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  season: taken.text(LIMITS.season, 'Raw, as on the page: "Fall 2026 Ready-to-Wear", "2026秋冬高级定制"'),
  title: taken.text(LIMITS.title, 'Raw, as on the page'),
  year: hint('Year of the season, as a number or four digits'),
  term: hint(`One of ${TERMS.join(', ')}, or a word for it`),
  category: hint(`One of ${CATEGORIES.map(({ code }) => code).join(', ')}, or a word for it`),
  market: hint('City or country of the fashion week, in any of its spellings'),
};

export const SOURCE: JsonSchema = {
  title: 'Source',
  description: 'Where the show was found: it tells a show from its neighbours better than any title.',
  type: 'object',
  properties: {
    site: taken.text(LIMITS.site, 'Name of the site'),
    url: taken.url(LIMITS.url, 'Address of the page'),
    external_id: taken.text(LIMITS.externalId, 'What the site itself calls the show'),
  },
};

const PICTURE: JsonSchema = {
  title: 'Picture',
  type: 'object',
  properties: {
    url: taken.address(LIMITS.url),
    kind: taken.choice(PICTURE_KINDS, 'What it shows; read out of the caption when not given'),
    look: {
      type: ['integer', 'string', 'null'],
      minimum: 0,
      maximum: 10 ** LIMITS.look.max - 1,
      maxLength: LIMITS.look.max,
      description: 'Number of the look: 12, "12", "12A"',
    },
    caption: taken.text(LIMITS.caption, 'Raw, as on the page; tells a look from the cover of another show'),
    credit: taken.text(LIMITS.credit, 'Whose picture it is'),
    width: taken.integer(0, LIMITS.pixels, 'Pixels, as the page says'),
    height: taken.integer(0, LIMITS.pixels, 'Pixels, as the page says'),
    external_id: taken.text(LIMITS.externalId, 'What the site itself calls the picture'),
  },
  required: ['url'],
};

const PICTURE_OR_ADDRESS: JsonSchema = { anyOf: [PICTURE, taken.address(LIMITS.url)] };

const COMMON_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  ...SEASON_MEMBERS,
  show_date: taken.day(`Day of the show, from ${LIMITS.firstYear} to ${LIMITS.yearsAhead} years from now`),
  source: orNull(SOURCE),
  cover: { anyOf: [...(PICTURE_OR_ADDRESS.anyOf ?? []), { type: 'null' }], description: 'Else the first look' },
  images: taken.list(1, LIMITS.images, PICTURE_OR_ADDRESS, 'Their order is the gallery’s'),
  expected_images: taken.integer(0, LIMITS.expectedImages, 'How many the page says there are: shows a partial crawl'),
  extra: { type: ['object', 'null'], description: `Kept and not read; at most ${LIMITS.extraBytes} bytes of JSON` },
};

const IGNORED = 'Unknown members are ignored and named in `warnings`. `null` and `""` are "not given".';

export const RUNWAY_SHOW_DOCS: IntakeDocs = {
  summary: 'A runway show',
  data: {
    title: 'RunwayShow',
    description: `One show of one brand. ${IGNORED}`,
    type: 'object',
    properties: { ...BRAND_MEMBERS, ...COMMON_MEMBERS },
    required: ['images'],
    allOf: [oneIsNeeded('brand_hashid', 'brand_id', 'brand'), oneIsNeeded('season', 'title')],
  },
  example: {
    brand: 'Maison Éclair',
    season: 'Fall 2026 Ready-to-Wear',
    title: 'Maison Éclair Fall 2026 Ready-to-Wear Collection',
    market: 'Paris',
    show_date: '2026-03-02',
    source: { site: 'example.org', url: 'https://example.org/shows/fall-2026/maison-eclair', external_id: 'fw26-118' },
    cover: 'https://pictures.example.org/fw26/cover.jpg',
    images: [
      { url: 'https://pictures.example.org/fw26/1.jpg', look: 1, caption: 'Look 1', credit: 'A. Photographer' },
      { url: 'https://pictures.example.org/fw26/d1.jpg', kind: 'detail', width: 1600, height: 2400 },
      'https://pictures.example.org/fw26/2.jpg',
    ],
    expected_images: 3,
  },
};

export const STREET_GALLERY_DOCS: IntakeDocs = {
  summary: 'A street-style gallery',
  data: {
    title: 'StreetGallery',
    description: `Pictures of the street around the shows. It has no brand. ${IGNORED}`,
    type: 'object',
    properties: {
      ...COMMON_MEMBERS,
      title: { type: 'string', minLength: 1, maxLength: LIMITS.title.max, description: 'Raw, as on the page' },
      audience: taken.choice(AUDIENCES, 'Whose fashion week it was'),
      day: taken.integer(1, LIMITS.lastDay, 'Day of the fashion week'),
      photographer: taken.text(LIMITS.photographer, 'Whose gallery it is'),
      brands_seen: taken.list(
        0,
        LIMITS.brandsSeen,
        { type: 'string', maxLength: LIMITS.brandHashid.max },
        'Hashids of brands that are seen in the pictures',
      ),
    },
    required: ['title', 'images'],
  },
  example: {
    title: 'Paris Fall 2026 Street Style, Day 3',
    market: 'Paris',
    audience: 'women',
    day: 3,
    photographer: 'A. Photographer',
    source: { site: 'example.org', url: 'https://example.org/street/paris-fall-2026-day-3' },
    images: ['https://pictures.example.org/street/1.jpg', 'https://pictures.example.org/street/2.jpg'],
  },
};

/** Wins over what is read out of the texts; one that is not valid is ignored with a warning, whatever it is. */
function hint(description: string): JsonSchema {
  return { description: `${description}. Wins over season and title when valid, else ignored with a warning` };
}

function oneIsNeeded(...names: string[]): JsonSchema {
  return { anyOf: names.map((name) => ({ required: [name] })) };
}
