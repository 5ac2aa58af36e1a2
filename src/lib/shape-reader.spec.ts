import { describe, expect, it } from '@jest/globals';
import { ShapeReader } from './shape-reader.js';

const of = (value: unknown): ShapeReader => ShapeReader.of(value, '/data');

describe('text', () => {
  it('is trimmed, and absent when blank, null or not there', () => {
    const read = of({ a: '  b ', blank: ' ', nothing: null });
    expect(['a', 'blank', 'nothing', 'absent'].map((name) => read.text(name, { max: 9 }))).toEqual([
      'b',
      undefined,
      undefined,
      undefined,
    ]);
    expect(read.problems).toEqual([]);
  });

  it('is refused when too long, or cut with a warning where it only describes', () => {
    const read = of({ id: 'x'.repeat(11), caption: 'x'.repeat(9) + '👠' });
    expect(read.text('id', { max: 10 })).toBeUndefined();
    expect(read.text('caption', { max: 10, cut: true })).toBe('x'.repeat(9));
    expect(read.problems).toEqual([{ pointer: '/data/id', detail: 'must have at most 10 characters, and has 11' }]);
    expect(read.warnings).toEqual(['/data/caption: cut to 10 characters']);
  });

  it('is nothing else', () => {
    const read = of({ a: 1, b: [], c: true });
    for (const name of ['a', 'b', 'c']) expect(read.text(name, { max: 10 })).toBeUndefined();
    expect(read.problems).toHaveLength(3);
  });
});

describe('numbers, choices and days', () => {
  it('are taken within their bounds', () => {
    const read = of({ one: 1, ten: 10, kind: 'look', day: '2026-02-28' });
    expect(read.integer('one', 1, 10)).toBe(1);
    expect(read.integer('ten', 1, 10)).toBe(10);
    expect(read.choice('kind', ['look', 'detail'])).toBe('look');
    expect(read.day('day', 2026, 2026)).toBe('2026-02-28');
    expect(read.problems).toEqual([]);
  });

  it('are refused out of them', () => {
    const read = of({ zero: 0, eleven: 11, half: 1.5, text: '5', kind: 'Look', day: '2026-02-29' });
    for (const name of ['zero', 'eleven', 'half', 'text']) expect(read.integer(name, 1, 10)).toBeUndefined();
    expect(read.choice('kind', ['look', 'detail'])).toBeUndefined();
    expect(read.day('day', 2026, 2026)).toBeUndefined();
    expect(read.problems.map(({ pointer }) => pointer)).toEqual(
      ['zero', 'eleven', 'half', 'text', 'kind', 'day'].map((name) => `/data/${name}`),
    );
  });
});

describe('lists and inner objects', () => {
  it('point at the entry that is wrong, and give the others', () => {
    const read = of({ list: ['a', 1, 'b'], inner: { deep: 7 } });
    const list = read.list('list', 0, 5, (entry, name) =>
      typeof entry === 'string' ? entry : read.complain(name, 'must be a text'),
    );
    read.object('inner')?.text('deep', { max: 5 });
    expect(list).toEqual(['a', 'b']);
    expect(read.problems.map(({ pointer }) => pointer)).toEqual(['/data/list/1', '/data/inner/deep']);
  });

  it('are absent without a word only where they need not be there', () => {
    const read = of({});
    expect(read.list('list', 0, 5, () => 1)).toEqual([]);
    expect(read.object('inner')).toBeUndefined();
    expect(read.problems).toEqual([]);
    read.list('list', 1, 5, () => 1);
    expect(read.problems).toEqual([{ pointer: '/data/list', detail: 'must be a list of 1 to 5 entries' }]);
  });
});

describe('what nobody asked for', () => {
  it('is named, with inner objects’ own', () => {
    const read = of({ known: 1, 'un/known~': 2, inner: { odd: 3 } });
    read.raw('known');
    read.object('inner')?.warnOfUnknown();
    read.warnOfUnknown();
    expect(read.warnings).toEqual([
      '/data/inner/odd: unknown field, ignored',
      '/data/un~1known~0: unknown field, ignored',
    ]);
  });

  it.each([
    ['SEASON', 'season'],
    ['brandHashid', 'brand_hashid'],
    ['Brand-Hashid', 'brand_hashid'],
  ])('is not read in the place of what it resembles: %s, and the warning names %s', (sent, known) => {
    const read = of({ [sent]: 'x' });
    expect([read.text('season', { max: 9 }), read.text('brand_hashid', { max: 9 })]).toEqual([undefined, undefined]);
    read.warnOfUnknown();
    expect(read.warnings).toEqual([`/data/${sent}: unknown field, ignored; is "${known}" meant?`]);
  });

  it('is named up to twenty times, however much there is', () => {
    const read = of(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`odd ${n}`, n])));
    read.raw('known');
    read.warnOfUnknown();
    expect(read.warnings).toHaveLength(20);
  });
});
