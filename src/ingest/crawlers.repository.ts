import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { SecretUse } from './tally.js';

export interface SealedSecret {
  id: string;
  crawlerId: string;
  crawlerName: string;
  enabled: boolean;
  sealed: Buffer;
  /** Unix seconds; 0: without end. */
  validUntil: number;
}

/** A secret as people may see it: everything but the secret. Times are unix seconds, 0 for none. */
export interface SecretView {
  id: string;
  createdAt: number;
  validUntil: number;
  revokedAt: number;
  lastUsedAt: number;
  /** Neither revoked nor over. */
  live: boolean;
}

export interface CrawlerView {
  id: string;
  name: string;
  enabled: boolean;
  createdAt: number;
  /** Oldest first; those that are not live too. */
  secrets: SecretView[];
}

type ListRow = { id: string; name: string; enabled: boolean; created_at: string; secrets: SecretView[] };

const LIVE = `s.revoked_at = 0 AND (s.valid_until = 0 OR s.valid_until > ${SQL_NOW})`;

/** `crawlers` and `crawler_secrets`. Private to the door. */
@Injectable()
export class CrawlersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Every live secret, those of crawlers that are switched off too. */
  async liveSecrets(tx: EntityManager): Promise<SealedSecret[]> {
    const rows = await tx.query<
      { id: string; crawler_id: string; name: string; enabled: boolean; sealed: Buffer; valid_until: string }[]
    >(
      `SELECT s.id, s.crawler_id, c.name, c.enabled, s.sealed, s.valid_until
       FROM crawler_secrets s JOIN crawlers c ON c.id = s.crawler_id WHERE ${LIVE} ORDER BY s.id`,
    );
    return rows.map((row) => ({
      id: row.id,
      crawlerId: row.crawler_id,
      crawlerName: row.name,
      enabled: row.enabled,
      sealed: row.sealed,
      validUntil: Number(row.valid_until),
    }));
  }

  /** By name. @param name of the only one to list */
  async list(name?: string): Promise<CrawlerView[]> {
    const rows: ListRow[] = await this.dataSource.query(
      `SELECT c.id, c.name, c.enabled, c.created_at, coalesce(json_agg(json_build_object(
           'id', s.id::text, 'createdAt', s.created_at, 'validUntil', s.valid_until, 'revokedAt', s.revoked_at,
           'lastUsedAt', s.last_used_at, 'live', ${LIVE}) ORDER BY s.id) FILTER (WHERE s.id IS NOT NULL), '[]') AS secrets
       FROM crawlers c LEFT JOIN crawler_secrets s ON s.crawler_id = c.id
       WHERE $1::text IS NULL OR c.name = $1 GROUP BY c.id ORDER BY c.name COLLATE "C"`,
      [name ?? null],
    );
    return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt: Number(createdAt) }));
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

  /** Whoever changes a crawler's secrets takes turns, until the transaction ends. @returns its id */
  async lock(tx: EntityManager, name: string): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>('SELECT id FROM crawlers WHERE name = $1 FOR NO KEY UPDATE', [name]);
    return rows[0]?.id;
  }

  /** @returns whether that was a change */
  async setEnabled(tx: EntityManager, crawlerId: string, enabled: boolean): Promise<boolean> {
    const [, changed] = await tx.query<[unknown[], number]>(
      `UPDATE crawlers SET enabled = $2, updated_at = ${SQL_NOW} WHERE id = $1 AND enabled <> $2`,
      [crawlerId, enabled],
    );
    return changed > 0;
  }

  /** @returns the new secret's id; undefined when some crawler has this very secret already, live or not */
  async insertSecret(
    tx: EntityManager,
    crawlerId: string,
    sealed: Buffer,
    fingerprint: Buffer,
  ): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>(
      `INSERT INTO crawler_secrets (crawler_id, sealed, fingerprint, created_at) VALUES ($1, $2, $3, ${SQL_NOW})
       ON CONFLICT (fingerprint) DO NOTHING RETURNING id`,
      [crawlerId, sealed, fingerprint],
    );
    return rows[0]?.id;
  }

  /** Ids of a crawler's live secrets, oldest first. */
  async liveSecretIds(tx: EntityManager, crawlerId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT s.id FROM crawler_secrets s WHERE s.crawler_id = $1 AND ${LIVE} ORDER BY s.id`,
      [crawlerId],
    );
    return rows.map((row) => row.id);
  }

  /** Lets live secrets end after so many seconds. One that ends sooner keeps its end. */
  async endSecrets(tx: EntityManager, ids: readonly string[], afterSeconds: number): Promise<void> {
    await tx.query(
      `UPDATE crawler_secrets s SET valid_until = ${SQL_NOW} + $2::bigint
       WHERE s.id = ANY($1::bigint[]) AND ${LIVE} AND (s.valid_until = 0 OR s.valid_until > ${SQL_NOW} + $2::bigint)`,
      [ids, afterSeconds],
    );
  }

  async revokeSecrets(tx: EntityManager, ids: readonly string[]): Promise<void> {
    await tx.query(
      `UPDATE crawler_secrets s SET revoked_at = ${SQL_NOW} WHERE s.id = ANY($1::bigint[]) AND s.revoked_at = 0`,
      [ids],
    );
  }

  /** Locked in the order of ids first: two processes that saw the same secrets do not deadlock. */
  async markUsed(tx: EntityManager, uses: readonly SecretUse[]): Promise<void> {
    await tx.query(
      `WITH used AS MATERIALIZED (
         SELECT s.id, u.used_at FROM crawler_secrets s JOIN unnest($1::bigint[], $2::bigint[]) AS u (id, used_at) USING (id)
         WHERE s.last_used_at < u.used_at ORDER BY s.id FOR NO KEY UPDATE OF s
       )
       UPDATE crawler_secrets s SET last_used_at = used.used_at FROM used WHERE s.id = used.id`,
      [uses.map((use) => use.secretId), uses.map((use) => use.usedAt)],
    );
  }
}
