import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { AppError } from '../lib/app-error.js';
import { messageOf } from '../lib/text.js';
import type { BrandCatalogue, PutBrand } from './brand-catalogue.service.js';
import { type BrandEntry, BrandEntryError, brandEntryOf, parseBrandLine } from './brand-line.js';
import { brandTable, type ListedBrand } from './brand-table.js';
import { BRAND_STATUSES } from './brand.entity.js';
import type { BrandsService } from './brands.service.js';

export interface BrandsCommandServices {
  brands: BrandsService;
  catalogue: BrandCatalogue;
}

/** Where a command writes: what it was asked for, and what it has to say about it. */
export interface CommandOutput {
  print(line: string): void;
  remark(line: string): void;
}

export const BRANDS_USAGE = `Usage:
  npm run brands -- import FILE.jsonl     one brand a line: {"name", "id"?, "hashid"?, "name_zh"?, "slug"?, "aliases"?}
  npm run brands -- list [--search TEXT] [--json]
  npm run brands -- add NAME [--zh NAME] [--slug SLUG] [--alias NAME]... [--id N]`;

const LIST_PAGE = 500;
const PROGRESS_EVERY = 1_000;

/** `npm run brands`. @returns the exit code: 0 done, 1 some of it could not be done, 2 not understood */
export async function runBrandsCommand(
  args: readonly string[],
  services: BrandsCommandServices,
  out: CommandOutput,
): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'import') return await importFile(rest, services, out);
    if (command === 'list') return await list(rest, services, out);
    if (command === 'add') return await add(rest, services, out);
  } catch (error) {
    const isUsage = String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof BrandEntryError) && !(error instanceof AppError)) throw error;
    out.remark(messageOf(error));
    if (!isUsage) return 1;
  }
  out.remark(BRANDS_USAGE);
  return 2;
}

async function importFile(args: string[], { catalogue }: BrandsCommandServices, out: CommandOutput): Promise<number> {
  const file = parseArgs({ args, allowPositionals: true }).positionals[0];
  if (file === undefined) {
    out.remark(BRANDS_USAGE);
    return 2;
  }
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  let number = 0;
  for await (const raw of linesOf(file)) {
    number++;
    const line = number === 1 ? raw.replace(/^\uFEFF/, '') : raw;
    if (line.trim() !== '') {
      try {
        const entry = parseBrandLine(line);
        const put = await catalogue.put(entry);
        counts[put.result]++;
        remarkOn(entry, put, out, `Line ${number}: `);
      } catch (error) {
        if (!(error instanceof BrandEntryError)) throw error;
        counts.refused++;
        out.remark(`Line ${number}: ${error.message}`);
      }
    }
    if (number % PROGRESS_EVERY === 0) out.remark(`${number} lines read …`);
  }
  const { added, changed, unchanged, refused } = counts;
  out.print(`${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused`);
  return refused > 0 ? 1 : 0;
}

async function list(args: string[], { brands }: BrandsCommandServices, out: CommandOutput): Promise<number> {
  const options = { search: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ args, options });
  const table: ListedBrand[] = [];
  for await (const brand of everyBrand(brands, values.search)) {
    if (values.json) out.print(JSON.stringify(brand));
    else table.push(brand);
  }
  if (!values.json) for (const line of brandTable(table)) out.print(line);
  return 0;
}

async function add(args: string[], { catalogue }: BrandsCommandServices, out: CommandOutput): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      zh: { type: 'string' },
      slug: { type: 'string' },
      alias: { type: 'string', multiple: true, default: [] as string[] },
      id: { type: 'string' },
    },
  });
  const { zh, slug, alias: aliases, id } = values;
  const entry = brandEntryOf({ name: positionals.join(' '), name_zh: zh, slug, aliases, id });
  const put = await catalogue.put(entry);
  remarkOn(entry, put, out, '');
  out.print(`${entry.name}: id ${put.id}, hashid ${put.hashid}, slug ${put.slug} (${put.result})`);
  return 0;
}

/**
 * What may not have been meant: an id that was another brand's, and a name that is ambiguous from now on, which the door
 * refuses when it comes alone.
 */
function remarkOn(entry: BrandEntry, put: PutBrand, out: CommandOutput, where: string): void {
  if (put.formerName !== undefined) {
    out.remark(`${where}brand ${put.id} was called "${put.formerName}" until now, and keeps that name as an alias`);
  }
  for (const { alias, id, name } of put.shared) {
    out.remark(`${where}"${alias}" means ${entry.name} (id ${put.id}) and ${name} (id ${id}): alone it is ambiguous`);
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  // Not node:readline, which lets an error of the file escape its iterator.
  const input = (file === '-' ? process.stdin : createReadStream(file)).setEncoding('utf8') as AsyncIterable<string>;
  let rest = '';
  try {
    for await (const chunk of input) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } catch (error) {
    throw new AppError('file-unreadable', `${file} cannot be read: ${messageOf(error)}`, { status: 400, cause: error });
  }
}

async function* everyBrand(brands: BrandsService, search: string | undefined): AsyncGenerator<ListedBrand> {
  let after: string[] | undefined;
  for (;;) {
    const page = await brands.page({ first: LIST_PAGE, sort: 'slug', after, search, statuses: BRAND_STATUSES });
    const aliases = await brands.aliasesOf(page.rows.map(({ id }) => id));
    for (const brand of page.rows) {
      const { id, name, nameZh, slug, status } = brand;
      const others = (aliases.get(id) ?? []).map(({ alias }) => alias);
      yield {
        id,
        hashid: brands.hashidOf(id),
        name,
        name_zh: nameZh,
        slug,
        status,
        aliases: others.filter((alias) => ![name, nameZh, slug].includes(alias)),
      };
    }
    const last = page.rows.at(-1);
    if (last === undefined || !page.hasNextPage) return;
    after = [last.slug];
  }
}
