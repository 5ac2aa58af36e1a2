import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AttemptResult, JobStatus } from './ingest-job.state.js';

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
  lockedBy: string | null;
  /** The outcome may be wrong, and a person should look. */
  suspect: boolean;
}

export interface RecordFilter {
  statuses?: readonly JobStatus[] | undefined;
  outcomes?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
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
  endedAt: number;
  worker: string;
  result: AttemptResult;
  errorCode: string | null;
  error: string | null;
}

type Row = Record<string, string | number | boolean | null> & { status: JobStatus; attempts: number };

// No payload: a page of records must not carry a megabyte a row.
const COLUMNS = `j.id, j.kind, j.status, j.outcome, j.note, j.subject, j.brand_id, j.gallery_id, j.attempts, j.error_code,
  j.last_error, j.next_attempt_at, j.created_at, j.updated_at, j.submitted_by, j.progress, j.locked_by, j.suspect`;

const UNFINISHED = new Set<JobStatus>(['pending', 'processing', 'failed']);

/** Reads the history that the queue's rows are. Newest first, by keyset on the id. */
@Injectable()
export class UpdateRecordsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * First pages (or the pages after one record) of many brands by one statement. LATERAL, for one brand as for fifty: a
   * plain WHERE … ORDER BY id DESC LIMIT walks the primary key through everybody else's rows.
   */
  async pagesOfBrands(brandIds: readonly string[], page: RecordPage): Promise<UpdateRecord[]> {
    const query = new ConditionList([brandIds, page.first + 1]);
    query.addPage(page);
    return this.read(
      `SELECT r.* FROM unnest($1::bigint[]) WITH ORDINALITY AS b (brand_id, place)
       CROSS JOIN LATERAL (
         SELECT ${COLUMNS} FROM ingest_jobs j
         WHERE j.brand_id = b.brand_id ${query.sql} ORDER BY j.id DESC LIMIT $2
       ) AS r
       ORDER BY b.place, r.id DESC`,
      query.params,
    );
  }

  /** Records that belong to no brand: on purpose, or because the brand is not known. */
  async pageWithoutBrand(which: 'brandless' | 'unknown', page: RecordPage): Promise<UpdateRecord[]> {
    const query = new ConditionList([page.first + 1]);
    query.addPage(page);
    const brandless = which === 'brandless' ? 'j.brandless' : 'NOT j.brandless';
    return this.read(
      `SELECT ${COLUMNS} FROM ingest_jobs j
       WHERE j.brand_id = 0 AND ${brandless} ${query.sql} ORDER BY j.id DESC LIMIT $1`,
      query.params,
    );
  }

  async pageOfAll(page: RecordPage): Promise<UpdateRecord[]> {
    const query = new ConditionList([page.first + 1]);
    query.addPage(page);
    return this.read(
      `SELECT ${COLUMNS} FROM ingest_jobs j WHERE true ${query.sql} ORDER BY j.id DESC LIMIT $1`,
      query.params,
    );
  }

  async byIds(ids: readonly string[]): Promise<UpdateRecord[]> {
    return this.read(`SELECT ${COLUMNS} FROM ingest_jobs j WHERE j.id = ANY($1::bigint[])`, [ids]);
  }

  async attemptsOf(jobIds: readonly string[]): Promise<Map<string, JobAttempt[]>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT job_id, number, started_at, ended_at, worker, result, error_code, error FROM ingest_job_attempts
       WHERE job_id = ANY($1::bigint[]) ORDER BY job_id, claim_token`,
      [jobIds],
    );
    const byJob = new Map<string, JobAttempt[]>(jobIds.map((id) => [id, []]));
    for (const row of rows) {
      byJob.get(String(row['job_id']))?.push({
        number: Number(row['number']),
        startedAt: Number(row['started_at']),
        endedAt: Number(row['ended_at']),
        worker: String(row['worker']),
        result: row['result'] as AttemptResult,
        errorCode: row['error_code'] as string | null,
        error: row['error'] as string | null,
      });
    }
    return byJob;
  }

  /** How many records each brand has, counted no further than `cap + 1`. */
  async cappedCounts(brandIds: readonly string[], cap: number): Promise<Map<string, number>> {
    const rows: { brand_id: string; count: string }[] = await this.dataSource.query(
      `SELECT b.brand_id, c.count FROM unnest($1::bigint[]) AS b (brand_id)
       CROSS JOIN LATERAL (
         SELECT count(*) AS count FROM (SELECT 1 FROM ingest_jobs j WHERE j.brand_id = b.brand_id LIMIT $2) AS some
       ) AS c`,
      [brandIds, cap + 1],
    );
    return new Map(rows.map((row) => [row.brand_id, Number(row.count)]));
  }

  private async read(sql: string, params: unknown[]): Promise<UpdateRecord[]> {
    const rows: Row[] = await this.dataSource.query(sql, params);
    return rows.map((row) => ({
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
      suspect: row['suspect'] === true,
    }));
  }
}

/** Conditions and their parameters, numbered after those that the statement has already. */
class ConditionList {
  sql = '';

  constructor(readonly params: unknown[]) {}

  addPage(page: RecordPage): void {
    const { statuses, outcomes, kinds } = page.filter ?? {};
    if (page.after !== undefined) this.add('j.id < $::bigint', page.after);
    if (statuses) {
      // Said once more in the words of the partial index, which the planner does not derive from a parameter.
      if (statuses.every((status) => UNFINISHED.has(status))) this.sql += ` AND j.status <> 'done'`;
      this.add('j.status = ANY($::varchar[])', statuses);
    }
    // One outcome as an equality, so that (brand_id, outcome, id DESC) gives the rows in order.
    if (outcomes?.length === 1) this.add('j.outcome = $::varchar', outcomes[0]);
    else if (outcomes) this.add('j.outcome = ANY($::varchar[])', outcomes);
    if (kinds) this.add('j.kind = ANY($::varchar[])', kinds);
  }

  private add(condition: string, value: unknown): void {
    this.params.push(value);
    this.sql += ` AND ${condition.replace('$', `$${this.params.length}`)}`;
  }
}
