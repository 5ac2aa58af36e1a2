import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

/** A stretch of a brand's records, from the newest on, that goes to another brand. */
export interface Reassignment {
  from: string;
  into: string;
  /** What the subject keys of the one brand begin with, and those of the other; keys that begin otherwise stay. */
  keyPrefixes: readonly { from: string; into: string }[];
  /** Only records older than this id. */
  before?: string | undefined;
  limit: number;
}

/** Numbers of whole brands, and the move from one to another. */
@Injectable()
export class BrandRecordsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * How many of each brand's newest failed records failed since then; of the newest `cap`, since a brand may have failed
   * a hundred thousand times and no index knows when. The limit is hidden from the planner: of a brand that it takes for
   * an average one it would read and sort all failures, rather than walk the index to a limit that it thinks is higher.
   * @returns brands without any are left out
   */
  async recentFailures(brandIds: readonly string[], seconds: number, cap: number): Promise<Map<string, number>> {
    const rows: { brand_id: string; count: string }[] = await this.dataSource.query(
      `SELECT b.brand_id, c.count FROM unnest($1::bigint[]) AS b (brand_id)
       CROSS JOIN LATERAL (
         SELECT count(*) AS count
         FROM (
           SELECT j.updated_at FROM ingest_jobs j WHERE j.brand_id = b.brand_id AND j.status = 'failed'
           ORDER BY j.id DESC LIMIT (SELECT $3::int)
         ) AS newest
         WHERE newest.updated_at >= ${SQL_NOW} - $2::bigint
       ) AS c
       WHERE c.count > 0`,
      [brandIds, seconds, cap],
    );
    return new Map(rows.map((row) => [row.brand_id, Number(row.count)]));
  }

  /** As the count of update records, for whoever decides by it in a transaction. */
  async hasRecords(tx: EntityManager, brandId: string): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT 1 FROM ingest_jobs WHERE brand_id = $1 LIMIT 1', [brandId]);
    return rows.length > 0;
  }

  /**
   * Gives records to another brand; what they say of the past stays as it is, when they last changed too. LATERAL, since
   * a plain WHERE … ORDER BY id DESC LIMIT walks the primary key, and with the limit hidden as above; locked by id, as
   * whoever locks several does.
   */
  async reassign(tx: EntityManager, move: Reassignment): Promise<{ moved: number; oldest: string | undefined }> {
    const rows: { moved: string; oldest: string | null }[] = await tx.query(
      `WITH newest AS MATERIALIZED (
         SELECT n.id FROM unnest(ARRAY[$1::bigint]) AS b (id)
         CROSS JOIN LATERAL (
           SELECT j.id FROM ingest_jobs j WHERE j.brand_id = b.id AND j.id < coalesce($3::bigint, 9223372036854775807)
           ORDER BY j.id DESC LIMIT (SELECT $4::int)
         ) AS n
       ), held AS MATERIALIZED (
         SELECT j.id FROM ingest_jobs j JOIN newest n ON n.id = j.id ORDER BY j.id FOR NO KEY UPDATE OF j
       ), moved AS (
         UPDATE ingest_jobs j SET brand_id = $2, subject_key = coalesce(
           (SELECT p.new_start || substr(j.subject_key, length(p.start) + 1)
            FROM unnest($5::text[], $6::text[]) AS p (start, new_start) WHERE starts_with(j.subject_key, p.start) LIMIT 1),
           j.subject_key)
         FROM held h WHERE j.id = h.id AND j.brand_id = $1
         RETURNING j.id
       )
       SELECT (SELECT count(*) FROM moved) AS moved, (SELECT min(id) FROM newest) AS oldest`,
      [
        move.from,
        move.into,
        move.before ?? null,
        move.limit,
        move.keyPrefixes.map((prefix) => prefix.from),
        move.keyPrefixes.map((prefix) => prefix.into),
      ],
    );
    return { moved: Number(rows[0]?.moved ?? 0), oldest: rows[0]?.oldest ?? undefined };
  }
}
