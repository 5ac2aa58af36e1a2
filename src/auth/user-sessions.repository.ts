import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { ActorRole } from './actor.js';

/** Times are unix seconds. */
export interface SessionView {
  id: string;
  address: string;
  userAgent: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

/** Whom a session or a token is of. */
export interface Known {
  /** Of the session or the token. */
  id: string;
  userId: string;
  name: string;
  role: ActorRole;
}

/** A session ends when it was not used for this long. */
export const SESSION_SECONDS = 14 * 86_400;
/** Not every request writes: a session's last use is known to the minute. */
const MOVED_EVERY_SECONDS = 60;

const VIEW = `s.id::text, s.address, s.user_agent AS "userAgent", s.created_at::float8 AS "createdAt",
  s.last_seen_at::float8 AS "lastSeenAt", s.expires_at::float8 AS "expiresAt"`;

/** `user_sessions`. Private to the admin's door. */
@Injectable()
export class UserSessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whose session this is, if it is live and its user enabled; and its end moves on. One statement, for every request. */
  async use(tokenSha256: Buffer): Promise<Known | undefined> {
    const rows: Known[] = await this.dataSource.query(
      `WITH moved AS (
         UPDATE user_sessions SET last_seen_at = ${SQL_NOW}, expires_at = ${SQL_NOW} + ${SESSION_SECONDS}
         WHERE token_sha256 = $1 AND expires_at > ${SQL_NOW} AND last_seen_at < ${SQL_NOW} - ${MOVED_EVERY_SECONDS}
       )
       SELECT s.id::text, u.id::text AS "userId", u.name, u.role FROM user_sessions s JOIN users u ON u.id = s.user_id
       WHERE s.token_sha256 = $1 AND s.expires_at > ${SQL_NOW} AND u.disabled_at = 0`,
      [tokenSha256],
    );
    return rows[0];
  }

  /**
   * Makes a session, if the user is still enabled and the password still the one that was looked at: whoever changes either
   * waits for this row, or was before it.
   * @returns its id; undefined when it was not made
   */
  async insert(
    tx: EntityManager,
    session: { userId: string; passwordHash: string; tokenSha256: Buffer; address: string; userAgent: string },
  ): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>(
      `WITH signed_in AS MATERIALIZED (
         SELECT id FROM users WHERE id = $1 AND password_hash = $2 AND disabled_at = 0 FOR SHARE
       )
       INSERT INTO user_sessions (user_id, token_sha256, address, user_agent, created_at, last_seen_at, expires_at)
       SELECT id, $3, $4, $5, ${SQL_NOW}, ${SQL_NOW}, ${SQL_NOW} + ${SESSION_SECONDS} FROM signed_in RETURNING id::text`,
      [session.userId, session.passwordHash, session.tokenSha256, session.address, session.userAgent],
    );
    return rows[0]?.id;
  }

  /** Live ones, the last used first. */
  async listOf(userId: string): Promise<SessionView[]> {
    return this.dataSource.query(
      `SELECT ${VIEW} FROM user_sessions s WHERE s.user_id = $1 AND s.expires_at > ${SQL_NOW}
       ORDER BY s.last_seen_at DESC, s.id DESC`,
      [userId],
    );
  }

  async endByToken(tokenSha256: Buffer): Promise<void> {
    await this.dataSource.query('DELETE FROM user_sessions WHERE token_sha256 = $1', [tokenSha256]);
  }

  /** @returns the session as it was; undefined when the user has no such one */
  async end(tx: EntityManager, userId: string, id: string): Promise<SessionView | undefined> {
    const [rows] = await tx.query<[SessionView[], number]>(
      `DELETE FROM user_sessions s WHERE s.id = $2 AND s.user_id = $1 RETURNING ${VIEW}`,
      [userId, id],
    );
    return rows[0];
  }

  /** @param but the id of one that stays @returns how many there were */
  async endAllOf(tx: EntityManager, userId: string, but?: string): Promise<number> {
    const [, ended] = await tx.query<[unknown[], number]>(
      'DELETE FROM user_sessions WHERE user_id = $1 AND ($2::bigint IS NULL OR id <> $2)',
      [userId, but ?? null],
    );
    return ended;
  }

  async forgetExpired(tx: EntityManager): Promise<number> {
    const [, gone] = await tx.query<[unknown[], number]>(`DELETE FROM user_sessions WHERE expires_at <= ${SQL_NOW}`);
    return gone;
  }
}
