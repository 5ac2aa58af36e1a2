import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

/** Marks what a clean-up may remove, before it removes it: the mark is what restoring and retrying run against. */
@Injectable()
export class CleanupRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Under the gallery's lock: looks whether it is still deleted, by the deletion that asked for this clean-up, and if so
   * marks it and its pictures as gone. The event is written once, by the try that marks.
   * @returns object keys to remove; undefined when the gallery was restored in time
   */
  async markPurged(
    tx: EntityManager,
    galleryId: string,
    deletedAt: number | undefined,
    jobId: string,
  ): Promise<string[] | undefined> {
    const found: { deleted_at: string; purged_at: string }[] = await tx.query(
      'SELECT deleted_at, purged_at FROM galleries WHERE id = $1 FOR UPDATE',
      [galleryId],
    );
    const deleted = Number(found[0]?.deleted_at ?? 0);
    const stillDeleted = deleted > 0 && (deletedAt === undefined || deleted === deletedAt);
    // A clean-up that marked before the restore came goes on: those files are promised to nobody any more.
    if (!stillDeleted && Number(found[0]?.purged_at ?? 0) === 0) return undefined;
    if (stillDeleted) {
      const [marked] = await tx.query<[unknown[], number]>(
        `UPDATE gallery_pictures SET state = 'missing' WHERE gallery_id = $1 AND state = 'stored' RETURNING position`,
        [galleryId],
      );
      await tx.query(
        `WITH purged AS (
           UPDATE galleries SET purged_at = ${SQL_NOW} WHERE id = $1 AND (purged_at = 0 OR $2::bigint > 0) RETURNING id)
         INSERT INTO gallery_events (gallery_id, at, actor, action, job_id)
         SELECT id, ${SQL_NOW}, 'runway-ingest', 'purged', $3::bigint FROM purged`,
        [galleryId, marked.length, jobId],
      );
    }
    const rows: { object_key: string }[] = await tx.query(
      `SELECT object_key FROM gallery_pictures WHERE gallery_id = $1 AND state = 'missing' AND object_key IS NOT NULL
       ORDER BY position`,
      [galleryId],
    );
    return rows.map((row) => row.object_key);
  }

  /** Takes a final job's untaken slots, so that a retry of that job waits until they are gone. @returns object keys */
  async takeSlots(tx: EntityManager, jobId: string, jobIsFinal: boolean): Promise<string[]> {
    if (jobIsFinal) {
      await tx.query(`UPDATE ingest_pictures SET state = 'removing' WHERE job_id = $1 AND object_key IS NOT NULL`, [
        jobId,
      ]);
    }
    const rows: { object_key: string }[] = await tx.query(
      `SELECT object_key FROM ingest_pictures WHERE job_id = $1 AND state = 'removing' ORDER BY position`,
      [jobId],
    );
    return rows.map((row) => row.object_key);
  }

  /** Whether a clean-up still has the object to remove. */
  async isTaken(jobId: string, key: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM ingest_pictures WHERE job_id = $1 AND object_key = $2 AND state = 'removing'`,
      [jobId, key],
    );
    return rows.length > 0;
  }

  async forgetSlots(tx: EntityManager, jobId: string): Promise<void> {
    await tx.query(`DELETE FROM ingest_pictures WHERE job_id = $1 AND state = 'removing'`, [jobId]);
  }

  /** Of these keys, those that no stored picture and no slot refers to. */
  async unreferenced(keys: readonly string[]): Promise<string[]> {
    const rows: { key: string }[] = await this.dataSource.query(
      `SELECT key FROM unnest($1::text[]) AS key
       WHERE NOT EXISTS (SELECT 1 FROM gallery_pictures p WHERE p.object_key = key AND p.state = 'stored')
         AND NOT EXISTS (SELECT 1 FROM ingest_pictures s WHERE s.object_key = key)`,
      [keys],
    );
    return rows.map((row) => row.key);
  }

  /**
   * Jobs with slots that name an object, by job id; whatever the slot's state: a picture that could not be fetched again
   * may have been put by an earlier try, and the clean-up that took one may have failed. Whether such a job is final, the
   * queue knows.
   */
  async jobsWithSlots(limit: number, afterJobId: string): Promise<string[]> {
    const rows: { job_id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT job_id FROM ingest_pictures WHERE object_key IS NOT NULL AND job_id > $2
       ORDER BY job_id LIMIT $1`,
      [limit, afterJobId],
    );
    return rows.map((row) => row.job_id);
  }
}
