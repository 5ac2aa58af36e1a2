import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import { JobConditions, type JobFilter } from './job-lists.repository.js';

/** The failed jobs that a filter finds. */
export interface FailedSet {
  /** Newest first. */
  ids: string[];
  /** When the last of them changed, unix seconds; 0 of none. */
  changedAt: number;
  /** The database's time, unix seconds. */
  now: number;
}

/** Failed jobs by the hundred. */
@Injectable()
export class BulkRetryRepository {
  /** @param limit so many ids at most */
  async failedSet(tx: EntityManager, filter: JobFilter, limit: number): Promise<FailedSet> {
    const conditions = new JobConditions({ ...filter, statuses: ['failed'] });
    const { along, newest } = conditions.walk();
    const found = `SELECT j.id, j.updated_at FROM (${newest('*', '')}) AS j WHERE ${conditions.all('j')}
      ORDER BY j.id DESC LIMIT (SELECT ${conditions.param(limit, 'int')})`;
    const rows: { ids: string[]; changed_at: string; now: string }[] = await tx.query(
      `SELECT coalesce(array_agg(f.id::text ORDER BY f.id DESC), '{}') AS ids, coalesce(max(f.updated_at), 0) AS changed_at,
         ${SQL_NOW} AS now
       FROM (${along(found)}) AS f`,
      conditions.params,
    );
    const set = rows[0];
    return { ids: set?.ids ?? [], changedAt: Number(set?.changed_at ?? 0), now: Number(set?.now ?? 0) };
  }

  /**
   * Gives those of these jobs new attempts that are still failed as they were then, and of which no newer one of the same
   * show is under way or among them: as the retry of a single one, and only one of a show.
   * @returns how many
   */
  async retry(tx: EntityManager, ids: readonly string[], changedBy: number): Promise<number> {
    const [, count] = await tx.query<[unknown[], number]>(
      `WITH held AS MATERIALIZED (
         SELECT id, subject_key FROM ingest_jobs
         WHERE id = ANY($1::bigint[]) AND status = 'failed' AND updated_at <= $2::bigint
         ORDER BY id FOR NO KEY UPDATE
       )
       UPDATE ingest_jobs j SET status = 'pending', attempts = 0, next_attempt_at = ${SQL_NOW}, updated_at = ${SQL_NOW},
         snoozed_since = 0, progress = NULL
       FROM held h
       WHERE j.id = h.id
         AND NOT EXISTS (SELECT 1 FROM ingest_jobs n WHERE n.subject_key = h.subject_key AND n.subject_key <> ''
                         AND n.status IN ('pending', 'processing') AND n.id > h.id)
         AND NOT EXISTS (SELECT 1 FROM held o WHERE o.subject_key = h.subject_key AND h.subject_key <> '' AND o.id > h.id)`,
      [ids, changedBy],
    );
    return count;
  }
}
