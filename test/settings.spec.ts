import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '../src/platform/config/config.js';
import { readConfig } from '../src/platform/config/read-config.js';
import type { Environment } from '../src/platform/config/settings-reader.js';

const PROVIDED = {
  databaseUrl: 'postgresql://127.0.0.1/runway',
  hashidSalt: 'salt',
  secretsKey: Buffer.alloc(32).toString('base64'),
  adminToken: 'x'.repeat(32),
  devCrawlerSecret: undefined,
};
/** Some settings are read only when others are there. */
const BUCKET = { S4_ENDPOINT: 'http://s4', S4_BUCKET: 'b', S4_ACCESS_KEY_ID: 'k', S4_SECRET_ACCESS_KEY: 's' };

/** Rows of the README's settings table: what is between the backticks of the default, if there is a plain value. */
function documented(): Map<string, string | undefined> {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('## Settings'), text.indexOf('## Where things are'));
  const rows = [...table.matchAll(/^\| `([A-Z0-9_]+)` *\| ([^|]*?) *\|/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, /^`([^`]+)`$/.exec(value)?.[1]]));
}

function namesRead(): string[] {
  const names = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>(BUCKET, {
    get: (target, name) => {
      names.add(String(name));
      return target[String(name)];
    },
  });
  readConfig(env, PROVIDED);
  return [...names].sort();
}

describe('the settings table of the README', () => {
  const settings = documented();

  it('names every setting that is read, and no other', () => {
    expect([...settings.keys()].sort()).toEqual(namesRead());
  });

  it.each([...settings].filter(([, value]) => value !== undefined))('says the true default of %s', (name, value) => {
    const read = (env: Environment): Config => readConfig({ ...BUCKET, ...env }, PROVIDED);
    expect(read({ [name]: value })).toEqual(read({}));
  });
});
