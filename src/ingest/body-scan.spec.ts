import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../lib/app-error.js';
import { hasUnstorable } from '../lib/text.js';
import { MAX_DEPTH, MAX_VALUES, scanBody } from './body-scan.js';
import { decodeBody, parseBody } from './body.js';

function refusalOf(text: string): AppError {
  try {
    parseBody(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 100)} was taken`);
}

/** A text that counts how much of it is looked at: characters that are asked for, and those of parts that are cut out. */
class WatchedText extends String {
  work = 0;

  override charCodeAt(index: number): number {
    this.work++;
    return super.charCodeAt(index);
  }

  override slice(start?: number, end?: number): string {
    const part = super.slice(start, end);
    this.work += part.length;
    return part;
  }
}

/** Counted and not timed: a busy machine makes everything slow, and a quadratic scan is still quick on what is short. */
function workOf(text: string): number {
  const watched = new WatchedText(text);
  try {
    scanBody(watched as unknown as string);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
  }
  return watched.work;
}

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

/** Whether the contract allows the value: no number that loses digits, no key that reaches for a prototype, not too deep. */
function isWithinLimits(value: unknown, depth = 1): boolean {
  if (typeof value === 'string') return !hasUnstorable(value);
  if (typeof value === 'number') {
    return !Number.isInteger(value) || Number.isSafeInteger(value) || String(value).includes('e');
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([key, member]) => key !== '__proto__' && isWithinLimits(key) && isWithinLimits(member, depth + 1),
  );
}

describe('parseBody', () => {
  it('gives of every JSON within the limits what JSON.parse gives', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 8, stringUnit: 'binary' }),
        fc.constantFrom(undefined, 1, '\t'),
        (json, indent) => {
          const value: unknown = JSON.parse(json);
          fc.pre(isWithinLimits(value));
          const text = JSON.stringify(value, undefined, indent);
          expect(parseBody(text)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('answers every text with a value or with a refusal of the contract', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u',
      '0',
      '-',
      '1e9',
      'true',
      'é',
      '\0',
      ' ',
      '"a":',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        try {
          parseBody(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).status).toBe(422);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes 32 levels, and refuses 33 as it refuses 100,000', () => {
    expect(parseBody(nested('[', ']', 32))).toBeDefined();
    for (const depth of [33, 2_500, 8_000, 100_000]) {
      expect(refusalOf(nested('[', ']', depth)).code).toBe('body-too-complex');
      expect(refusalOf(nested('{"a":', '}', depth)).code).toBe('body-too-complex');
      expect(refusalOf('['.repeat(depth)).code).toBe('body-too-complex');
    }
  });

  it('takes 20,000 values and refuses one more', () => {
    const list = (length: number): string => `[${Array(length).fill('1').join(',')}]`;
    expect(parseBody(list(MAX_VALUES - 1))).toHaveLength(MAX_VALUES - 1);
    expect(refusalOf(list(MAX_VALUES)).code).toBe('body-too-complex');
    expect(refusalOf(`[${Array(MAX_VALUES).fill('null').join(',')}]`).code).toBe('body-too-complex');
    expect(refusalOf(`[${Array(MAX_VALUES).fill('"a"').join(',')}]`).code).toBe('body-too-complex');
    expect(refusalOf(`[${Array(MAX_VALUES).fill('{}').join(',')}]`).code).toBe('body-too-complex');
  });

  it.each([
    ['twice', '{"a":1,"a":2}', '/a'],
    ['in two spellings', '{"a":1,"\\u0061":2}', '/a'],
    ['deep inside', '{"data":{"images":[{},{"url":"x" , "url" :"y"}]}}', '/data/images/1/url'],
    ['with characters that a pointer escapes', '{"a/b~":1,"a/b~":2}', '/a~1b~0'],
  ])('refuses a key that is there %s, and says where', (_, text, pointer) => {
    const refusal = refusalOf(text);
    expect(refusal.code).toBe('body-forbidden-key');
    expect(refusal.errors[0]?.pointer).toBe(pointer);
  });

  it('takes the same key in two objects, and a value that equals a key', () => {
    expect(parseBody('{"a":"a","b":{"a":1},"c":[{"a":1},{"a":2}]}')).toBeDefined();
  });

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{}}}',
  ])('refuses %s for its key', (text) => {
    expect(refusalOf(text).code).toBe('body-forbidden-key');
  });

  it.each([
    ['NUL, escaped', '{"data":{"title":"a\\u0000b"}}', '/data/title'],
    ['NUL in a key', '{"data":{"a\\u0000":1}}', '/data'],
    ['a high surrogate alone', '{"data":{"title":"\\ud83d"}}', '/data/title'],
    ['a high surrogate before a letter', '["x","\\uD83Dx"]', '/1'],
    ['a high surrogate before another escape', '["\\ud83d\\n"]', '/0'],
    ['a low surrogate alone', '["\\udc4d"]', '/0'],
    ['a pair the wrong way round', '["\\udc4d\\ud83d"]', '/0'],
    ['two high surrogates', '["\\ud83d\\ud83d\\udc4d"]', '/0'],
    ['1e999', '{"data":{"year":1e999}}', '/data/year'],
    ['-1e999', '[-1e999]', '/0'],
    ['17 digits', '{"data":{"brand_id":12345678901234567}}', '/data/brand_id'],
    ['17 digits below zero', '[0, -12345678901234567]', '/1'],
    ['17 digits and a fraction of nothing', '[12345678901234567.0]', '/0'],
    ['400 digits', `[${'9'.repeat(400)}]`, '/0'],
  ])('refuses %s, and says where', (_, text, pointer) => {
    const refusal = refusalOf(text);
    expect(refusal.code).toBe('schema-invalid');
    expect(refusal.errors[0]?.pointer).toBe(pointer);
  });

  it('takes what only looks like those', () => {
    expect(
      parseBody('["\\ud83d\\udc4d","\\\\u0000","\\\\ud83d","👍",1.0,1e2,9007199254740991,-9007199254740991,0.1]'),
    ).toEqual(['👍', '\\u0000', '\\ud83d', '👍', 1, 100, 9007199254740991, -9007199254740991, 0.1]);
  });

  it.each(['', ' ', 'null x', '{', '{"a"}', "{'a':1}", '[1,]', '"', '"\n"', 'NaN', '\uFEFF{}', '01', '+1'])(
    'refuses %j as no JSON',
    (text) => {
      expect(refusalOf(text).code).toBe('body-not-json');
    },
  );

  it('looks at each character a few times at most, whatever the text', () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u00',
      ' ',
      '\t',
      '"a"',
      '"a" :',
      '1',
      'e',
      '\0',
      'é',
    );
    const runs = fc.tuple(parts, fc.integer({ min: 1, max: 200 })).map(([part, times]) => part.repeat(times));
    fc.assert(
      fc.property(fc.array(runs, { maxLength: 30 }), fc.boolean(), (some, isWrapped) => {
        const text = isWrapped ? `{"data":[${some.join('')}]}` : some.join('');
        expect(workOf(text)).toBeLessThanOrEqual(4 * text.length + 16);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['spaces', ' '.repeat(200_000)],
    ['backslashes in a text', `"${'\\'.repeat(200_000)}`],
    ['keys without values', `{${'"a" '.repeat(50_000)}`],
    ['keys that are never closed', `{"a":${'{"a":'.repeat(30)}${'"b":'.repeat(50_000)}`],
    ['texts and spaces in turn', `[${`"a"${' '.repeat(99)},`.repeat(2_000)}`],
    ['a long key again and again', `{"${'k'.repeat(100_000)}":1,"${'k'.repeat(100_000)}":2}`],
    ['commas', `[${','.repeat(200_000)}]`],
    ['escapes', `["${'\\u0041'.repeat(30_000)}"]`],
  ])('looks at each character a few times at most, were it a long row of %s', (_, text) => {
    expect(workOf(text)).toBeLessThanOrEqual(4 * text.length + 16);
    // Some are refused half-way; the others are gone through whole.
    expect(workOf(text)).toBeGreaterThan(0);
  });

  it('goes through a megabyte of anything in well under a second', () => {
    const megabyte = 1_048_576;
    for (const text of [
      ' '.repeat(megabyte),
      '\\'.repeat(megabyte),
      `"${'\\\\'.repeat(megabyte / 2)}"`,
      `"${'\\u0041'.repeat(megabyte / 6)}"`,
      '1'.repeat(megabyte),
      `{"${'a'.repeat(megabyte)}":1,"b":"${'"'.repeat(10)}`,
      ':'.repeat(megabyte),
      'a'.repeat(megabyte),
      ']'.repeat(megabyte),
      `{${'"a" '.repeat(megabyte / 4)}`,
    ]) {
      const start = performance.now();
      try {
        parseBody(text);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
      expect(performance.now() - start).toBeLessThan(800);
    }
  });
});

describe('decodeBody', () => {
  it('keeps the text and takes one byte-order mark off', () => {
    expect(decodeBody(Buffer.from('{"a":"É é 秀场 👠"}'))).toBe('{"a":"É é 秀场 👠"}');
    expect(decodeBody(Buffer.from('\uFEFF{}'))).toBe('{}');
    expect(decodeBody(Buffer.from('\uFEFF\uFEFF{}'))).toBe('\uFEFF{}');
  });

  it.each([
    ['a byte of latin-1', [0x22, 0xe9, 0x22]],
    ['a sequence that was cut', [0x22, 0xe7, 0xa7, 0x22]],
    ['an overlong spelling', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeBody(Buffer.from(bytes))).toThrow(expect.objectContaining({ code: 'body-not-utf8' }));
  });
});
