import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { ActorRole } from './actor.js';

/** Somebody who may use the admin. Never deleted, since what they did bears their id. Times are unix seconds, 0 for none. */
@Entity({ name: 'users' })
@Unique('users_name_key_key', ['name_key'])
@Check('users_role_check', `role IN ('viewer', 'editor', 'operator')`)
export class User {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Column({ type: 'varchar', length: 64 })
  name!: string;

  /** The name without regard to case, made in TypeScript so that it is the same on every server. */
  @Column({ type: 'text' })
  name_key!: string;

  @Column({ type: 'varchar', length: 16 })
  role!: ActorRole;

  /** Argon2id, with its salt and cost, as a PHC string. */
  @Column({ type: 'text' })
  password_hash!: string;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint' })
  updated_at!: string;

  @Column({ type: 'bigint', default: 0 })
  disabled_at!: string;
}
