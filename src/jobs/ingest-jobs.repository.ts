import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import { MAX_ATTEMPTS, type JobStatus } from './ingest-job.state.js';
import type { ClaimedJob } from './job-handler.js';
import type { Backlog, Correction, FinalJob, NewJob, RetryFound } from './new-job.js';

interface ClaimedRow {
  id: string;
  kind: string;
  payload: string;
  overrides: string | null;
  brand_id: string;
  gallery_id: string | null;
  subject: string;
  submitted_by: string;
  attempts: number;
  claim_token: string;
  created_at: string;
  claimed_at: string;
  snoozed_since: string;
}

/** The way into the queue and the claim; who may leave `processing` is `departures.repository.ts`. */
@Injectable()
export class IngestJobsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async reserveIds(tx: EntityManager, count: number): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT nextval(pg_get_serial_sequence('ingest_jobs', 'id')) AS id FROM generate_series(1, $1::int)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** Inserts new jobs by one statement; a job without an id gets one. @returns ids, in order */
  async insert(tx: EntityManager, jobs: readonly NewJob[]): Promise<string[]> {
    if (jobs.length === 0) return [];
    const missing = jobs.filter((job) => job.id === undefined).length;
    const made = missing > 0 ? await this.reserveIds(tx, missing) : [];
    const ids = jobs.map((job) => job.id ?? made.shift() ?? '');
    await tx.query(
      `INSERT INTO ingest_jobs
         (id, kind, payload, overrides, brand_id, brandless, subject, subject_key, submitted_by, gallery_id,
          status, attempts, created_at, updated_at, locked_at, next_attempt_at)
       SELECT n.id, n.kind, n.payload, n.overrides, n.brand_id, n.brandless, n.subject, n.subject_key, n.submitted_by, n.gallery_id,
              'pending', 0, t.now, t.now, 0, t.now + n.delay
       FROM unnest($1::bigint[], $2::varchar[], $3::text[], $4::bigint[], $5::boolean[], $6::text[], $7::text[],
                   $8::varchar[], $9::bigint[], $10::bigint[], $11::text[])
              AS n (id, kind, payload, brand_id, brandless, subject, subject_key, submitted_by, gallery_id, delay, overrides),
            (SELECT ${SQL_NOW} AS now) AS t`,
      [
        ids,
        jobs.map((job) => job.kind),
        jobs.map((job) => job.payload),
        jobs.map((job) => job.brandId),
        jobs.map((job) => job.brandless ?? false),
        jobs.map((job) => job.subject),
        jobs.map((job) => job.subjectKey),
        jobs.map((job) => job.submittedBy),
        jobs.map((job) => job.galleryId ?? null),
        jobs.map((job) => Math.ceil(job.delaySeconds ?? 0)),
        jobs.map((job) => job.overrides ?? null),
      ],
    );
    return ids;
  }

  /**
   * Takes due jobs of one kind. The CTE is MATERIALIZED so that the limit limits even under a nested loop; one kind at a
   * time, so that the partial index gives them in order. Rejected: one statement with the reclaim in an OR, which cost
   * a hundredfold; `kind = ANY(…)`, which sorts the whole backlog.
   */
  async claimDue(
    kind: string,
    limit: number,
    worker: string,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<ClaimedJob[]> {
    const [rows] = await tx.query<[ClaimedRow[], number]>(CLAIM_SQL, [kind, limit, worker]);
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      payload: row.payload,
      overrides: row.overrides,
      brandId: row.brand_id,
      galleryId: row.gallery_id,
      subject: row.subject,
      submittedBy: row.submitted_by,
      attempt: row.attempts,
      isLastAttempt: row.attempts >= MAX_ATTEMPTS,
      claimToken: row.claim_token,
      createdAt: Number(row.created_at),
      claimedAt: Number(row.claimed_at),
      snoozedSince: Number(row.snoozed_since),
    }));
  }

  /** A job of this subject that is waiting or running; two callers of one subject wait for each other. */
  async lockOpenSubject(tx: EntityManager, subjectKey: string): Promise<string | undefined> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [subjectKey]);
    const rows: { id: string }[] = await tx.query(
      `SELECT id FROM ingest_jobs WHERE subject_key = $1 AND subject_key <> '' AND status IN ('pending', 'processing') LIMIT 1`,
      [subjectKey],
    );
    return rows[0]?.id;
  }

  async lockFinal(tx: EntityManager, id: string): Promise<boolean> {
    const rows: { status: JobStatus }[] = await tx.query(
      'SELECT status FROM ingest_jobs WHERE id = $1 FOR NO KEY UPDATE',
      [id],
    );
    return rows[0] === undefined || rows[0].status === 'done' || rows[0].status === 'failed';
  }

  async finalSince(ids: readonly string[], failedSeconds: number): Promise<FinalJob[]> {
    const rows: { id: string; brand_id: string; subject: string }[] = await this.dataSource.query(
      `SELECT id, brand_id, subject FROM ingest_jobs WHERE id = ANY($1::bigint[])
         AND (status = 'done' OR (status = 'failed' AND updated_at <= ${SQL_NOW} - $2::bigint))
       ORDER BY id`,
      [ids, failedSeconds],
    );
    return rows.map((row) => ({ id: row.id, brandId: row.brand_id, subject: row.subject }));
  }

  async withoutBrand(kind: string, limit: number, after: string): Promise<{ id: string; payload: string }[]> {
    return this.dataSource.query(
      `SELECT id, payload FROM ingest_jobs WHERE brand_id = 0 AND NOT brandless AND kind = $1 AND id > $3 ORDER BY id LIMIT $2`,
      [kind, limit, after],
    );
  }

  async assignBrands(
    tx: EntityManager,
    rows: readonly { id: string; brandId: string; brandless: boolean }[],
  ): Promise<void> {
    await tx.query(
      `UPDATE ingest_jobs j SET brand_id = r.brand_id, brandless = r.brandless
       FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS r (id, brand_id, brandless)
       WHERE j.id = r.id AND j.brand_id = 0`,
      [rows.map((row) => row.id), rows.map((row) => row.brandId), rows.map((row) => row.brandless)],
    );
  }

  async statusesOf(
    ids: readonly string[],
    tx: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, JobStatus>> {
    const rows: { id: string; status: JobStatus }[] = await tx.query(
      'SELECT id, status FROM ingest_jobs WHERE id = ANY($1::bigint[])',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.status]));
  }

  async openSubjects(keys: readonly string[], tx: EntityManager = this.dataSource.manager): Promise<Set<string>> {
    const rows: { subject_key: string }[] = await tx.query(
      `SELECT DISTINCT subject_key FROM ingest_jobs
       WHERE subject_key = ANY($1::text[]) AND subject_key <> '' AND status IN ('pending', 'processing')`,
      [keys],
    );
    return new Set(rows.map((row) => row.subject_key));
  }

  /**
   * Both halves go along the index of due jobs, the count by its order too, or it would read the table until it has found
   * enough. A row from before may have no due time; it has waited since it was made. What is paused grows old on purpose
   * and is not late; how much of it there may be is bounded as ever.
   */
  async backlogs(
    kinds: readonly string[],
    cap: number,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, Backlog>> {
    const rows: { kind: string; depth: string; late: string }[] = await tx.query(
      `SELECT k.kind, d.depth, CASE WHEN p.kind IS NULL THEN coalesce(greatest(0, ${SQL_NOW} - f.due), 0) ELSE 0 END AS late
       FROM unnest($1::varchar[]) AS k (kind)
       CROSS JOIN LATERAL (
         SELECT count(*) AS depth
         FROM (
           SELECT 1 FROM ingest_jobs j WHERE j.status = 'pending' AND j.kind = k.kind ORDER BY j.next_attempt_at, j.id LIMIT $2
         ) AS waiting
       ) AS d
       LEFT JOIN LATERAL (
         SELECT greatest(j.next_attempt_at, j.created_at) AS due FROM ingest_jobs j
         WHERE j.status = 'pending' AND j.kind = k.kind ORDER BY j.next_attempt_at, j.id LIMIT 1
       ) AS f ON true
       LEFT JOIN job_kind_pauses p ON p.kind = k.kind`,
      [kinds, cap],
    );
    return new Map(rows.map((row) => [row.kind, { depth: Number(row.depth), lateSeconds: Number(row.late) }]));
  }

  /**
   * Gives a failed job its attempts back, and with a correction another reading. Refused when a newer job of the same show
   * is under way, of the show that the correction makes it: both would write it.
   * @returns what was found: `retried`, or the reason why not
   */
  async retryFailed(
    id: string,
    correction?: Correction,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<RetryFound> {
    const rows: { status: JobStatus; newer: string | null; retried: boolean }[] = await tx.query(
      `WITH job AS MATERIALIZED (
         SELECT id, status, coalesce($6::text, subject_key) AS subject_key FROM ingest_jobs WHERE id = $1
         FOR NO KEY UPDATE
       ), newer AS MATERIALIZED (
         SELECT max(n.id) AS id FROM ingest_jobs n, job
         WHERE n.subject_key = job.subject_key AND n.subject_key <> '' AND n.status IN ('pending', 'processing') AND n.id > job.id
       ), moved AS (
         UPDATE ingest_jobs j SET status = 'pending', attempts = 0, next_attempt_at = ${SQL_NOW}, updated_at = ${SQL_NOW},
           snoozed_since = 0, progress = NULL, overrides = coalesce($2::text, j.overrides),
           brand_id = coalesce($3::bigint, j.brand_id), brandless = coalesce($4::boolean, j.brandless),
           subject = coalesce($5::text, j.subject), subject_key = job.subject_key
         FROM job, newer WHERE j.id = job.id AND job.status = 'failed' AND newer.id IS NULL
         RETURNING j.id
       )
       SELECT job.status, newer.id AS newer, EXISTS (SELECT 1 FROM moved) AS retried FROM job, newer`,
      [
        id,
        correction?.overrides ?? null,
        correction?.brandId ?? null,
        correction?.brandless ?? null,
        correction?.subject ?? null,
        correction?.subjectKey ?? null,
      ],
    );
    const found = rows[0];
    if (found === undefined) return 'not_found';
    if (found.retried) return 'retried';
    return found.newer !== null && found.status === 'failed' ? { newerJob: found.newer } : 'not_failed';
  }
}

export const CLAIM_SQL = `
  WITH due AS MATERIALIZED (
    SELECT id FROM ingest_jobs
    WHERE status = 'pending' AND kind = $1 AND next_attempt_at <= ${SQL_NOW} AND attempts < ${MAX_ATTEMPTS}
      AND NOT EXISTS (SELECT 1 FROM job_kind_pauses p WHERE p.kind = $1)
    ORDER BY next_attempt_at, id
    LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE ingest_jobs j SET
    status = 'processing', attempts = j.attempts + 1, claim_token = nextval('ingest_jobs_claim_token_seq'),
    locked_at = ${SQL_NOW}, claimed_at = ${SQL_NOW}, updated_at = ${SQL_NOW}, locked_by = $3, progress = NULL
  FROM due WHERE j.id = due.id
  RETURNING j.id, j.kind, j.payload, j.overrides, j.brand_id, j.gallery_id, j.subject, j.submitted_by, j.attempts, j.claim_token, j.created_at,
    j.claimed_at, j.snoozed_since`;
