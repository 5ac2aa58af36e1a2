import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

export interface Refusal {
  crawlerId: string;
  code: string;
  /** The brand as the crawler named it; empty for none. */
  brand: string;
  title: string;
}

/** `ingest_refusals`: what was turned away, counted. Private to the door. */
@Injectable()
export class IngestRefusalsRepository {
  /** Counts refusals, in the order they came; of equal ones the last title is kept. */
  async count(tx: EntityManager, refusals: readonly Refusal[]): Promise<void> {
    await tx.query(
      `INSERT INTO ingest_refusals AS r (crawler_id, code, brand, last_title, count, first_seen_at, last_seen_at)
       SELECT crawler_id, code, brand, (array_agg(title ORDER BY place DESC))[1], count(*), ${SQL_NOW}, ${SQL_NOW}
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
         WITH ORDINALITY AS n (crawler_id, code, brand, title, place)
       GROUP BY crawler_id, code, brand ORDER BY crawler_id, code COLLATE "C", brand COLLATE "C"
       ON CONFLICT (crawler_id, code, brand) DO UPDATE
       SET count = r.count + EXCLUDED.count, last_title = EXCLUDED.last_title, last_seen_at = EXCLUDED.last_seen_at`,
      [
        refusals.map((refusal) => refusal.crawlerId),
        refusals.map((refusal) => refusal.code),
        refusals.map((refusal) => refusal.brand),
        refusals.map((refusal) => refusal.title),
      ],
    );
  }
}
