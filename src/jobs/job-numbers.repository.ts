import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { JobStatus } from './job-status.js';

/** What there is of one kind; numbers are counted no further than the cap and one more. Times are unix seconds. */
export interface KindCounts {
  kind: string;
  due: number;
  waiting: number;
  running: number;
  failed: number;
  /** Whether more have failed, of all kinds, than were looked at. */
  moreFailed: boolean;
  /** How long the first has been due; null when nothing is due. */
  oldestDueSeconds: number | null;
  pausedAt: number | null;
  pausedBy: string | null;
  pauseReason: string | null;
}

/** How many jobs of an hour came in (no status) or ended so. */
export interface HourCount {
  /** The hour's first second. */
  hour: number;
  status: Extract<JobStatus, 'done' | 'failed'> | null;
  outcome: string | null;
  count: number;
}

type Row = Record<string, string | boolean | null>;

/** The queue as numbers. */
@Injectable()
export class JobNumbersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * What there is of each kind that something is waiting, running, paused or lately failed of, and of those named. Kinds of what
   * waits are found by leaps along the index of due jobs, one a kind. Failures are counted among the newest of all kinds:
   * one kind's would have to be looked for among all of another's.
   */
  async counts(kinds: readonly string[], cap: number): Promise<KindCounts[]> {
    const rows: Row[] = await this.dataSource.query(COUNTS_SQL, [kinds, cap + 1]);
    return rows.map((row) => ({
      kind: String(row['kind']),
      due: Number(row['due']),
      waiting: Number(row['waiting']),
      running: Number(row['running']),
      failed: Number(row['failed']),
      moreFailed: row['more_failed'] === true,
      oldestDueSeconds: numberOf(row['oldest_due']),
      pausedAt: numberOf(row['paused_at']),
      pausedBy: row['paused_by'] as string | null,
      pauseReason: row['reason'] as string | null,
    }));
  }

  /**
   * Arrivals and ends of each hour in which there were any, from `from` until before `to`, both unix seconds. Ends hour by
   * hour: over the whole time the planner sorts all of them.
   */
  async hours(from: number, to: number, kinds?: readonly string[]): Promise<HourCount[]> {
    const ofKinds = kinds === undefined ? '' : 'AND kind = ANY($3::varchar[])';
    const rows: Row[] = await this.dataSource.query(
      `SELECT created_at / 3600 * 3600 AS hour, NULL AS status, NULL AS outcome, count(*) AS count FROM ingest_jobs
       WHERE created_at >= $1::bigint AND created_at < $2::bigint ${ofKinds} GROUP BY 1
       UNION ALL
       SELECT h.hour, e.status, e.outcome, e.count FROM generate_series($1::bigint, $2::bigint - 1, 3600) AS h (hour)
       CROSS JOIN LATERAL (
         SELECT status, outcome, count(*) AS count FROM ingest_jobs
         WHERE status IN ('done', 'failed') AND updated_at >= h.hour AND updated_at < h.hour + 3600 ${ofKinds}
         GROUP BY status, outcome
       ) AS e
       ORDER BY hour, status, outcome`,
      [from, to, ...(kinds === undefined ? [] : [kinds])],
    );
    return rows.map((row) => ({
      hour: Number(row['hour']),
      status: row['status'] as HourCount['status'],
      outcome: row['outcome'] as string | null,
      count: Number(row['count']),
    }));
  }
}

const COUNTS_SQL = `
  WITH RECURSIVE leaps (kind) AS (
    (SELECT j.kind FROM ingest_jobs j WHERE j.status = 'pending' ORDER BY j.kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM ingest_jobs j WHERE j.status = 'pending' AND j.kind > l.kind ORDER BY j.kind LIMIT 1)
    FROM leaps l WHERE l.kind IS NOT NULL
  ), running AS MATERIALIZED (
    SELECT kind, count(*) AS count FROM ingest_jobs WHERE status = 'processing' GROUP BY kind
  ), failed AS MATERIALIZED (
    SELECT kind, count(*) AS count
    FROM (SELECT j.kind FROM ingest_jobs j WHERE j.status = 'failed' ORDER BY j.id DESC LIMIT (SELECT $2::int)) AS newest
    GROUP BY kind
  ), kinds AS MATERIALIZED (
    SELECT unnest($1::varchar[]) AS kind
    UNION SELECT kind FROM leaps WHERE kind IS NOT NULL
    UNION SELECT kind FROM running
    UNION SELECT kind FROM failed
    UNION SELECT kind FROM job_kind_pauses
  )
  SELECT k.kind, due.count AS due, waiting.count AS waiting, coalesce(r.count, 0) AS running, coalesce(f.count, 0) AS failed,
    (SELECT coalesce(sum(count), 0) FROM failed) >= $2::int AS more_failed,
    (SELECT ${SQL_NOW} - greatest(j.next_attempt_at, j.created_at) FROM ingest_jobs j
     WHERE j.status = 'pending' AND j.kind = k.kind AND j.next_attempt_at <= ${SQL_NOW}
     ORDER BY j.next_attempt_at, j.id LIMIT 1) AS oldest_due,
    p.paused_at, p.paused_by, p.reason
  FROM kinds k
  CROSS JOIN LATERAL (
    SELECT count(*) AS count
    FROM (SELECT 1 FROM ingest_jobs j WHERE j.status = 'pending' AND j.kind = k.kind AND j.next_attempt_at <= ${SQL_NOW}
          ORDER BY j.next_attempt_at, j.id LIMIT (SELECT $2::int)) AS counted
  ) AS due
  CROSS JOIN LATERAL (
    SELECT count(*) AS count
    FROM (SELECT 1 FROM ingest_jobs j WHERE j.status = 'pending' AND j.kind = k.kind AND j.next_attempt_at > ${SQL_NOW}
          ORDER BY j.next_attempt_at, j.id LIMIT (SELECT $2::int)) AS counted
  ) AS waiting
  LEFT JOIN running r ON r.kind = k.kind
  LEFT JOIN failed f ON f.kind = k.kind
  LEFT JOIN job_kind_pauses p ON p.kind = k.kind
  ORDER BY k.kind`;

function numberOf(value: string | boolean | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
