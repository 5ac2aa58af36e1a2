import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { GalleryKind } from './categories.js';
import { type SeasonInput, type SeasonReading, readSeason } from './season-reader.js';

const NOW = 2026;

interface Expected {
  in: string;
  where?: 'season' | 'title' | 'url';
  kind?: GalleryKind;
  brand?: string[];
  year: number | null;
  term: string | null;
  category: string;
  market: string | null;
  explicit: boolean;
  why?: string;
}

function load(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, import.meta.url).href), 'utf8');
}

function read(input: Partial<SeasonInput>): SeasonReading {
  return readSeason({ kind: 'runway', brandNames: [], ...input }, NOW);
}

function facts({ year, term, category, market, categorySource }: SeasonReading): Omit<Expected, 'in'> {
  return { year, term, category, market, explicit: categorySource !== 'default' };
}

function factsExpected({ year, term, category, market, explicit }: Expected): Omit<Expected, 'in'> {
  return { year, term, category, market, explicit };
}

function keyOf({ year, term, category, market }: SeasonReading): string {
  return [year, term, category, market].join('|');
}

describe('a season out of one text', () => {
  const rows = JSON.parse(load('./fixtures/season-strings.json')) as Expected[];

  it.each(rows)('reads $in', (row) => {
    const reading = read({ kind: row.kind ?? 'runway', brandNames: row.brand ?? [], [row.where ?? 'title']: row.in });
    expect(facts(reading)).toEqual(factsExpected(row));
  });

  it('reads the season field as it reads the title', () => {
    for (const row of rows.filter(({ where }) => where === undefined)) {
      const input = { kind: row.kind ?? 'runway', brandNames: row.brand ?? [] };
      expect({ in: row.in, ...facts(read({ ...input, season: row.in })) }).toEqual({
        in: row.in,
        ...factsExpected(row),
      });
    }
  });
});

describe('a season out of several sources', () => {
  it('prefers hint, then path, then season, then title, and says which one named the category', () => {
    const input = {
      url: 'https://example.org/fall-2024-menswear/acme',
      season: 'Fall 2024 Couture',
      title: 'Acme Fall 2024 Bridal',
      hints: { category: 'coed' },
    };
    expect(read(input)).toMatchObject({ category: 'coed', categorySource: 'hint' });
    expect(read({ ...input, hints: {} })).toMatchObject({ category: 'menswear', categorySource: 'url' });
    expect(read({ ...input, hints: {}, url: undefined })).toMatchObject({
      category: 'couture',
      categorySource: 'season',
    });
    expect(read({ title: input.title })).toMatchObject({ category: 'bridal', categorySource: 'title' });
    expect(read({ title: 'Acme Fall 2024' })).toMatchObject({ category: 'rtw', categorySource: 'default' });
    expect(read({ title: 'Acme Fall 2024 RTW' })).toMatchObject({ category: 'rtw', categorySource: 'title' });
  });

  it('fills from a later source what an earlier one does not say', () => {
    expect(
      read({ url: 'https://example.org/fall-2024/acme', season: 'Fall 2024 Menswear', title: 'Acme in Paris' }),
    ).toMatchObject({ year: 2024, term: 'fall', category: 'menswear', market: 'paris' });
  });

  it('takes year and term from one source rather than a mixture of two', () => {
    expect(read({ url: 'https://example.org/fall-winter/acme', season: 'Spring 2025' })).toMatchObject({
      year: 2025,
      term: 'spring',
    });
  });

  it('puts a season together from two sources when no one has it whole', () => {
    expect(read({ season: 'Resort', title: 'Acme 2016/17' })).toMatchObject({ year: 2017, term: 'resort' });
  });

  it('does not take the day of publishing for the season of the show', () => {
    const url = 'https://example.org/2024/03/04/acme-fall-show';
    expect(read({ url, season: 'Fall 2023' })).toMatchObject({ year: 2023, term: 'fall' });
    expect(read({ url, season: 'Fall' })).toMatchObject({ year: null, term: 'fall' });
    expect(read({ url: 'https://example.org/2024/03/04/acme', season: 'Fall 2023' })).toMatchObject({ year: 2023 });
  });

  it('takes the brand out of the path as well, by name or by slug', () => {
    const url = 'https://example.org/collections/paris-couture-resort/fall-2024';
    expect(read({ url, brandNames: ['Paris Couture Resort'] })).toMatchObject({
      year: 2024,
      term: 'fall',
      categorySource: 'default',
      market: null,
    });
  });

  it('reads a publication whose path is street style as street style, whatever shows it stood outside of', () => {
    const url = 'https://example.org/street-style/fall-2026-menswear';
    expect(read({ url })).toMatchObject({ category: 'street_style', categorySource: 'url', term: 'fall', year: 2026 });
  });
});

describe('hints', () => {
  it('win over every text', () => {
    const reading = read({
      url: 'https://example.org/fall-2024-menswear/acme',
      season: 'Paris Fall 2024 Menswear',
      hints: { year: 2025, term: 'resort', category: 'couture', market: 'milan' },
    });
    expect(reading).toEqual({
      year: 2025,
      term: 'resort',
      category: 'couture',
      categorySource: 'hint',
      market: 'milan',
      warnings: [],
    });
  });

  it('may come as labels, words and aliases of either language', () => {
    expect(read({ hints: { year: '2025', term: '早秋', category: '高级定制', market: 'São Paolo' } })).toMatchObject({
      year: 2025,
      term: 'pre_fall',
      category: 'couture',
      market: 'sao-paulo',
      warnings: [],
    });
    expect(read({ hints: { term: 'Fall/Winter', category: 'Co-ed', market: '墨西哥城' } })).toMatchObject({
      term: 'fall',
      category: 'coed',
      market: 'mexico-city',
    });
  });

  it('that cannot be used are ignored with a warning that names the field and the value', () => {
    const reading = read({
      season: 'Paris Fall 2024 Menswear',
      hints: { year: 1912, term: 'Spring and Fall', category: ['couture'], market: 'Atlantis' },
    });
    expect(reading).toMatchObject({ year: 2024, term: 'fall', category: 'menswear', market: 'paris' });
    expect(reading.warnings.map(({ field }) => field)).toEqual(['year', 'term', 'category', 'market']);
    expect(reading.warnings[0]?.detail).toContain('1912');
    expect(reading.warnings[3]?.detail).toContain('Atlantis');
  });

  it('that are empty or say that there is no market are not given', () => {
    const hints = { year: null, term: '', category: undefined, market: 'None' };
    expect(read({ season: 'Tokyo Fall 2024', hints })).toMatchObject({ market: 'tokyo', warnings: [] });
    expect(read({ season: 'Fall 2024', hints: { market: 'all' } })).toMatchObject({ market: null, warnings: [] });
  });

  it('of a runway category are refused for a street gallery', () => {
    const reading = read({ kind: 'street', title: 'Paris', hints: { category: 'menswear' } });
    expect(reading).toMatchObject({ category: 'street_style', categorySource: 'default' });
    expect(reading.warnings).toHaveLength(1);
  });

  it('decide which of two years a text means, and which of two texts is meant', () => {
    expect(read({ season: '2016/17', hints: { term: 'pre_fall' } })).toMatchObject({ year: 2017 });
    expect(read({ season: '2016/17', hints: { term: 'fall' } })).toMatchObject({ year: 2016 });
    expect(read({ season: 'Fall 2024', title: 'Resort 2026', hints: { term: 'resort' } })).toMatchObject({
      year: 2026,
    });
    expect(read({ season: 'Fall 2024', title: 'Resort 2026', hints: { year: 2026 } })).toMatchObject({
      term: 'resort',
    });
  });

  it('keep a warning short and free of what cannot be stored', () => {
    const reading = read({ season: 'Fall 2024', hints: { market: `\u0000\ud800${'x'.repeat(5000)}` } });
    expect(reading.warnings[0]?.detail.length).toBeLessThan(120);
    expect(reading.warnings[0]?.detail).not.toMatch(/[\p{Surrogate}\p{Control}]/u);
  });
});

const shared = '../../../shared/data';
const isShared = existsSync(fileURLToPath(new URL(shared, import.meta.url).href));
const describeShared = isShared ? describe : describe.skip;

describeShared(`the measured crawl${isShared ? '' : ' (skipped: its data is not beside the project)'}`, () => {
  it('is read right, string by string, as season and as title', () => {
    for (const row of JSON.parse(load(`${shared}/season-strings.json`)) as Expected[]) {
      for (const field of ['season', 'title'] as const) {
        expect({ in: row.in, ...facts(read({ [field]: row.in })) }).toEqual({ in: row.in, ...factsExpected(row) });
      }
    }
  });

  it('keeps all season slugs apart', () => {
    const slugs = load(`${shared}/season-slugs.txt`).split('\n').filter(Boolean);
    const asTexts = slugs.map((season) => read({ season }));
    const asPaths = slugs.map((slug) => read({ url: `https://example.org/fashion-shows/${slug}/acme` }));
    for (const readings of [asTexts, asPaths]) {
      expect(readings.filter(({ year, term }) => year === null || term === null)).toEqual([]);
      expect(new Set(readings.map(keyOf)).size).toBe(slugs.length);
    }
    expect(asPaths.map(keyOf)).toEqual(asTexts.map(keyOf));
  });

  it('gives a season to every payload, and no two shows of a brand the same key', () => {
    const lines = load(`${shared}/runway-shows.jsonl`).split('\n').filter(Boolean);
    const keys = lines.map((line) => {
      const { data } = JSON.parse(line) as {
        data: { brand: string; season: string; title: string; source: { url: string } };
      };
      const input = { brandNames: [data.brand], season: data.season, title: data.title, url: data.source.url };
      const reading = read(input);
      expect(reading.year).not.toBeNull();
      expect(reading.term).not.toBeNull();
      // Each of the three sources alone says the same.
      for (const only of ['season', 'title', 'url'] as const) {
        expect(keyOf(read({ brandNames: [data.brand], [only]: input[only] }))).toBe(keyOf(reading));
      }
      return `${data.brand}|${keyOf(reading)}`;
    });
    expect(new Set(keys).size).toBe(lines.length);
  });
});
