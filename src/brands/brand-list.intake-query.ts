import { decodeCursor, encodeCursor } from '../lib/keyset-cursor.js';
import { ShapeReader } from '../lib/shape-reader.js';
import { IntakeQuery, type IntakeQueryHandler } from '../platform/intake/intake-query.js';
import { BRAND_LIST_DOCS, BRAND_LIST_LIMITS, type BrandAnswer, type BrandListAnswer } from './brand-list.docs.js';
import { BrandsService } from './brands.service.js';

const PAGE = 200;

/** Which brands are there? For crawlers, which send a hashid or a name of each show's brand. */
@IntakeQuery({ type: 'brand.list', path: '/ingest/brands', docs: BRAND_LIST_DOCS })
export class BrandListQuery implements IntakeQueryHandler {
  constructor(private readonly brands: BrandsService) {}

  async answer(data: Record<string, unknown>): Promise<BrandListAnswer> {
    const read = ShapeReader.of(data, '/data');
    const first = read.integer('first', 1, BRAND_LIST_LIMITS.page) ?? PAGE;
    const after = readCursor(read);
    const search = read.text('search', BRAND_LIST_LIMITS.search);
    read.finish();
    // A merged brand is no brand to send; its names stand with the one that it became a part of.
    const asked = { first, sort: 'slug', after, search, statuses: ['active'] } as const;
    const { rows, hasNextPage } = await this.brands.page(asked);
    const known = await this.brands.byIds(rows.map(({ id }) => id));
    const brands = rows.map(({ id, name, nameZh }): BrandAnswer => {
      const names = known.get(id)?.names ?? [];
      const aliases = names.filter((alias) => alias !== name && alias !== nameZh);
      return { hashid: this.brands.hashidOf(id), name, name_zh: nameZh, aliases };
    });
    const last = rows.at(-1);
    return { brands, next: hasNextPage && last ? encodeCursor([last.slug]) : null, warnings: read.warnings };
  }
}

/** The key of the slug that the page comes after. */
function readCursor(read: ShapeReader): string[] | undefined {
  const cursor = read.text('after', BRAND_LIST_LIMITS.after);
  if (cursor === undefined) return undefined;
  try {
    return decodeCursor(cursor, 1);
  } catch {
    return read.complain('after', 'must be the next of an earlier answer');
  }
}
