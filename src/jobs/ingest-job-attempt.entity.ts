import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { IngestJob } from './ingest-job.entity.js';
import type { AttemptResult } from './ingest-job.state.js';

/** How one claim of a job ended; written in the statement that takes the job out of `processing`. */
@Entity({ name: 'ingest_job_attempts' })
@Check(
  'ingest_job_attempts_result_check',
  `result IN ('done', 'retry', 'failed', 'snoozed', 'released', 'lost', 'cancelled')`,
)
export class IngestJobAttempt {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_job_attempts_pkey' })
  job_id!: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_job_attempts_pkey' })
  claim_token!: string;

  @ManyToOne(() => IngestJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'ingest_job_attempts_job_id_fkey' })
  job?: IngestJob;

  /** For show: released and snoozed attempts are not counted, so a number may come twice. */
  @Column({ type: 'smallint' })
  number!: number;

  @Column({ type: 'bigint' })
  started_at!: string;

  @Column({ type: 'bigint' })
  ended_at!: string;

  @Column({ type: 'text' })
  worker!: string;

  @Column({ type: 'varchar', length: 16 })
  result!: AttemptResult;

  @Column({ type: 'varchar', length: 64, nullable: true })
  error_code!: string | null;

  @Column({ type: 'text', nullable: true })
  error!: string | null;
}
