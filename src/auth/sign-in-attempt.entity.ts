import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often somebody tried to sign in, by user, address and both. Shared, so that many processes count as one. */
@Entity({ name: 'sign_in_attempts' })
@Index('sign_in_attempts_resets_at_idx', ['resets_at'])
export class SignInAttempt {
  /** A hash of what is counted: names that were tried may be passwords in the wrong field. */
  @PrimaryColumn({ type: 'varchar', length: 64, primaryKeyConstraintName: 'sign_in_attempts_pkey' })
  subject!: string;

  @Column({ type: 'integer' })
  count!: number;

  /** Unix seconds. */
  @Column({ type: 'bigint' })
  resets_at!: string;
}
