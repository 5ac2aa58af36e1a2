import { describe, expect, it } from '@jest/globals';
import { checkOf } from '../../test/harness/schema-check.js';
import { AppError } from '../lib/app-error.js';
import type { JsonSchema } from '../lib/json-schema.js';
import type { IntakeDocs } from '../platform/intake/intake-docs.js';
import { readAskedShows } from './asked-show.js';
import { RUNWAY_SHOW_DOCS, STREET_GALLERY_DOCS } from './crawl-payload.docs.js';
import { readRunwayShow, readStreetGallery } from './crawl-payload.js';
import { KNOWN_SHOWS_DOCS } from './known-shows.docs.js';

const YEAR = 2026;

/** Hints are taken with a warning, whatever they are; of `extra` the weight counts; what a show needs is said in words. */
const UNDECIDED = new Set(['/year', '/term', '/category', '/market', '/extra', '/shows']);

type Read = (data: unknown) => unknown;

const TYPES: [string, IntakeDocs, Read][] = [
  ['runway.show', RUNWAY_SHOW_DOCS, (data) => readRunwayShow(data, YEAR)],
  ['street.gallery', STREET_GALLERY_DOCS, (data) => readStreetGallery(data, YEAR)],
  ['show.known', KNOWN_SHOWS_DOCS, readAskedShows],
];

const [ASKED_SHOW] = KNOWN_SHOWS_DOCS.data.properties?.['shows']?.items?.anyOf ?? [];

/** What has members with limits. Of a show that is asked for, words only say what has to be there. */
const SHAPES: [string, Omit<IntakeDocs, 'summary'>, Read][] = [
  ...TYPES.slice(0, 2),
  [
    'a show that is asked for',
    {
      data: ASKED_SHOW ?? {},
      example: { brand: 'Maison Éclair', season: 'Fall 2026', source: { url: 'https://a.example/fall' } },
    },
    (show) => readAskedShows({ shows: [show] }),
  ],
];

function accepts(read: (data: unknown) => unknown, data: unknown): boolean {
  try {
    read(data);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Members that a schema describes, by where they stand; entries of a list stand at "*". */
function described(schema: JsonSchema, at = ''): string[] {
  const inner = [
    schema.items && ([schema.items, `${at}/*`] as const),
    ...either(schema).map((one) => [one, at] as const),
  ];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    `${at}/${name}`,
    ...described(member, `${at}/${name}`),
  ]);
  return [...own, ...inner.flatMap((one) => (one === undefined ? [] : described(...one)))];
}

const either = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => anyOf ?? oneOf ?? [];

/** A value, and a list of every member that somebody asks it for. */
function watched(value: unknown, asked: Set<string>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      const member = (target as Record<string | symbol, unknown>)[name];
      if (typeof name === 'symbol' || typeof member === 'function' || name === 'toJSON') return member;
      const here = `${at}/${/^\d+$/.test(name) ? '*' : name}`;
      if (!(Array.isArray(target) && name === 'length') && !here.endsWith('*')) asked.add(here);
      return watched(member, asked, here);
    },
  });
}

/** Values that stand at a limit or just beyond it, and such as are of another kind. */
function candidates(schema: JsonSchema): unknown[] {
  const { enum: choices = [], maxLength, minimum, maximum, minItems, maxItems, items, format, pattern } = schema;
  const isAddress = pattern?.startsWith('^[Hh]') ?? false;
  const isDigits = pattern?.startsWith('^[0-9]') ?? false;
  const start = isAddress ? 'https://a.example/' : '';
  const textOf = (length: number): string => start + (isDigits ? '7' : 'x').repeat(length - start.length);
  const entry = items === undefined ? undefined : accepted(items);
  return [
    ...choices,
    ...either(schema).flatMap(candidates),
    ...(maxLength === undefined ? [] : [textOf(maxLength), textOf(maxLength + 1), textOf(start.length + 1)]),
    ...(isAddress ? ['ftp://a.example/x', 'no address', 'https://'] : []),
    ...(isDigits ? ['7', '7'.repeat(19), '7'.repeat(31), '-7', '7x'] : []),
    ...(format === 'date' ? ['2026-03-02', '2026-02-30', '2026-3-2', 'tomorrow'] : []),
    ...(minimum === undefined ? [] : [minimum, minimum - 1, minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(minItems === undefined || maxItems === undefined
      ? []
      : [Math.max(0, minItems - 1), minItems, maxItems, maxItems + 1].map((length) => Array(length).fill(entry))),
    ...(items === undefined ? [] : candidates(items).map((one) => [one])),
    null,
    true,
    {},
    ['x'],
    12,
    'x',
  ];
}

/** One value that the schema is for. */
function accepted(schema: JsonSchema): unknown {
  const fits = checkOf(schema);
  return candidates(schema).find((value) => value !== null && fits(value).length === 0);
}

describe.each(SHAPES)('the limits of %s', (_, { data: schema, example }, read) => {
  const check = checkOf(schema);
  // Beside the brand that is tried, so that one without it is not refused for having none.
  const base = { ...example, ...('brand' in example && { brand_hashid: 'kQ3nV8xY', brand_id: 7, title: 'Fall 2026' }) };

  it.each(membersOf(schema))('takes of %s what is taken, and nothing else', (path) => {
    const member = memberAt(schema, path);
    const values = candidates(member);
    const judged = values.map((value) => {
      const data = withMember(base, path, value);
      return {
        value: JSON.stringify(value)?.slice(0, 60),
        documented: check(data).length === 0,
        read: accepts(read, data),
      };
    });
    expect(judged.filter(({ documented, read: isRead }) => documented !== isRead)).toEqual([]);
    expect(judged.some((one) => one.read)).toBe(true);
  });
});

it('of show.known takes as many shows as are taken', () => {
  const check = checkOf(KNOWN_SHOWS_DOCS.data);
  for (const length of [0, 1, 200, 201]) {
    const data = { shows: Array(length).fill('https://a.example/fall') };
    expect({ length, taken: check(data).length === 0 }).toEqual({ length, taken: accepts(readAskedShows, data) });
  }
});

describe.each(TYPES)('the documentation of %s', (_, { data: schema, example }, read) => {
  const check = checkOf(schema);

  it('describes the members that are read, and no others', () => {
    const asked = new Set<string>();
    read(watched(everyMember(schema), asked));
    const hasBrand = 'brand' in (schema.properties ?? {});
    const members = [...asked].filter((path) => hasBrand || !/^\/brand(_id|_hashid)?$/.test(path));
    expect(members.sort()).toEqual([...new Set(described(schema))].sort());
  });

  it('has an example that is taken without a warning', () => {
    expect(check(example)).toEqual([]);
    expect(read(example)).toMatchObject({ warnings: [] });
  });

  it('knows what has to be there', () => {
    for (const name of Object.keys(example)) {
      const { [name]: _gone, ...rest } = example;
      expect({ without: name, taken: check(rest).length === 0 }).toEqual({ without: name, taken: accepts(read, rest) });
    }
    expect(check({}).length).toBeGreaterThan(0);
    expect(accepts(read, {})).toBe(false);
  });
});

/** A value with a member for everything that is described. */
function everyMember(schema: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => {
      const [object] = objectsIn(member);
      const [entry] = member.items === undefined ? [] : objectsIn(member.items);
      if (entry !== undefined) return [name, [everyMember(entry)]];
      return [name, object === undefined ? accepted(member) : everyMember(object)];
    }),
  );
}

function objectsIn(schema: JsonSchema): JsonSchema[] {
  return [schema, ...either(schema)].filter(({ properties }) => properties !== undefined);
}

/** Paths of the members whose limits can be tried one by one: own ones, those of `source`, and those of a picture. */
function membersOf(schema: JsonSchema): string[] {
  return described(schema).filter(
    (path) => !UNDECIDED.has(path) && !path.startsWith('/shows/') && !path.startsWith('/cover/'),
  );
}

function memberAt(schema: JsonSchema, path: string): JsonSchema {
  return path
    .slice(1)
    .split('/')
    .reduce<JsonSchema>((at, name) => {
      const next =
        name === '*' ? at.items : [at, ...either(at)].find(({ properties }) => properties?.[name])?.properties?.[name];
      if (next === undefined) throw new Error(`There is no ${path}`);
      return next;
    }, schema);
}

function withMember(example: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.slice(1).split('/');
  if (rest.length === 0) return { ...example, [first]: value };
  const inner = rest.filter((name) => name !== '*').join('/');
  if (first === 'images')
    return { ...example, images: [withMember({ url: 'https://a.example/1.jpg' }, `/${inner}`, value)] };
  return { ...example, [first]: withMember((example[first] ?? {}) as Record<string, unknown>, `/${inner}`, value) };
}
