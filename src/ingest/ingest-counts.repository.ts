import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { AnswerCount } from './tally.js';

/** Answers of some hours together. */
export interface AnswerSum {
  status: number;
  /** The problem's code; `accepted`, `duplicate` or `answered`. */
  answer: string;
  count: number;
}

/** One answer's count in one hour, of one crawler or of all. */
export interface HourlyAnswer extends AnswerSum {
  /** When the hour began, unix seconds. */
  hour: number;
}

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

  /** Of the hour that is under way and so many full ones before it: most frequent first. */
  async sumsOfCrawlers(crawlerIds: readonly string[], hours: number): Promise<Map<string, AnswerSum[]>> {
    const rows: (AnswerSum & { crawlerId: string })[] = await this.dataSource.query(
      `SELECT crawler_id::text AS "crawlerId", status, answer, sum(count)::float8 AS count FROM ingest_counts
       WHERE hour > ${SQL_NOW} - 3600 * ($2::bigint + 1) AND crawler_id = ANY ($1::bigint[])
       GROUP BY crawler_id, status, answer ORDER BY crawler_id, sum(count) DESC, status, answer COLLATE "C"`,
      [crawlerIds, hours],
    );
    const sums = new Map(crawlerIds.map((id): [string, AnswerSum[]] => [id, []]));
    for (const { crawlerId, ...sum } of rows) sums.get(crawlerId)?.push(sum);
    return sums;
  }

  /**
   * Hours that began in a period, oldest first.
   * @param crawlerId undefined: of all, and of whoever could not prove to be one
   */
  hourly(from: number, to: number, crawlerId: string | undefined): Promise<HourlyAnswer[]> {
    return this.dataSource.query(
      `SELECT hour::float8, status, answer, sum(count)::float8 AS count FROM ingest_counts
       WHERE hour >= $1 AND hour < $2 AND ($3::bigint IS NULL OR crawler_id = $3)
       GROUP BY hour, status, answer ORDER BY hour, status, answer COLLATE "C"`,
      [from, to, crawlerId ?? null],
    );
  }
}
