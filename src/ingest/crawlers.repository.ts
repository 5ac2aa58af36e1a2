import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

export interface SealedSecret {
  crawlerId: string;
  crawlerName: string;
  enabled: boolean;
  sealed: Buffer;
  /** Unix seconds; 0: without end. */
  validUntil: number;
}

/** `crawlers` and `crawler_secrets`. Private to the door. */
@Injectable()
export class CrawlersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Every secret that is neither revoked nor over, those of crawlers that are switched off too. */
  liveSecrets(): Promise<SealedSecret[]> {
    return this.dataSource
      .query<{ crawler_id: string; name: string; enabled: boolean; sealed: Buffer; valid_until: string }[]>(
        `SELECT s.crawler_id, c.name, c.enabled, s.sealed, s.valid_until
         FROM crawler_secrets s JOIN crawlers c ON c.id = s.crawler_id
         WHERE s.revoked_at = 0 AND (s.valid_until = 0 OR s.valid_until > ${SQL_NOW})
         ORDER BY s.id`,
      )
      .then((rows) =>
        rows.map((row) => ({
          crawlerId: row.crawler_id,
          crawlerName: row.name,
          enabled: row.enabled,
          sealed: row.sealed,
          validUntil: Number(row.valid_until),
        })),
      );
  }

  /** @returns the new crawler's id; undefined when the name is taken */
  async insert(tx: EntityManager, name: string): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>(
      `INSERT INTO crawlers (name, created_at, updated_at) VALUES ($1, ${SQL_NOW}, ${SQL_NOW})
       ON CONFLICT (name) DO NOTHING RETURNING id`,
      [name],
    );
    return rows[0]?.id;
  }

  /** @returns false when some crawler has this very secret already, live or not */
  async insertSecret(tx: EntityManager, crawlerId: string, sealed: Buffer, fingerprint: Buffer): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `INSERT INTO crawler_secrets (crawler_id, sealed, fingerprint, created_at) VALUES ($1, $2, $3, ${SQL_NOW})
       ON CONFLICT (fingerprint) DO NOTHING RETURNING id`,
      [crawlerId, sealed, fingerprint],
    );
    return rows.length === 1;
  }
}
