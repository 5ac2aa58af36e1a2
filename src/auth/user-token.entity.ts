import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from './user.entity.js';

/** A bearer token that a user made for a script. Times are unix seconds, 0 for none. */
@Entity({ name: 'user_tokens' })
@Unique('user_tokens_token_sha256_key', ['token_sha256'])
@Index('user_tokens_user_id_idx', ['user_id'])
@Check('user_tokens_token_sha256_check', 'octet_length(token_sha256) = 32')
export class UserToken {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'user_tokens_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  user_id!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_tokens_user_id_fkey' })
  user?: User;

  @Column({ type: 'bytea' })
  token_sha256!: Buffer;

  /** What its owner calls it. */
  @Column({ type: 'varchar', length: 100 })
  label!: string;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint', default: 0 })
  last_used_at!: string;

  @Column({ type: 'bigint', default: 0 })
  expires_at!: string;

  @Column({ type: 'bigint', default: 0 })
  revoked_at!: string;
}
