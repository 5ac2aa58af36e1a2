import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A kind of jobs that is not claimed by any process while this row is there. */
@Entity({ name: 'job_kind_pauses' })
export class JobKindPause {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'job_kind_pauses_pkey' })
  kind!: string;

  @Column({ type: 'bigint' })
  paused_at!: string;

  @Column({ type: 'text' })
  paused_by!: string;

  @Column({ type: 'text' })
  reason!: string;
}
