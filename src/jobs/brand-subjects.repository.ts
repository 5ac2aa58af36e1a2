import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JOB_STATUSES, type JobStatus } from './job-status.js';

/** The newest of a brand's jobs that are about one thing and ended, or did not end, in one way. Ids are decimal text. */
export interface SubjectRecord {
  id: string;
  brandId: string;
  subjectKey: string;
  status: JobStatus;
  outcome: string | null;
  /** Unix seconds. */
  updatedAt: number;
}

export interface SubjectsAsked {
  kind: string;
  /** Of what is done, only jobs that came to one of these. */
  outcomes: readonly string[];
  /** How many of each brand's newest jobs are looked at, of each status and of each outcome. */
  perBrand: number;
}

/** What a brand's jobs are about: those that are not done, and those that came to nothing. */
@Injectable()
export class BrandSubjectsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The newest of each brand and status (or outcome) are read off an index until the limit. That is hidden from the
   * planner, which else reads and sorts all that match when it takes the brand for an average one; and the statuses are
   * no literals, since it would walk through everybody's waiting jobs when it thinks that there are few. The kind is asked
   * for only then: before the limit, a brand with many jobs of other kinds would be walked to its end.
   */
  newestOfBrands(brandIds: readonly string[], { kind, outcomes, perBrand }: SubjectsAsked): Promise<SubjectRecord[]> {
    const newest = (condition: string): string => `
      CROSS JOIN LATERAL (
        SELECT j.id, j.kind, j.status, j.outcome, j.subject_key, j.updated_at FROM ingest_jobs j
        WHERE j.brand_id = b.brand_id AND ${condition} ORDER BY j.id DESC LIMIT (SELECT $2::int)
      ) AS r`;
    return this.dataSource.query(
      `SELECT max(id)::text AS id, brand_id::text AS "brandId", subject_key AS "subjectKey", status, outcome,
         max(updated_at)::float8 AS "updatedAt"
       FROM (
         SELECT b.brand_id, r.* FROM unnest($1::bigint[]) AS b (brand_id)
         CROSS JOIN unnest($3::varchar[]) AS s (status) ${newest(`j.status <> 'done' AND j.status = s.status`)}
         UNION ALL
         SELECT b.brand_id, r.* FROM unnest($1::bigint[]) AS b (brand_id)
         CROSS JOIN unnest($4::varchar[]) AS o (outcome) ${newest('j.outcome = o.outcome')}
       ) AS looked_at
       WHERE kind = $5 AND subject_key <> ''
       GROUP BY brand_id, subject_key, status, outcome`,
      [brandIds, perBrand, JOB_STATUSES.filter((status) => status !== 'done'), outcomes, kind],
    );
  }
}
