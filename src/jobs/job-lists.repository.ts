import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { JobStatus } from './job-status.js';
import { RECORD_COLUMNS, recordOf, type RecordRow, type UpdateRecord } from './update-records.repository.js';

/** What jobs are asked for; all of it together. Times are unix seconds. */
export interface JobFilter {
  statuses?: readonly JobStatus[] | undefined;
  outcomes?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
  brandId?: string | undefined;
  crawler?: string | undefined;
  errorCode?: string | undefined;
  createdFrom?: number | undefined;
  /** The first second that does not count any more. */
  createdTo?: number | undefined;
  /** Part of the note or the last error as it stands there; A to Z in either case. */
  text?: string | undefined;
}

export interface JobScan {
  first: number;
  /** Id that the page comes after. */
  after?: string | undefined;
  filter: JobFilter;
  /** How many jobs are looked at, at most. */
  budget: number;
}

/** Lists of jobs of whatever brand, newest first. */
@Injectable()
export class JobListsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Walks from the newest on and keeps what the filter asks for, until there is one more than asked for or the budget is
   * spent. Any filter costs the same at most, and none needs an index of its own. It walks along whatever index is the
   * narrowest of those in the order of the ids; all limits are hidden from the planner, which otherwise reads and sorts
   * everything where it believes that the limit will not be reached.
   * @returns rows, at most one more than asked for, and where the walk ended when the budget was spent before that
   */
  async page({ first, after, filter, budget }: JobScan): Promise<{ rows: UpdateRecord[]; edge: string | undefined }> {
    const conditions = new JobConditions(filter);
    const { along, newest } = conditions.walk(after);
    const matching = conditions.all('j');
    const [wanted, looks] = [conditions.param(first + 1, 'int'), conditions.param(budget, 'int')];
    const found = `SELECT ${RECORD_COLUMNS} FROM (${newest('*', `LIMIT (SELECT ${looks})`)}) AS j
      WHERE ${matching} ORDER BY j.id DESC LIMIT (SELECT ${wanted})`;
    const last = newest('id', `LIMIT 1 OFFSET (SELECT ${looks} - 1)`);
    const rows: (RecordRow & { edge: string | null })[] = await this.dataSource.query(
      `WITH hits AS MATERIALIZED (${along(found)})
       SELECT h.*, e.id AS edge
       FROM (SELECT CASE WHEN (SELECT count(*) FROM hits) < ${wanted} THEN (${along(last)}) END AS id) AS e
       LEFT JOIN hits h ON true
       ORDER BY h.id DESC`,
      conditions.params,
    );
    return {
      rows: rows.filter((row) => row['id'] !== null).map(recordOf),
      edge: rows[0]?.edge ?? undefined,
    };
  }
}

/** A filter as SQL, and the values that it needs. */
export class JobConditions {
  readonly params: unknown[] = [];

  constructor(private readonly filter: JobFilter) {}

  param(value: unknown, type: string): string {
    this.params.push(value);
    return `$${this.params.length}::${type}`;
  }

  /** Whether row `alias` is one of those that are asked for. */
  all(alias: string): string {
    const { statuses, outcomes, kinds, brandId, crawler, errorCode, createdFrom, createdTo, text } = this.filter;
    const found: string[] = [];
    if (statuses) found.push(`${alias}.status = ANY(${this.param(statuses, 'varchar[]')})`);
    if (outcomes) found.push(`${alias}.outcome = ANY(${this.param(outcomes, 'varchar[]')})`);
    if (kinds) found.push(`${alias}.kind = ANY(${this.param(kinds, 'varchar[]')})`);
    if (brandId !== undefined) found.push(`${alias}.brand_id = ${this.param(brandId, 'bigint')}`);
    if (crawler !== undefined) found.push(`${alias}.submitted_by = ${this.param(crawler, 'text')}`);
    if (errorCode !== undefined) found.push(`${alias}.error_code = ${this.param(errorCode, 'text')}`);
    if (createdFrom !== undefined) found.push(`${alias}.created_at >= ${this.param(createdFrom, 'bigint')}`);
    if (createdTo !== undefined) found.push(`${alias}.created_at < ${this.param(createdTo, 'bigint')}`);
    if (text !== undefined) {
      // By the letters of ASCII, so that every server agrees about what is one letter.
      const part = `lower(${this.param(text, 'text')} COLLATE "C")`;
      const [note, error] = ['note', 'last_error'].map(
        (column) => `strpos(lower(coalesce(${alias}.${column}, '') COLLATE "C"), ${part}) > 0`,
      );
      found.push(`(${note} OR ${error})`);
    }
    return found.length > 0 ? found.join(' AND ') : 'true';
  }

  /**
   * The rows that a page walks along, newest first. A brand's by LATERAL, since else the planner may walk the primary key
   * through everybody else's rows; statuses as literals, since it proves a partial index from nothing else.
   */
  walk(after?: string): Walk {
    const { brandId, statuses, outcomes } = this.filter;
    const only = statuses?.length === 1 ? statuses[0] : undefined;
    const where: string[] = after === undefined ? [] : [`i.id < ${this.param(after, 'bigint')}`];
    if (only === 'failed' || only === 'processing') where.push(`i.status = '${only}'`);
    if (brandId === undefined) return { along: (sql) => sql, newest: newestOf(where) };
    if (only === 'pending') where.push(`i.status = 'pending'`);
    if (only === undefined && outcomes?.length === 1) where.push(`i.outcome = ${this.param(outcomes[0], 'varchar')}`);
    const brand = this.param([brandId], 'bigint[]');
    return {
      along: (sql) => `SELECT w.* FROM unnest(${brand}) AS b (brand_id) CROSS JOIN LATERAL (${sql}) AS w`,
      newest: newestOf(['i.brand_id = b.brand_id', ...where]),
    };
  }
}

/** Rows in their order: a statement over `newest` keeps it, inside `along`. */
interface Walk {
  newest: (columns: '*' | 'id', limit: string) => string;
  along: (sql: string) => string;
}

function newestOf(where: readonly string[]): Walk['newest'] {
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  return (columns, limit) => `SELECT i.${columns} FROM ingest_jobs i ${condition} ORDER BY i.id DESC ${limit}`;
}
