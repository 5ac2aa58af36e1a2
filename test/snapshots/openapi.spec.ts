import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { DOOR_PROBLEMS, remedyOf } from '../../src/ingest/docs/door-problems.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { expectSnapshot } from '../harness/snapshot.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

let app: TestApp;
let text: string;

beforeAll(async () => {
  app = await startTestApp();
  text = await (await fetch(`${app.url}/docs/openapi.json`)).text();
});

afterAll(() => app.close());

describe('openapi.json', () => {
  it('is the document that the application serves', async () => {
    await expectSnapshot(new URL('./openapi.json', import.meta.url), text);
  });

  it('has nothing that a public linter complains about, examples included', async () => {
    const problems = await lint(text);
    expect(problems).toEqual([]);
  });

  it('is really linted: a wrong example, a lost reference and a doubled id are found', async () => {
    for (const [from, to] of [
      ['"expected_images": 3', '"expected_images": "three"'],
      ['#/components/schemas/Picture"', '#/components/schemas/Nothing"'],
      ['"askKnown"', '"askStatus"'],
    ] as const) {
      expect(text).toContain(from);
      expect(await lint(text.replace(from, to))).not.toEqual([]);
    }
  });

  it('describes every type that the application takes', () => {
    const { paths, components } = JSON.parse(text) as {
      paths: Record<string, unknown>;
      components: { schemas: Record<string, unknown> };
    };
    expect(Object.keys(paths)).toEqual(['/ingest', '/ingest/status', '/ingest/known', '/ingest/brands']);
    for (const type of ['runway.show', 'street.gallery', 'job.status', 'show.known', 'brand.list']) {
      expect(components.schemas[type]).toBeDefined();
    }
    expect(text).not.toContain('does not describe it');
  });
});

describe('the problems', () => {
  it('are those that the sources throw at the door, with the same status, and no other', () => {
    const listed = DOOR_PROBLEMS.map(({ code, status }) => `${status} ${code}`).sort();
    expect(new Set(listed).size).toBe(listed.length);
    expect(thrownAtTheDoor()).toEqual(listed);
  });

  it('say whether to retry or to fix, each in words', async () => {
    const page = await (await fetch(`${app.url}/docs`)).text();
    for (const { code, status } of DOOR_PROBLEMS) {
      const remedy = remedyOf(status);
      expect(text).toMatch(new RegExp(`"${code}": \\{\\s+"summary": "${remedy}: [A-Z][^"]+\\."`));
      expect(page).toMatch(new RegExp(`<code>${code}</code>[^]*?<td>${status}</td>\\s*<td class="${remedy}">`));
    }
  });

  it.each([
    [408, 'retry'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [400, 'fix'],
    [401, 'fix'],
    [413, 'fix'],
    [422, 'fix'],
  ])('of status %i mean %s', (status, remedy) => {
    expect(remedyOf(status)).toBe(remedy);
  });
});

/** What the public linter says by its recommended rules. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'error' } });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

/** Rooms and files that a signed message or question passes through; what they throw reaches the crawler. */
const DOOR = [
  /^src\/ingest\/(?!crawlers\.|unknown-brand|docs\/|secret-box)/,
  /^src\/platform\/http\//,
  /^src\/lib\/shape-reader\./,
  /^src\/brands\/(?:brand-resolution|brand-list)\./,
  /^src\/galleries\/(?:crawl-payload|asked-show|show(?!-changes)|known-shows|runway|street)[.-]/,
];

/** "422 brand-unknown" of everything thrown at the door, as the sources write it. */
function thrownAtTheDoor(): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && DOOR.some((place) => place.test(name)));
  const found = files.flatMap((name) => {
    const source = readFileSync(join(root, name), 'utf8');
    const thrown = [...source.matchAll(/new AppError\(\s*'([a-z0-9-]+)'[^]*?\bstatus: (\d{3})\b/g)];
    const byStatus = [...source.matchAll(/^ {2}(\d{3}): '([a-z-]+)',$/gm)];
    return [
      ...thrown.map(([, code = '', status = '']) => `${status} ${code}`),
      ...byStatus.map(([, status = '', code = '']) => `${status} ${code}`),
    ];
  });
  return [...new Set(found)].filter((problem) => !NOT_OF_THE_DOOR.has(problem)).sort();
}

/** Of the admin's side, which shares the HTTP layer; and of commands. */
const NOT_OF_THE_DOOR = new Set(['401 unauthenticated', '403 forbidden', '422 secret-malformed']);
