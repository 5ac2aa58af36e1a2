import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Page, pageOf } from '../platform/graphql/connection.js';

/** A name that crawlers gave for a brand, and that the door could not make anything of. Times are unix seconds. */
export interface UnknownBrand {
  /** As it was sent; empty when none was. */
  brand: string;
  codes: string[];
  crawlers: string[];
  lastTitle: string;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
}

/** As it stands in the partial indexes, word for word: the planner proves them from nothing else. */
const ABOUT_BRANDS = `code IN ('brand-unknown', 'brand-ambiguous', 'brand-mismatch')`;

/** More names than an editor ever looks through; it bounds what clearing one costs. */
const MAX_NAMES = 50_000;

/** Those of `ingest_refusals` that are about brands, as the editors see them: by the name that was sent. */
@Injectable()
export class UnknownBrandsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Most recent first. A name stands where its newest refusal does: those are walked along an index, and only what is on
   * the page is counted.
   * @param after last seen, and name, of the last row of the page before
   * @param crawlerId only what this one sent
   */
  async page(
    first: number,
    after: readonly string[] | undefined,
    crawlerId: string | undefined,
  ): Promise<Page<UnknownBrand>> {
    const rows: UnknownBrand[] = await this.dataSource.query(PAGE_SQL(crawlerId !== undefined, after !== undefined), [
      first + 1,
      ...(crawlerId === undefined ? [] : [crawlerId]),
      ...(after ?? []),
    ]);
    return pageOf(rows, first);
  }

  /** Every name there is; an editor's word on one is taken for all spellings of it. */
  async names(tx: EntityManager): Promise<string[]> {
    const rows: { brand: string }[] = await tx.query(
      `SELECT DISTINCT brand COLLATE "C" AS brand FROM ingest_refusals WHERE ${ABOUT_BRANDS} LIMIT ${MAX_NAMES}`,
    );
    return rows.map(({ brand }) => brand);
  }

  /**
   * Forgets what was turned away for these names; what is turned away from now on is counted anew. Locked in the order in
   * which the door counts. @returns how many rows went
   */
  async clear(tx: EntityManager, brands: readonly string[]): Promise<number> {
    await tx.query(
      `SELECT 1 FROM ingest_refusals WHERE ${ABOUT_BRANDS} AND brand COLLATE "C" = ANY ($1::text[])
       ORDER BY crawler_id, code COLLATE "C", brand COLLATE "C" FOR UPDATE`,
      [brands],
    );
    const [, count] = await tx.query<[unknown[], number]>(
      `DELETE FROM ingest_refusals WHERE ${ABOUT_BRANDS} AND brand COLLATE "C" = ANY ($1::text[])`,
      [brands],
    );
    return count;
  }

  async crawlerId(name: string): Promise<string | undefined> {
    const rows: { id: string }[] = await this.dataSource.query('SELECT id FROM crawlers WHERE name = $1', [name]);
    return rows[0]?.id;
  }
}

const PAGE_SQL = (ofCrawler: boolean, after: boolean): string => {
  const crawler = (row: string): string => (ofCrawler ? `AND ${row}.crawler_id = $2` : '');
  const [seen, brand] = ofCrawler ? ['$3', '$4'] : ['$2', '$3'];
  return `
  SELECT n.brand, n.last_title AS "lastTitle", n.last_seen_at::float8 AS "lastSeenAt", t.codes, t.crawlers,
    t.count::float8 AS count, t.first_seen_at::float8 AS "firstSeenAt"
  FROM (
    SELECT r.brand, r.last_title, r.last_seen_at FROM ingest_refusals r
    WHERE r.${ABOUT_BRANDS} ${crawler('r')}
      ${after ? `AND (r.last_seen_at, r.brand COLLATE "C") < (${seen}::bigint, ${brand}::text COLLATE "C")` : ''}
      AND NOT EXISTS (
        SELECT 1 FROM ingest_refusals o
        WHERE o.${ABOUT_BRANDS} AND o.brand COLLATE "C" = r.brand COLLATE "C" ${crawler('o')}
          AND (o.last_seen_at, o.crawler_id, o.code COLLATE "C") > (r.last_seen_at, r.crawler_id, r.code COLLATE "C"))
    ORDER BY r.last_seen_at DESC, r.brand COLLATE "C" DESC LIMIT $1
  ) AS n
  CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT a.code::text) AS codes, sum(a.count) AS count, min(a.first_seen_at) AS first_seen_at,
      array_agg(DISTINCT coalesce(c.name, a.crawler_id::text)) AS crawlers
    FROM ingest_refusals a LEFT JOIN crawlers c ON c.id = a.crawler_id
    WHERE a.${ABOUT_BRANDS} AND a.brand COLLATE "C" = n.brand COLLATE "C" ${crawler('a')}
  ) AS t
  ORDER BY n.last_seen_at DESC, n.brand COLLATE "C" DESC`;
};
