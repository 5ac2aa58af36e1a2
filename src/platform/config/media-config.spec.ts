import { describe, expect, it } from '@jest/globals';
import { readMediaConfig } from './media-config.js';
import { ConfigError } from './settings-reader.js';

const WHOLE = {
  S4_ENDPOINT: 'https://s4.example.org',
  S4_BUCKET: 'pictures',
  S4_ACCESS_KEY_ID: 'AKEXAMPLE',
  S4_SECRET_ACCESS_KEY: 'its+secret/=',
};

function problems(env: Record<string, string>): readonly string[] {
  try {
    readMediaConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("the S4 store's settings", () => {
  it('are none by default, and need no database', () => {
    expect(readMediaConfig({}).s4).toBeUndefined();
    expect(readMediaConfig({ S4_ENDPOINT: '  ', S4_REGION: '' }).s4).toBeUndefined();
  });

  it('are four, and the rest has defaults', () => {
    expect(readMediaConfig(WHOLE).s4).toEqual({
      endpoint: 'https://s4.example.org',
      bucket: 'pictures',
      accessKeyId: 'AKEXAMPLE',
      secretAccessKey: 'its+secret/=',
      region: 'us-east-1',
      prefix: '',
      publicBaseUrl: undefined,
      connectTimeoutMs: 5000,
      requestTimeoutMs: 60000,
    });
  });

  it('are needed all when one of them is set, and those that are missing are named at once', () => {
    const says = 'is needed when S4_BUCKET is set; with none of the S4 settings pictures are kept as files';
    expect(problems({ S4_BUCKET: 'pictures' })).toEqual([
      `S4_ENDPOINT ${says}`,
      `S4_ACCESS_KEY_ID ${says}`,
      `S4_SECRET_ACCESS_KEY ${says}`,
    ]);
    expect(problems({ S4_PUBLIC_BASE_URL: 'https://pictures.example.org' })).toHaveLength(4);
  });

  it.each([
    ['S4_ENDPOINT', 's4.example.org'],
    ['S4_ENDPOINT', 's3://bucket'],
    ['S4_ENDPOINT', 'https://AKEXAMPLE:secret@s4.example.org'],
    ['S4_ENDPOINT', 'https://s4.example.org/?bucket=x'],
    ['S4_BUCKET', 'https://s4.example.org/pictures'],
    ['S4_BUCKET', 'pictures/archive'],
    ['S4_ACCESS_KEY_ID', 'two words'],
    ['S4_SECRET_ACCESS_KEY', 'ключ'],
    ['S4_REGION', 'Europe!'],
    ['S4_PREFIX', '../up'],
    ['S4_PREFIX', '/abs'],
    ['S4_PREFIX', 'a//b'],
    ['S4_PREFIX', 'a/./b'],
    ['S4_PREFIX', 'a b'],
    ['S4_PUBLIC_BASE_URL', 'pictures.example.org'],
  ])('refuse %s=%s, and do not repeat it', (name, value) => {
    const [problem, ...more] = problems({ ...WHOLE, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must be `));
    expect(problem).not.toContain(value);
    expect(more).toEqual([]);
  });

  it.each([
    ['archive', 'archive/'],
    ['archive/2026/', 'archive/2026/'],
    ['a.b_c-d', 'a.b_c-d/'],
  ])('put the prefix %j before each key as %j', (given, prefix) => {
    expect(readMediaConfig({ ...WHOLE, S4_PREFIX: given }).s4?.prefix).toBe(prefix);
  });

  it('take addresses without the slash at their end', () => {
    const given = { ...WHOLE, S4_ENDPOINT: 'http://[::1]:9000/', S4_PUBLIC_BASE_URL: 'https://cdn.example.org/p//' };
    expect(readMediaConfig(given).s4).toMatchObject({
      endpoint: 'http://[::1]:9000',
      publicBaseUrl: 'https://cdn.example.org/p',
    });
  });
});
