import { describe, expect, it } from '@jest/globals';
import { parseBrandLine } from './brand-line.js';

const line = (value: unknown) => parseBrandLine(JSON.stringify(value));

describe('a line of an import file', () => {
  it('gives the brand, and its names and slug as aliases', () => {
    expect(line({ id: 7, name: ' H&M Studio ', name_zh: '海恩斯', slug: 'hm', aliases: ['H&M', ' '] })).toEqual({
      id: '7',
      hashid: undefined,
      name: 'H&M Studio',
      nameZh: '海恩斯',
      slug: 'hm',
      slugIsGiven: true,
      aliases: [
        { alias: 'H&M Studio', aliasKey: 'hmstudio', source: 'name' },
        { alias: '海恩斯', aliasKey: '海恩斯', source: 'name_zh' },
        { alias: 'hm', aliasKey: 'hm', source: 'slug' },
        { alias: 'H&M', aliasKey: 'hm', source: 'alias' },
      ],
    });
  });

  it('needs no more than a name, out of which the slug is made', () => {
    expect(line({ name: '(DI)VISION', id: null, aliases: null, other: true })).toMatchObject({
      id: undefined,
      slug: 'di-vision',
      slugIsGiven: false,
    });
  });

  it('keeps an id that is too large for a number when it is written as a string', () => {
    expect(line({ id: '9223372036854775807', name: 'X' }).id).toBe('9223372036854775807');
  });

  it.each([
    ['{"name": "Gu', 'is not JSON'],
    ['["Gucci"]', 'not a JSON object'],
    ['{"name":"Caf\uFFFD"}', 'not UTF-8'],
    ['{"id":1}', '"name" is missing'],
    ['{"name":"  "}', '"name" is missing'],
    ['{"name":5}', '"name" is not a text'],
    ['{"name":"???"}', 'no letter and no digit'],
    ['{"name":"A","aliases":["?"]}', 'no letter and no digit'],
    ['{"name":"A","aliases":"B"}', '"aliases" is not a list'],
    ['{"name":"A","aliases":[1]}', '"aliases" is not a text'],
    ['{"name":"A\\u0000"}', 'no database can store'],
    [`{"name":"${'x'.repeat(201)}"}`, 'longer than 200'],
    ['{"name":"A","slug":"a b"}', '"slug" must not hold'],
    ['{"name":"A","id":0}', 'stands for "no brand"'],
    ['{"name":"A","id":"0"}', 'stands for "no brand"'],
    ['{"name":"A","id":-1}', 'not a whole number above 0'],
    ['{"name":"A","id":1.5}', 'not a whole number above 0'],
    ['{"name":"A","id":"9223372036854775808"}', 'not a whole number above 0'],
    ['{"name":"A","id":9007199254740993}', 'write it as a string'],
  ])('%s is refused: %s', (text, problem) => {
    expect(() => parseBrandLine(text)).toThrow(problem);
  });
});
