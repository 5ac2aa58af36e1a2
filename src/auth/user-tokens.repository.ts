import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { Known } from './user-sessions.repository.js';

/** Times are unix seconds; null for none. */
export interface TokenView {
  id: string;
  label: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Neither revoked nor over. */
  live: boolean;
}

/** Not every request writes: a token's last use is known to the minute. */
const MARKED_EVERY_SECONDS = 60;

const LIVE = `t.revoked_at = 0 AND (t.expires_at = 0 OR t.expires_at > ${SQL_NOW})`;
const VIEW = `t.id::text, t.label, t.created_at::float8 AS "createdAt", nullif(t.last_used_at, 0)::float8 AS "lastUsedAt",
  nullif(t.expires_at, 0)::float8 AS "expiresAt", nullif(t.revoked_at, 0)::float8 AS "revokedAt", ${LIVE} AS live`;

/** `user_tokens`. Private to the admin's door. */
@Injectable()
export class UserTokensRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whose token this is, if it is live and its user enabled. One statement, for every request. */
  async use(tokenSha256: Buffer): Promise<Known | undefined> {
    const rows: Known[] = await this.dataSource.query(
      `WITH marked AS (
         UPDATE user_tokens t SET last_used_at = ${SQL_NOW}
         WHERE t.token_sha256 = $1 AND ${LIVE} AND t.last_used_at < ${SQL_NOW} - ${MARKED_EVERY_SECONDS}
       )
       SELECT t.id::text, u.id::text AS "userId", u.name, u.role FROM user_tokens t JOIN users u ON u.id = t.user_id
       WHERE t.token_sha256 = $1 AND ${LIVE} AND u.disabled_at = 0`,
      [tokenSha256],
    );
    return rows[0];
  }

  /** Newest first, those that are over too. */
  async listOf(userId: string): Promise<TokenView[]> {
    return this.dataSource.query(`SELECT ${VIEW} FROM user_tokens t WHERE t.user_id = $1 ORDER BY t.id DESC`, [userId]);
  }

  async countLive(tx: EntityManager, userId: string): Promise<number> {
    const rows = await tx.query<{ live: number }[]>(
      `SELECT count(*)::int AS live FROM user_tokens t WHERE t.user_id = $1 AND ${LIVE}`,
      [userId],
    );
    return rows[0]?.live ?? 0;
  }

  /** @param expiresAt unix seconds; 0: without end */
  async insert(
    tx: EntityManager,
    token: { userId: string; tokenSha256: Buffer; label: string; expiresAt: number },
  ): Promise<TokenView> {
    const rows = await tx.query<[TokenView]>(
      `INSERT INTO user_tokens AS t (user_id, token_sha256, label, created_at, expires_at)
       VALUES ($1, $2, $3, ${SQL_NOW}, $4) RETURNING ${VIEW}`,
      [token.userId, token.tokenSha256, token.label, token.expiresAt],
    );
    return rows[0];
  }

  /** @returns undefined when the user has no such live token */
  async revoke(tx: EntityManager, userId: string, id: string): Promise<TokenView | undefined> {
    const [rows] = await tx.query<[TokenView[], number]>(
      `UPDATE user_tokens t SET revoked_at = ${SQL_NOW} WHERE t.id = $2 AND t.user_id = $1 AND t.revoked_at = 0 RETURNING ${VIEW}`,
      [userId, id],
    );
    return rows[0];
  }
}
