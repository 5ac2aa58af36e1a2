import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AnswerCount } from './tally.js';

/** `ingest_counts`: how the door answered, by the hour. Private to the door. */
@Injectable()
export class IngestCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In one order in every process, since two that add to the same rows in different orders wait for each other. */
  async add(tx: EntityManager, counts: readonly AnswerCount[]): Promise<void> {
    await tx.query(
      `INSERT INTO ingest_counts AS c (hour, crawler_id, status, answer, count)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::bigint[])
         AS n (hour, crawler_id, status, answer, count)
       ORDER BY hour, crawler_id, status, answer COLLATE "C"
       ON CONFLICT (hour, crawler_id, status, answer) DO UPDATE SET count = c.count + EXCLUDED.count`,
      [
        counts.map((count) => count.hour),
        counts.map((count) => count.crawlerId),
        counts.map((count) => count.status),
        counts.map((count) => count.answer),
        counts.map((count) => count.count),
      ],
    );
  }

  /** By the hour, then crawler and answer. @param from unix seconds; hours that began before it are left out */
  async since(from: number): Promise<AnswerCount[]> {
    const rows: { hour: string; crawler_id: string; status: number; answer: string; count: string }[] =
      await this.dataSource.query(
        `SELECT hour, crawler_id, status, answer, count FROM ingest_counts
         WHERE hour >= $1 ORDER BY hour, crawler_id, status, answer COLLATE "C"`,
        [from],
      );
    return rows.map((row) => ({
      hour: Number(row.hour),
      crawlerId: row.crawler_id,
      status: row.status,
      answer: row.answer,
      count: Number(row.count),
    }));
  }
}
