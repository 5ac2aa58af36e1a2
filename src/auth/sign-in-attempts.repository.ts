import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

export interface AttemptCount {
  subject: string;
  count: number;
  /** Seconds until the count begins anew. */
  resetsIn: number;
}

/** `sign_in_attempts`: counts in windows, for all processes together. */
@Injectable()
export class SignInAttemptsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts one more of each, in the order of subjects: two that count the same do not deadlock. */
  async count(subjects: readonly string[], windowSeconds: number): Promise<AttemptCount[]> {
    return this.dataSource.query(
      `INSERT INTO sign_in_attempts AS a (subject, count, resets_at)
       SELECT s, 1, ${SQL_NOW} + $2::bigint FROM unnest($1::text[]) AS s ORDER BY s
       ON CONFLICT (subject) DO UPDATE SET
         count = CASE WHEN a.resets_at <= ${SQL_NOW} THEN 1 ELSE a.count + 1 END,
         resets_at = CASE WHEN a.resets_at <= ${SQL_NOW} THEN EXCLUDED.resets_at ELSE a.resets_at END
       RETURNING a.subject, a.count, (a.resets_at - ${SQL_NOW})::int AS "resetsIn"`,
      [subjects, windowSeconds],
    );
  }

  /** Takes one back of each: the attempt was a good one. */
  async takeBack(tx: EntityManager, subjects: readonly string[]): Promise<void> {
    await tx.query(
      `WITH counted AS MATERIALIZED (
         SELECT subject FROM sign_in_attempts WHERE subject = ANY ($1::text[]) ORDER BY subject FOR NO KEY UPDATE
       )
       UPDATE sign_in_attempts a SET count = greatest(a.count - 1, 0) FROM counted WHERE a.subject = counted.subject`,
      [subjects],
    );
  }

  async forgetOver(tx: EntityManager): Promise<number> {
    const [, gone] = await tx.query<[unknown[], number]>(
      `WITH over AS (
         SELECT subject FROM sign_in_attempts WHERE resets_at <= ${SQL_NOW} FOR UPDATE SKIP LOCKED
       )
       DELETE FROM sign_in_attempts a USING over WHERE a.subject = over.subject`,
    );
    return gone;
  }
}
