import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SlotState } from './ingest-picture.entity.js';

/** A picture slot of a crawl under way. */
export interface PictureSlot {
  position: number;
  url: string;
  state: SlotState;
  tries: number;
  errorCode: string | null;
  error: string | null;
  objectKey: string | null;
  sha256: string | null;
  contentType: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  thumbhash: string | null;
}

/** What is known of a fetched picture before its object is put. */
export interface SlotPicture {
  objectKey: string;
  sha256: string;
  contentType: string;
  width: number;
  height: number;
  bytes: number;
  thumbhash: string;
}

interface SlotRow {
  position: number;
  url: string;
  state: SlotState;
  tries: number;
  error_code: string | null;
  error: string | null;
  object_key: string | null;
  sha256: string | null;
  content_type: string | null;
  width: number | null;
  height: number | null;
  bytes: string | null;
  thumbhash: string | null;
}

/**
 * The slots of crawls. Each move is a short transaction; a slot that a clean-up has taken (`removing`), or that is gone
 * because another worker finished the job, is moved by nobody.
 */
@Injectable()
export class PictureSlotsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes the slots that are not there yet. @returns all of the job's, by position */
  async prepare(jobId: string, pictures: readonly { position: number; url: string }[]): Promise<PictureSlot[]> {
    await this.dataSource.query(
      `INSERT INTO ingest_pictures (job_id, position, url)
       SELECT $1, p.position, p.url FROM unnest($2::int[], $3::text[]) AS p (position, url)
       ON CONFLICT ON CONSTRAINT ingest_pictures_pkey DO NOTHING`,
      [jobId, pictures.map((picture) => picture.position), pictures.map((picture) => picture.url)],
    );
    return this.of(jobId);
  }

  async of(jobId: string): Promise<PictureSlot[]> {
    const rows: SlotRow[] = await this.dataSource.query(
      `SELECT position, url, state, tries, error_code, error, object_key, sha256, content_type, width, height, bytes, thumbhash
       FROM ingest_pictures WHERE job_id = $1 ORDER BY position`,
      [jobId],
    );
    return rows.map((row) => ({
      position: row.position,
      url: row.url,
      state: row.state,
      tries: row.tries,
      errorCode: row.error_code,
      error: row.error,
      objectKey: row.object_key,
      sha256: row.sha256,
      contentType: row.content_type,
      width: row.width,
      height: row.height,
      bytes: row.bytes === null ? null : Number(row.bytes),
      thumbhash: row.thumbhash,
    }));
  }

  /** Gives slots up no longer: whoever asked for the job to be retried may have mended what was wrong with them. */
  async reopenFailed(jobId: string): Promise<void> {
    await this.dataSource.query(`UPDATE ingest_pictures SET state = 'waiting' WHERE job_id = $1 AND state = 'failed'`, [
      jobId,
    ]);
  }

  /**
   * Commits the key of an object that is about to be put.
   * @returns undefined when the slot is no longer this crawl's to fill; else the slot's earlier key, of other bytes, that
   * only the caller knows of from now on
   */
  async announce(
    tx: EntityManager,
    jobId: string,
    position: number,
    picture: SlotPicture,
  ): Promise<{ displaced: string | null } | undefined> {
    const [rows] = await tx.query<[{ displaced: string | null }[], number]>(
      `UPDATE ingest_pictures s SET state = 'storing', tries = s.tries + 1, error_code = NULL, error = NULL, object_key = $3,
         sha256 = $4, content_type = $5, width = $6, height = $7, bytes = $8, thumbhash = $9
       FROM (SELECT object_key FROM ingest_pictures
             WHERE job_id = $1 AND position = $2 AND state IN ('waiting', 'storing') FOR UPDATE) AS before
       WHERE s.job_id = $1 AND s.position = $2 RETURNING nullif(before.object_key, $3) AS displaced`,
      [
        jobId,
        position,
        picture.objectKey,
        picture.sha256,
        picture.contentType,
        picture.width,
        picture.height,
        picture.bytes,
        picture.thumbhash,
      ],
    );
    return rows[0];
  }

  /** @returns false when the slot is not waiting for this very object (any more) */
  async markStored(jobId: string, position: number, key: string): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest_pictures SET state = 'stored'
       WHERE job_id = $1 AND position = $2 AND state = 'storing' AND object_key = $3 RETURNING position`,
      [jobId, position, key],
    );
    return rows.length > 0;
  }

  /** @param giveUp whether no further try can help */
  async markFailed(jobId: string, position: number, code: string, error: string, giveUp: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest_pictures SET state = CASE WHEN $5 THEN 'failed' ELSE 'waiting' END, tries = tries + 1,
         error_code = $3, error = $4
       WHERE job_id = $1 AND position = $2 AND state IN ('waiting', 'storing')`,
      [jobId, position, code, error, giveUp],
    );
  }

  /** The gallery's commit turns the slots into its pictures: they are no crawl's any more. */
  async take(tx: EntityManager, jobId: string, positions: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM ingest_pictures WHERE job_id = $1 AND position = ANY($2::int[])', [jobId, positions]);
  }
}
