import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import type { ActorRole } from './actor.js';

/** A user as others may see it. Times are unix seconds. */
export interface UserView {
  id: string;
  name: string;
  role: ActorRole;
  enabled: boolean;
  createdAt: number;
  /** Of the newest sign of life in a session or by a token; null for none that is kept. */
  lastSeenAt: number | null;
}

/** With what only the sign-in may know. */
export interface UserSecrets {
  id: string;
  name: string;
  role: ActorRole;
  enabled: boolean;
  passwordHash: string;
}

const VIEW = `u.id::text, u.name, u.role, u.disabled_at = 0 AS enabled, u.created_at::float8 AS "createdAt",
  nullif(greatest((SELECT max(s.last_seen_at) FROM user_sessions s WHERE s.user_id = u.id),
    (SELECT max(t.last_used_at) FROM user_tokens t WHERE t.user_id = u.id)), 0)::float8 AS "lastSeenAt"`;
const SECRETS = `u.id::text, u.name, u.role, u.disabled_at = 0 AS enabled, u.password_hash AS "passwordHash"`;

/** `users`. Private to the admin's door. */
@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By name. */
  async list(): Promise<UserView[]> {
    return this.dataSource.query(`SELECT ${VIEW} FROM users u ORDER BY u.name_key COLLATE "C"`);
  }

  async view(tx: EntityManager, id: string): Promise<UserView | undefined> {
    const rows = await tx.query<UserView[]>(`SELECT ${VIEW} FROM users u WHERE u.id = $1`, [id]);
    return rows[0];
  }

  async any(): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query('SELECT 1 FROM users LIMIT 1');
    return rows.length > 0;
  }

  async byKey(nameKey: string): Promise<UserSecrets | undefined> {
    const rows: UserSecrets[] = await this.dataSource.query(`SELECT ${SECRETS} FROM users u WHERE u.name_key = $1`, [
      nameKey,
    ]);
    return rows[0];
  }

  async byId(id: string): Promise<UserSecrets | undefined> {
    const rows: UserSecrets[] = await this.dataSource.query(`SELECT ${SECRETS} FROM users u WHERE u.id = $1`, [id]);
    return rows[0];
  }

  /** The operator that was made first, of those that are enabled. */
  async firstOperator(): Promise<Pick<UserSecrets, 'id' | 'name'> | undefined> {
    const rows: UserSecrets[] = await this.dataSource.query(
      `SELECT u.id::text, u.name FROM users u WHERE u.role = 'operator' AND u.disabled_at = 0 ORDER BY u.id LIMIT 1`,
    );
    return rows[0];
  }

  /** @returns the new user's id; undefined when the name is taken */
  async insert(
    tx: EntityManager,
    user: { name: string; nameKey: string; role: ActorRole; passwordHash: string },
  ): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>(
      `INSERT INTO users (name, name_key, role, password_hash, created_at, updated_at)
       VALUES ($1, $2, $3, $4, ${SQL_NOW}, ${SQL_NOW}) ON CONFLICT (name_key) DO NOTHING RETURNING id::text`,
      [user.name, user.nameKey, user.role, user.passwordHash],
    );
    return rows[0]?.id;
  }

  async lock(tx: EntityManager, id: string): Promise<UserSecrets | undefined> {
    const rows = await tx.query<UserSecrets[]>(`SELECT ${SECRETS} FROM users u WHERE u.id = $1 FOR NO KEY UPDATE`, [
      id,
    ]);
    return rows[0];
  }

  /**
   * The user and every enabled operator, locked in the order of ids: two that take away each other's role at once take
   * turns, and the second sees what the first did.
   */
  async lockWithOperators(tx: EntityManager, id: string): Promise<UserSecrets[]> {
    return tx.query(
      `SELECT ${SECRETS} FROM users u WHERE u.id = $1 OR (u.role = 'operator' AND u.disabled_at = 0)
       ORDER BY u.id FOR NO KEY UPDATE`,
      [id],
    );
  }

  async setRole(tx: EntityManager, id: string, role: ActorRole): Promise<void> {
    await tx.query(`UPDATE users SET role = $2, updated_at = ${SQL_NOW} WHERE id = $1`, [id, role]);
  }

  async setEnabled(tx: EntityManager, id: string, enabled: boolean): Promise<void> {
    await tx.query(
      `UPDATE users SET disabled_at = CASE WHEN $2::boolean THEN 0 ELSE ${SQL_NOW} END, updated_at = ${SQL_NOW} WHERE id = $1`,
      [id, enabled],
    );
  }

  async setPassword(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    await tx.query(`UPDATE users SET password_hash = $2, updated_at = ${SQL_NOW} WHERE id = $1`, [id, passwordHash]);
  }
}
