import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Category } from '../taxonomy/categories.js';
import type { Season, ShowsSeen } from './season-coverage.js';

/** Which shows brands have, by season. */
@Injectable()
export class SeasonCoverageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * By the brand's id; brands without any are left out. Each brand's years are one stretch of an index that holds all that
   * is asked for; its few rows of other seasons and categories are dropped there.
   */
  async showsOf(
    brandIds: readonly string[],
    seasons: readonly Season[],
    categories: readonly Category[],
  ): Promise<Map<string, ShowsSeen[]>> {
    const years = seasons.map(({ year }) => year);
    const rows: (ShowsSeen & { brandId: string })[] = await this.dataSource.query(
      `SELECT b.id::text AS "brandId", s.* FROM unnest($1::bigint[]) AS b (id)
       CROSS JOIN LATERAL (
         SELECT g.year, g.term, g.category, CASE WHEN g.deleted_at > 0 THEN 'deleted' ELSE g.status END AS state,
           count(*)::int AS count, max(g.id)::text AS "newestId", max(g.updated_at)::float8 AS "updatedAt"
         FROM galleries g
         WHERE g.brand_id = b.id AND g.kind = 'runway' AND g.forgotten_at = 0 AND g.year BETWEEN $2 AND $3
           AND g.year || ':' || g.term = ANY ($4::text[]) AND g.category || '' = ANY ($5::text[])
         GROUP BY 1, 2, 3, 4
       ) AS s`,
      [
        brandIds,
        Math.min(...years),
        Math.max(...years),
        seasons.map(({ year, term }) => `${year}:${term}`),
        categories,
      ],
    );
    const shows = new Map<string, ShowsSeen[]>();
    for (const { brandId, ...row } of rows) {
      const ofBrand = shows.get(brandId);
      if (ofBrand === undefined) shows.set(brandId, [row]);
      else ofBrand.push(row);
    }
    return shows;
  }
}
