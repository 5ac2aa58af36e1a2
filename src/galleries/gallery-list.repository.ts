import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../platform/graphql/connection.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryStatus } from './crawl-decision.js';
import type { GalleryFlag } from './gallery-flags.js';
import { GALLERY_COLUMNS, type GalleryView } from './gallery-read.repository.js';

export const GALLERY_SORTS = ['newest', 'oldest', 'updated'] as const;
export type GallerySort = (typeof GALLERY_SORTS)[number];

export interface GalleryFilter {
  status?: GalleryStatus | undefined;
  kind?: GalleryKind | undefined;
  brandId?: string | undefined;
  year?: number | undefined;
  term?: Term | undefined;
  category?: string | undefined;
  market?: string | undefined;
  /** All of them are raised. */
  flags?: readonly GalleryFlag[] | undefined;
  /** true: only the trash, without what was forgotten; false: all but the trash. */
  deleted: boolean;
}

/** How many rows a page looks at, at most. */
export const GALLERY_BUDGETS = { rows: 20_000, pictures: 500 } as const;

/**
 * The galleries that have a picture `p` too, as `o`. A hundred are looked at, some of them in the trash maybe: what more have
 * is a placeholder, and would cost a look at each of them.
 */
export const OTHERS_WITH_PICTURE = `CROSS JOIN LATERAL (
    SELECT gallery_id, state FROM gallery_pictures WHERE sha256 = p.sha256 AND gallery_id <> p.gallery_id LIMIT 100
  ) AS o
  JOIN galleries og ON og.id = o.gallery_id AND og.deleted_at = 0 AND o.state = 'stored'`;

/** Another gallery, not in the trash, has one of the pictures of `g`. OFFSET 0 keeps it from being hashed over all pictures. */
export const SHARES_PICTURES = `EXISTS (
  SELECT 1 FROM gallery_pictures p ${OTHERS_WITH_PICTURE}
  WHERE p.gallery_id = g.id AND p.state = 'stored' OFFSET 0)`;

/** The same rules are in `flagsOf`. Written as the predicates of the partial indexes are. */
const RAISED: Readonly<Record<GalleryFlag, string>> = {
  suspect: 'g.suspect',
  partial: '(g.missing_count > 0 OR g.expected_count > g.picture_count)',
  guessed_category: `g.category_source = 'default'`,
  shared_pictures: SHARES_PICTURES,
};

/** Rarest first. */
const INDEXED_FLAGS: readonly GalleryFlag[] = ['suspect', 'partial', 'guessed_category'];

interface Order {
  by: string;
  /** What comes after a row, by the parts of its sort key. */
  after: (...key: string[]) => string;
}

const ORDERS: Readonly<Record<GallerySort, Order>> = {
  newest: { by: 'g.id DESC', after: (id) => `g.id < ${id}` },
  oldest: { by: 'g.id', after: (id) => `g.id > ${id}` },
  updated: {
    by: 'g.updated_at DESC, g.id DESC',
    after: (updatedAt, id) => `(g.updated_at, g.id) < (${updatedAt}, ${id})`,
  },
};

/** The sort key of a gallery, which becomes its cursor. */
export function sortKeyOf({ id, updatedAt }: Pick<GalleryView, 'id' | 'updatedAt'>, sort: GallerySort): string[] {
  return sort === 'updated' ? [String(updatedAt), id] : [id];
}

/**
 * Pages of galleries. What an index gives in the asked order is read off it: one condition, since of two the planner reads one
 * off an index and filters by the other, however many rows that takes. All else is a bounded look: a page goes through no
 * more than {@link GALLERY_BUDGETS} rows, and when it is not full by then, it ends there and says where to go on.
 */
@Injectable()
export class GalleryListRepository {
  constructor(private readonly dataSource: DataSource) {}

  async page(
    filter: GalleryFilter,
    sort: GallerySort,
    first: number,
    after?: readonly string[],
  ): Promise<Page<GalleryView>> {
    const params: unknown[] = [];
    const param = (value: unknown, type: string): string => {
      params.push(value);
      return `$${params.length}::${type}`;
    };
    const order = ORDERS[sort];
    const { indexed, others } = conditionsOf(filter, sort, param);
    if (after !== undefined) indexed.push(order.after(...after.map((part) => param(part, 'bigint'))));
    const budget = filter.flags?.includes('shared_pictures') ? GALLERY_BUDGETS.pictures : GALLERY_BUDGETS.rows;
    // The last row within the budget comes out as well, whether it fits or not: it is where the look ended. There is no
    // ORDER BY around it: with one, the planner would read the whole budget for the first twenty that fit.
    const rows: (GalleryView & { fits: boolean | null; place: string })[] = await this.dataSource.query(
      `SELECT * FROM (
         SELECT ${GALLERY_COLUMNS}, ${others.join(' AND ')} AS fits, row_number() OVER (ORDER BY ${order.by}) AS place
         FROM galleries g WHERE ${indexed.join(' AND ')} ORDER BY ${order.by} LIMIT ${budget}
       ) AS looked
       WHERE fits OR place = ${budget} LIMIT ${param(first + 1, 'int')}`,
      params,
    );
    const fitting = rows.filter(({ fits }) => fits);
    const last = rows.at(-1);
    const hasMore = fitting.length > first;
    const isCutShort = !hasMore && Number(last?.place) === budget;
    return {
      rows: fitting.slice(0, first).map(({ fits: _fits, place: _place, ...gallery }) => gallery),
      hasNextPage: hasMore || isCutShort,
      ...(isCutShort && last && { end: sortKeyOf(last, sort) }),
    };
  }
}

/** What an index gives in the asked order, and what is looked at row by row; what costs most comes last. */
function conditionsOf(
  { status, kind, brandId, year, term, category, market, flags = [], deleted }: GalleryFilter,
  sort: GallerySort,
  param: (value: unknown, type: string) => string,
): { indexed: string[]; others: string[] } {
  const byId = sort !== 'updated';
  const indexed = [deleted ? 'g.deleted_at > 0 AND g.forgotten_at = 0' : 'g.deleted_at = 0'];
  const others: string[] = ['true'];
  const add = (isIndexed: boolean, condition: string): void => {
    // One only, beside the trash.
    (isIndexed && indexed.length === 1 ? indexed : others).push(condition);
  };
  if (brandId !== undefined) add(true, `g.brand_id = ${param(brandId, 'bigint')}`);
  for (const flag of INDEXED_FLAGS) if (flags.includes(flag)) add(byId && !deleted, RAISED[flag]);
  if (year !== undefined && term !== undefined) {
    add(byId && !deleted, `(g.year = ${param(year, 'smallint')} AND g.term = ${param(term, 'varchar')})`);
  } else {
    if (year !== undefined) add(false, `g.year = ${param(year, 'smallint')}`);
    if (term !== undefined) add(false, `g.term = ${param(term, 'varchar')}`);
  }
  // Street style is the brand 0, whose index serves it.
  if (kind === 'street') add(byId, 'g.brand_id = 0');
  if (kind === 'runway') add(false, `g.kind = 'runway'`);
  if (status !== undefined) add(byId && !deleted, `g.status = ${param(status, 'varchar')}`);
  if (category !== undefined) add(false, `g.category = ${param(category, 'varchar')}`);
  if (market !== undefined) add(false, `g.market = ${param(market, 'varchar')}`);
  if (flags.includes('shared_pictures')) add(false, RAISED.shared_pictures);
  return { indexed, others };
}
