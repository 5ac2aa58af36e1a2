import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DOOR_PROBLEMS, remedyOf } from '../src/ingest/docs/door-problems.js';

const PAGE = readFileSync(new URL('../docs/crawler.md', import.meta.url), 'utf8');

describe("the crawler's page", () => {
  it('says of every code of the door whether to retry or to fix', () => {
    const rows = [...PAGE.matchAll(/^\| `([a-z0-9-]+)` +\| (\d{3}) +\| (retry|fix)\b/gm)];
    const said = rows.map(([, code, status, remedy]) => `${code} ${status} ${remedy}`);
    const known = DOOR_PROBLEMS.map(({ code, status }) => `${code} ${status} ${remedyOf(status)}`);
    expect(said.sort()).toEqual(known.sort());
  });
});
