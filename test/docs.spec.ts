import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ext: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ext))
    .map((name) => join(folder, name));

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...filesIn('docs', '.md'),
  ...filesIn('examples', '.md'),
];
const SOURCES = filesIn('src', '.ts').filter((path) => !path.endsWith('.spec.ts'));

/** As GitHub names a heading. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Every stable code that the sources can answer with, by how they say it. */
function codesInSources(): string[] {
  const forms = [
    /new (?:AppError|StoreError|PictureError)\(\s*'([a-z0-9_-]+)'/g,
    /JobError\.(?:permanent|transient|snooze)\(\s*'([a-z0-9_]+)'/g,
    /\brefused\('([a-z_]+)'/g,
    /^ {2}\d{3}: '([a-z-]+)',$/gm,
    /error_code = '([a-z_]+)'/g,
    /locked_by, '(?:lost|released)', '([a-z_]+)'/g,
  ];
  const found = SOURCES.map(read).flatMap((text) =>
    forms.flatMap((form) => [...text.matchAll(form)].map(([, code]) => code ?? '')),
  );
  return [...new Set(found)].filter((code) => !/^http_\d+$/.test(code)).sort();
}

describe('the documents', () => {
  it.each(DOCUMENTS)('%s has links that lead somewhere', (path) => {
    const text = read(path);
    const broken = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, file = '', anchor]) => {
      const target = file === '' ? path : relative(root, resolve(root, dirname(path), file));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names commands that there are', (path) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(path).matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('operations.md explains every code that the sources can answer with', () => {
    const explained = read('docs/operations.md');
    const codes = codesInSources();
    expect(codes.length).toBeGreaterThan(60);
    expect(codes.filter((code) => !explained.includes(`\`${code}\``))).toEqual([]);
  });

  it('the list of decisions is whole', () => {
    const pages = filesIn('docs/adr', '.md').filter((path) => /\/\d{4}-/.test(path));
    const listed = read('docs/adr/README.md');
    expect(pages.filter((path) => !listed.includes(`(${path.split('/').at(-1)})`))).toEqual([]);
  });
});
