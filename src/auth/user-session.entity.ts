import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from './user.entity.js';

/** A browser that is signed in. Times are unix seconds. */
@Entity({ name: 'user_sessions' })
@Unique('user_sessions_token_sha256_key', ['token_sha256'])
@Index('user_sessions_user_id_idx', ['user_id'])
@Index('user_sessions_expires_at_idx', ['expires_at'])
@Check('user_sessions_token_sha256_check', 'octet_length(token_sha256) = 32')
export class UserSession {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'user_sessions_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  user_id!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_sessions_user_id_fkey' })
  user?: User;

  /** Of the cookie's value. A plain hash is enough: the value is 256 random bits. */
  @Column({ type: 'bytea' })
  token_sha256!: Buffer;

  /** Where it was signed in from, for people to see. */
  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'text' })
  user_agent!: string;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint' })
  last_seen_at!: string;

  @Column({ type: 'bigint' })
  expires_at!: string;
}
