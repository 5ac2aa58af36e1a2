import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import { MAX_ATTEMPTS } from './ingest-job.state.js';

export interface Lease {
  id: string;
  claimToken: string;
  progress: string | null;
}

/** Anything that can send a statement: the pool, or the heartbeat's own connection. */
export interface Sender {
  query(sql: string, params: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Leases: keeping them, and taking them away from whoever stopped keeping them. */
@Injectable()
export class LeasesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Renews the leases of all jobs of a process by one statement. Rows are locked in the order of their ids and those
   * that somebody else holds just now are passed over: heartbeats, settling and sweeping never deadlock.
   * @returns ids of the renewed ones; one that is missing is lost only if {@link heldTokens} says so
   */
  async renew(sender: Sender, leases: readonly Lease[]): Promise<Set<string>> {
    const { rows } = await sender.query(RENEW_SQL, [
      leases.map((lease) => lease.id),
      leases.map((lease) => lease.claimToken),
      leases.map((lease) => lease.progress),
    ]);
    return new Set((rows as { id: string }[]).map((row) => row.id));
  }

  /** Token that each job bears now, and whether it was cancelled. */
  async heldTokens(
    sender: Sender,
    ids: readonly string[],
  ): Promise<Map<string, { token: string; cancelled: boolean }>> {
    const { rows } = await sender.query(
      `SELECT id, claim_token, coalesce(error_code = 'cancelled', false) AS cancelled FROM ingest_jobs WHERE id = ANY($1::bigint[])`,
      [ids],
    );
    return new Map(
      (rows as { id: string; claim_token: string; cancelled: boolean }[]).map((row) => [
        row.id,
        { token: row.claim_token, cancelled: row.cancelled },
      ]),
    );
  }

  /** Jobs whose lease ran out, oldest first, after a place in that order. Only finds; `reclaim` decides again. */
  async findStuck(
    kinds: readonly string[],
    stuckSeconds: number,
    limit: number,
    after: { lockedAt: string; id: string },
    tx: EntityManager = this.dataSource.manager,
  ): Promise<{ id: string; lockedAt: string }[]> {
    const rows: { id: string; locked_at: string }[] = await tx.query(STUCK_SQL, [
      kinds,
      stuckSeconds,
      limit,
      after.lockedAt,
      after.id,
    ]);
    return rows.map((row) => ({ id: row.id, lockedAt: row.locked_at }));
  }

  /**
   * Takes jobs away from workers that stopped renewing: back to pending, due now, or failed when no attempt is left.
   * State and lease are looked at again under the lock, so that a job that finished or was renewed meanwhile stays.
   */
  async reclaim(
    ids: readonly string[],
    stuckSeconds: number,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<{ reclaimed: number; failed: number }> {
    const rows: { status: string }[] = await tx.query(RECLAIM_SQL, [ids, stuckSeconds]);
    const failed = rows.filter((row) => row.status === 'failed').length;
    return { reclaimed: rows.length - failed, failed };
  }

  /** Fails pending jobs whose attempts are spent, which no claim would ever take. */
  async failSpent(
    kinds: readonly string[],
    limit: number,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<number> {
    const [, count] = await tx.query<[unknown[], number]>(
      `WITH spent AS MATERIALIZED (
         SELECT id FROM ingest_jobs WHERE status = 'pending' AND attempts >= ${MAX_ATTEMPTS} AND kind = ANY($1::varchar[])
         ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ingest_jobs j SET status = 'failed', error_code = 'attempts_spent', updated_at = ${SQL_NOW}, next_attempt_at = 0,
         last_error = concat_ws(E'\\n', 'All ' || j.attempts || ' attempts are spent. Retry it to give it new ones.', nullif(j.last_error, ''))
       FROM spent WHERE j.id = spent.id`,
      [kinds, limit],
    );
    return count;
  }

  /**
   * Gives back, uncounted, what an earlier life of this very process held when it was killed.
   * @param heldNow tokens that this life holds already
   */
  async releaseEarlierLife(worker: string, heldNow: readonly string[]): Promise<number> {
    const rows: unknown[] = await this.dataSource.query(
      `WITH held AS MATERIALIZED (
         SELECT id, claim_token, attempts, claimed_at, locked_by FROM ingest_jobs
         WHERE status = 'processing' AND locked_by = $1 AND claim_token > 0 AND claim_token <> ALL($2::bigint[])
         ORDER BY id FOR NO KEY UPDATE
       ), moved AS (
         UPDATE ingest_jobs j SET status = 'pending', attempts = j.attempts - 1, claim_token = 0, locked_at = 0,
           next_attempt_at = ${SQL_NOW}, updated_at = ${SQL_NOW}, progress = NULL
         FROM held WHERE j.id = held.id
       )
       INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error)
       SELECT id, claim_token, attempts, claimed_at, ${SQL_NOW}, locked_by, 'released', 'worker_restarted', 'The process was started anew'
       FROM held RETURNING job_id`,
      [worker, heldNow],
    );
    return rows.length;
  }
}

export const RENEW_SQL = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::varchar[]) AS g (id, token, progress)
  ), mine AS MATERIALIZED (
    SELECT j.id, g.progress FROM ingest_jobs j JOIN given g ON j.id = g.id AND j.claim_token = g.token
    ORDER BY j.id
    FOR NO KEY UPDATE OF j SKIP LOCKED
  )
  UPDATE ingest_jobs j SET locked_at = ${SQL_NOW}, progress = coalesce(mine.progress, j.progress)
  FROM mine WHERE j.id = mine.id
  RETURNING j.id`;

export const STUCK_SQL = `
  SELECT id, locked_at FROM ingest_jobs
  WHERE status = 'processing' AND kind = ANY($1::varchar[])
    AND locked_at < ${SQL_NOW} - $2::bigint AND (locked_at, id) > ($4::bigint, $5::bigint)
  ORDER BY locked_at, id
  LIMIT $3`;

export const RECLAIM_SQL = `
  WITH stuck AS MATERIALIZED (
    SELECT id, claim_token, attempts, claimed_at, locked_by FROM ingest_jobs
    WHERE id = ANY($1::bigint[]) AND status = 'processing' AND locked_at < ${SQL_NOW} - $2::bigint
    ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE ingest_jobs j SET
      status = CASE WHEN j.attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'pending' END,
      next_attempt_at = CASE WHEN j.attempts >= ${MAX_ATTEMPTS} THEN 0 ELSE ${SQL_NOW} END,
      claim_token = 0, locked_at = 0, updated_at = ${SQL_NOW}, progress = NULL, error_code = 'worker_lost',
      last_error = 'The worker ' || coalesce(nullif(j.locked_by, ''), '(unknown)') || ' stopped answering while it worked on this'
    FROM stuck WHERE j.id = stuck.id
    RETURNING j.id, j.status
  ), attempt AS (
    INSERT INTO ingest_job_attempts (job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error)
    SELECT id, claim_token, attempts, claimed_at, ${SQL_NOW}, locked_by, 'lost', 'worker_lost', 'The worker stopped answering'
    FROM stuck
    ON CONFLICT DO NOTHING
  )
  SELECT status FROM moved`;
