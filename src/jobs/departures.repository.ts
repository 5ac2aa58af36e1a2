import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { Departure } from './ingest-job.state.js';

/**
 * The one way out of `processing` for whoever holds the job: the row and its attempt change in the same statement, and
 * only while the claim token is still ours. A `status` in the WHERE is left out on purpose: it drew the planner off the
 * primary key, and the token alone is the fence.
 */
@Injectable()
export class DeparturesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param tx the transaction that also writes the archive; an own one-statement transaction when left out
   * @returns ids of the jobs that were still held; whatever is not in it was lost and nothing was written for it
   */
  async depart(departures: readonly Departure[], tx: EntityManager = this.dataSource.manager): Promise<Set<string>> {
    const rows: { job_id: string }[] = await tx.query(DEPART_SQL, [
      departures.map((d) => d.id),
      departures.map((d) => d.claimToken),
      departures.map((d) => d.result),
      departures.map((d) => d.status),
      departures.map((d) => (d.counted ? 0 : 1)),
      departures.map((d) => d.delaySeconds),
      departures.map((d) => d.error?.code ?? null),
      departures.map((d) => d.error?.message ?? null),
      departures.map((d) => d.settlement?.outcome ?? null),
      departures.map((d) => d.settlement?.note ?? null),
      departures.map((d) => d.settlement?.brandId ?? null),
      departures.map((d) => d.settlement?.brandless ?? null),
      departures.map((d) => d.settlement?.galleryId ?? null),
      departures.map((d) => d.settlement?.subject ?? null),
      departures.map((d) => d.settlement?.subjectKey ?? null),
      departures.map((d) => d.settlement?.suspect ?? false),
    ]);
    return new Set(rows.map((row) => row.job_id));
  }

  /** How the claim ended, once it has: tells a commit whose answer was lost from one that never was. */
  async resultOf(jobId: string, claimToken: string): Promise<string | undefined> {
    const rows: { result: string }[] = await this.dataSource.query(
      'SELECT result FROM ingest_job_attempts WHERE job_id = $1 AND claim_token = $2',
      [jobId, claimToken],
    );
    return rows[0]?.result;
  }

  /**
   * Fails a job that an editor gave up, whoever holds it: the holder learns it at its next heartbeat or at its commit.
   * @returns false when the job had ended already
   */
  async cancel(id: string, reason: string, tx: EntityManager = this.dataSource.manager): Promise<boolean> {
    const rows: { id: string }[] = await tx.query(
      `WITH job AS MATERIALIZED (
         SELECT id, status, claim_token, attempts, claimed_at, locked_by FROM ingest_jobs
         WHERE id = $1 AND status IN ('pending', 'processing') FOR NO KEY UPDATE
       ), attempt AS (
         INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error)
         SELECT id, claim_token, attempts, claimed_at, ${SQL_NOW}, locked_by, 'cancelled', 'cancelled', $2 FROM job
         WHERE status = 'processing'
         ON CONFLICT DO NOTHING
       ), moved AS (
         UPDATE ingest_jobs j SET status = 'failed', claim_token = 0, locked_at = 0, next_attempt_at = 0,
           updated_at = ${SQL_NOW}, error_code = 'cancelled', last_error = $2, progress = NULL
         FROM job WHERE j.id = job.id RETURNING j.id
       )
       SELECT id FROM moved`,
      [id, reason],
    );
    return rows.length > 0;
  }
}

export const DEPART_SQL = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::varchar[], $4::varchar[], $5::smallint[], $6::bigint[],
                         $7::varchar[], $8::text[], $9::varchar[], $10::text[], $11::bigint[], $12::boolean[],
                         $13::bigint[], $14::text[], $15::text[], $16::boolean[])
      AS g (id, token, result, status, uncounted, delay, error_code, error, outcome, note, brand_id, brandless, gallery_id,
            subject, subject_key, suspect)
  ), held AS MATERIALIZED (
    SELECT j.id, j.claim_token, j.attempts, j.claimed_at, j.locked_by
    FROM ingest_jobs j JOIN given g ON j.id = g.id AND j.claim_token = g.token
    ORDER BY j.id
    FOR NO KEY UPDATE OF j
  ), moved AS (
    UPDATE ingest_jobs j SET
      status = g.status,
      attempts = j.attempts - g.uncounted,
      claim_token = 0,
      locked_at = 0,
      next_attempt_at = CASE WHEN g.status = 'pending' THEN ${SQL_NOW} + g.delay ELSE 0 END,
      updated_at = ${SQL_NOW},
      snoozed_since = CASE WHEN g.result = 'snoozed' AND j.snoozed_since = 0 THEN ${SQL_NOW} ELSE j.snoozed_since END,
      -- A hand-back says nothing about the job: what the last real attempt said stays.
      error_code = CASE WHEN g.result = 'released' THEN j.error_code ELSE g.error_code END,
      last_error = CASE WHEN g.result = 'released' THEN j.last_error ELSE g.error END,
      outcome = g.outcome,
      note = coalesce(g.note, j.note),
      brand_id = coalesce(g.brand_id, j.brand_id),
      brandless = coalesce(g.brandless, j.brandless),
      gallery_id = coalesce(g.gallery_id, j.gallery_id),
      subject = coalesce(g.subject, j.subject),
      subject_key = coalesce(g.subject_key, j.subject_key),
      suspect = g.suspect,
      progress = NULL
    FROM given g JOIN held h ON h.id = g.id
    WHERE j.id = h.id
    RETURNING j.id
  )
  INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error)
  SELECT h.id, h.claim_token, h.attempts, h.claimed_at, ${SQL_NOW}, h.locked_by, g.result, g.error_code, g.error
  FROM held h JOIN given g ON g.id = h.id
  RETURNING job_id`;
