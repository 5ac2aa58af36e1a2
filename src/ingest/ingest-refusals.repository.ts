import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storable } from '../lib/text.js';
import { SQL_NOW } from '../platform/database/sql-clock.js';

export interface Refusal {
  crawlerId: string;
  code: string;
  /** The brand as the crawler named it; empty for none. */
  brand: string;
  title: string;
}

const MAX_BRAND = 200;
const MAX_TITLE = 300;

/** `ingest_refusals`: what was turned away, counted. Private to the door. */
@Injectable()
export class IngestRefusalsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async count({ crawlerId, code, brand, title }: Refusal): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO ingest_refusals AS r (crawler_id, code, brand, last_title, count, first_seen_at, last_seen_at)
       VALUES ($1, $2, $3, $4, 1, ${SQL_NOW}, ${SQL_NOW})
       ON CONFLICT (crawler_id, code, brand) DO UPDATE
       SET count = r.count + 1, last_title = EXCLUDED.last_title, last_seen_at = EXCLUDED.last_seen_at`,
      [crawlerId, code, storable(brand, MAX_BRAND), storable(title, MAX_TITLE)],
    );
  }
}
