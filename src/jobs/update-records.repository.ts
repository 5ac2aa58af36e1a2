import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { JOB_STATUSES, type AttemptResult, type JobStatus } from './ingest-job.state.js';

/** One job as a record of what an update did. Ids are decimal text, times unix seconds, 0 for none. */
export interface UpdateRecord {
  id: string;
  kind: string;
  status: JobStatus;
  outcome: string | null;
  note: string | null;
  subject: string;
  brandId: string;
  galleryId: string | null;
  attempts: number;
  errorCode: string | null;
  lastError: string | null;
  nextAttemptAt: number;
  createdAt: number;
  updatedAt: number;
  submittedBy: string;
  progress: string | null;
  /** Who holds it, or held it last. */
  lockedBy: string | null;
  claimedAt: number;
  /** The outcome may be wrong, and a person should look. */
  suspect: boolean;
}

export interface RecordFilter {
  statuses?: readonly JobStatus[] | undefined;
  outcomes?: readonly string[] | undefined;
}

export interface RecordPage {
  /** At most so many rows; one more is read to know whether there are more. */
  first: number;
  /** Id of the record that the page comes after. */
  after?: string | undefined;
  filter?: RecordFilter | undefined;
}

export interface JobAttempt {
  number: number;
  startedAt: number;
  /** null while it runs, as its result. */
  endedAt: number | null;
  worker: string;
  result: AttemptResult | null;
  errorCode: string | null;
  error: string | null;
}

export type RecordRow = Record<string, string | number | boolean | null> & { status: JobStatus; attempts: number };

// No payload: a page of records must not carry a megabyte a row.
export const RECORD_COLUMNS = `j.id, j.kind, j.status, j.outcome, j.note, j.subject, j.brand_id, j.gallery_id, j.attempts, j.error_code,
  j.last_error, j.next_attempt_at, j.created_at, j.updated_at, j.submitted_by, j.progress, j.locked_by, j.claimed_at,
  j.suspect`;

/** Reads the history that the queue's rows are. Newest first, by keyset on the id. */
@Injectable()
export class UpdateRecordsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * First pages (or the pages after one record) of many brands by one statement. LATERAL, for one brand as for fifty: a
   * plain WHERE … ORDER BY id DESC LIMIT walks the primary key through everybody else's rows.
   */
  async pagesOfBrands(brandIds: readonly string[], page: RecordPage): Promise<UpdateRecord[]> {
    const newest = new NewestRecords('j.brand_id = b.brand_id', page);
    const brands = newest.param(brandIds, 'bigint[]');
    return this.read(
      `SELECT r.* FROM unnest(${brands}) WITH ORDINALITY AS b (brand_id, place)
       CROSS JOIN LATERAL (${newest.sql}) AS r
       ORDER BY b.place, r.id DESC`,
      newest.params,
    );
  }

  /** Records that belong to no brand: on purpose, or because the brand is not known. */
  async pageWithoutBrand(which: 'brandless' | 'unknown', page: RecordPage): Promise<UpdateRecord[]> {
    const brandless = which === 'brandless' ? 'j.brandless' : 'NOT j.brandless';
    const newest = new NewestRecords(`j.brand_id = 0 AND ${brandless}`, page);
    return this.read(newest.sql, newest.params);
  }

  async byIds(ids: readonly string[], tx?: EntityManager): Promise<UpdateRecord[]> {
    return this.read(`SELECT ${RECORD_COLUMNS} FROM ingest_jobs j WHERE j.id = ANY($1::bigint[])`, [ids], tx);
  }

  /** Ended attempts, and the one that runs now; oldest first. */
  async attemptsOf(jobIds: readonly string[]): Promise<Map<string, JobAttempt[]>> {
    const rows: RecordRow[] = await this.dataSource.query(
      `SELECT job_id, claim_token, number, started_at, ended_at, worker, result, error_code, error FROM ingest_job_attempts
       WHERE job_id = ANY($1::bigint[])
       UNION ALL
       SELECT id, claim_token, attempts, claimed_at, NULL, locked_by, NULL, NULL, NULL FROM ingest_jobs
       WHERE id = ANY($1::bigint[]) AND status = 'processing'
       ORDER BY job_id, claim_token`,
      [jobIds],
    );
    const byJob = new Map<string, JobAttempt[]>(jobIds.map((id) => [id, []]));
    for (const row of rows) {
      byJob.get(String(row['job_id']))?.push({
        number: Number(row['number']),
        startedAt: Number(row['started_at']),
        endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
        worker: String(row['worker']),
        result: row['result'] as AttemptResult | null,
        errorCode: row['error_code'] as string | null,
        error: row['error'] as string | null,
      });
    }
    return byJob;
  }

  async payloadsOf(jobIds: readonly string[]): Promise<Map<string, string>> {
    const rows: { id: string; payload: string }[] = await this.dataSource.query(
      'SELECT id, payload FROM ingest_jobs WHERE id = ANY($1::bigint[])',
      [jobIds],
    );
    return new Map(rows.map((row) => [row.id, row.payload]));
  }

  /** How many records each brand has, counted no further than `cap + 1`. */
  async cappedCounts(brandIds: readonly string[], cap: number): Promise<Map<string, number>> {
    const rows: { brand_id: string; count: string }[] = await this.dataSource.query(
      `SELECT b.brand_id, c.count FROM unnest($1::bigint[]) AS b (brand_id)
       CROSS JOIN LATERAL (
         SELECT count(*) AS count FROM (SELECT 1 FROM ingest_jobs j WHERE j.brand_id = b.brand_id LIMIT $2) AS counted
       ) AS c`,
      [brandIds, cap + 1],
    );
    return new Map(rows.map((row) => [row.brand_id, Number(row.count)]));
  }

  private async read(
    sql: string,
    params: unknown[],
    tx: EntityManager = this.dataSource.manager,
  ): Promise<UpdateRecord[]> {
    const rows: RecordRow[] = await tx.query(sql, params);
    return rows.map(recordOf);
  }
}

/** A row of {@link RECORD_COLUMNS}. */
export function recordOf(row: RecordRow): UpdateRecord {
  return {
    id: String(row['id']),
    kind: String(row['kind']),
    status: row.status,
    outcome: row['outcome'] as string | null,
    note: row['note'] as string | null,
    subject: String(row['subject']),
    brandId: String(row['brand_id']),
    galleryId: row['gallery_id'] as string | null,
    attempts: row.attempts,
    errorCode: row['error_code'] as string | null,
    lastError: row['last_error'] as string | null,
    nextAttemptAt: Number(row['next_attempt_at']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    submittedBy: String(row['submitted_by']),
    progress: row['progress'] as string | null,
    lockedBy: (row['locked_by'] as string) || null,
    claimedAt: Number(row['claimed_at']),
    suspect: row['suspect'] === true,
  };
}

/**
 * One page, newest first: a branch for each status or outcome that is asked for, of which each reads its rows off an index
 * in their order and stops at the limit. With a list of values in one condition the planner reads and sorts all that
 * match, or walks past all that do not.
 */
class NewestRecords {
  readonly params: unknown[] = [];
  readonly sql: string;

  constructor(where: string, { first, after, filter = {} }: RecordPage) {
    const conditions = [where];
    if (after !== undefined) conditions.push(`j.id < ${this.param(after, 'bigint')}`);
    const limit = this.param(first + 1, 'int');
    const branches = this.alternatives(filter).map(
      (alternative) =>
        `(SELECT ${RECORD_COLUMNS} FROM ingest_jobs j WHERE ${[...conditions, alternative].join(' AND ')}
          ORDER BY j.id DESC LIMIT ${limit})`,
    );
    this.sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) AS branches ORDER BY id DESC LIMIT ${limit}`;
  }

  param(value: unknown, type: string): string {
    this.params.push(value);
    return `$${this.params.length}::${type}`;
  }

  /** Statuses as literals, out of our own list: the planner proves a partial index from nothing else. */
  private alternatives({ statuses, outcomes }: RecordFilter): string[] {
    const wanted = JOB_STATUSES.filter((status) => statuses?.includes(status) ?? true);
    // Only what is done has an outcome.
    const found = outcomes
      ? [...new Set(wanted.includes('done') ? outcomes : [])].map((one) => `j.outcome = ${this.param(one, 'varchar')}`)
      : wanted.map((status) => `j.status = '${status}'`);
    if (!outcomes && wanted.length === JOB_STATUSES.length) return ['true'];
    return found.length > 0 ? found : ['false'];
  }
}
