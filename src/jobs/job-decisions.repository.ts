import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { JobStatus } from './job-status.js';

/** A job with all that a person's decision about it needs. Ids are decimal text, '0' for no brand. */
export interface DecidedJob {
  id: string;
  kind: string;
  status: JobStatus;
  outcome: string | null;
  suspect: boolean;
  payload: string;
  overrides: string | null;
  brandId: string;
  galleryId: string | null;
  submittedBy: string;
}

const DECIDED = `id::text, kind, status, outcome, suspect, payload, overrides, brand_id::text AS "brandId",
  gallery_id::text AS "galleryId", submitted_by AS "submittedBy"`;

/** One job at a time, as a person's decision about it finds and leaves it. */
@Injectable()
export class JobDecisionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: string): Promise<DecidedJob | undefined> {
    const rows: DecidedJob[] = await this.dataSource.query(`SELECT ${DECIDED} FROM ingest_jobs WHERE id = $1`, [id]);
    return rows[0];
  }

  async lock(tx: EntityManager, id: string): Promise<DecidedJob | undefined> {
    const rows: DecidedJob[] = await tx.query(`SELECT ${DECIDED} FROM ingest_jobs WHERE id = $1 FOR NO KEY UPDATE`, [
      id,
    ]);
    return rows[0];
  }

  /** @returns whether it was suspect until now. When the job last changed stays: it is a word about it, and no work. */
  async clearSuspect(tx: EntityManager, id: string): Promise<boolean> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      'UPDATE ingest_jobs SET suspect = false WHERE id = $1 AND suspect RETURNING id',
      [id],
    );
    return rows.length > 0;
  }

  /** Jobs without overrides are left out. */
  async overridesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows: { id: string; overrides: string }[] = await this.dataSource.query(
      'SELECT id, overrides FROM ingest_jobs WHERE id = ANY($1::bigint[]) AND overrides IS NOT NULL',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.overrides]));
  }
}
