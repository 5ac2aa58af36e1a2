import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

/** Which kinds are not claimed; the claim itself looks there. */
@Injectable()
export class KindPausesRepository {
  /** @returns false when it was paused already, and then stays as it was */
  async add(tx: EntityManager, kind: string, by: string, reason: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO job_kind_pauses (kind, paused_at, paused_by, reason) VALUES ($1, ${SQL_NOW}, $2, $3)
       ON CONFLICT (kind) DO NOTHING RETURNING kind`,
      [kind, by, reason],
    );
    return rows.length > 0;
  }

  /** @returns false when it was not paused */
  async remove(tx: EntityManager, kind: string): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>('DELETE FROM job_kind_pauses WHERE kind = $1 RETURNING kind', [
      kind,
    ]);
    return rows.length > 0;
  }
}
