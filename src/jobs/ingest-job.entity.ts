import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JobStatus } from './ingest-job.state.js';

/**
 * One piece of work and, for ever after, the record of what it did. Times are unix seconds, 0 for none; bigints come
 * as decimal text. Read `ingest-job.state.ts` for who may change `status`.
 */
@Entity({ name: 'ingest_jobs' })
@Check('ingest_jobs_status_check', `status IN ('pending', 'processing', 'done', 'failed')`)
@Check('ingest_jobs_processing_locked_check', `status <> 'processing' OR locked_at > 0`)
@Check('ingest_jobs_outcome_done_check', `outcome IS NULL OR status = 'done'`)
@Check('ingest_jobs_claim_token_check', `status = 'processing' OR claim_token = 0`)
@Check('ingest_jobs_attempts_check', 'attempts >= 0')
// TypeORM knows neither descending nor these partial indexes; the migrations make them and schema.sql guards them.
@Index('ingest_jobs_brand_id_id_desc_idx', { synchronize: false })
@Index('ingest_jobs_brand_id_unfinished_idx', { synchronize: false })
@Index('ingest_jobs_brand_id_outcome_idx', { synchronize: false })
@Index('ingest_jobs_brandless_idx', { synchronize: false })
@Index('ingest_jobs_brand_unknown_idx', { synchronize: false })
@Index('ingest_jobs_subject_key_open_idx', { synchronize: false })
@Index('ingest_jobs_failed_idx', { synchronize: false })
@Index('ingest_jobs_due_idx', { synchronize: false })
@Index('ingest_jobs_lease_idx', { synchronize: false })
@Index('ingest_jobs_spent_idx', { synchronize: false })
@Index('ingest_jobs_created_at_idx', { synchronize: false })
@Index('ingest_jobs_ended_idx', { synchronize: false })
export class IngestJob {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_jobs_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint' })
  updated_at!: string;

  /** The lease: renewed by heartbeats while `processing`. */
  @Column({ type: 'bigint', default: 0 })
  locked_at!: string;

  @Column({ type: 'bigint', default: 0 })
  next_attempt_at!: string;

  @Column({ type: 'varchar', length: 16, default: 'pending' })
  status!: JobStatus;

  @Column({ type: 'smallint', default: 0 })
  attempts!: number;

  /** The signed body as it came, without a byte-order mark. */
  @Column({ type: 'text' })
  payload!: string;

  /** What a person decided against the payload, in the shape of whoever works on the kind. */
  @Column({ type: 'text', nullable: true })
  overrides!: string | null;

  @Column({ type: 'text', nullable: true })
  last_error!: string | null;

  @Column({ type: 'varchar', length: 16, default: 'crawl' })
  kind!: string;

  @Column({ type: 'varchar', length: 24, nullable: true })
  outcome!: string | null;

  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** 0: street style, or a brand that is not known; `brandless` tells which. */
  @Column({ type: 'bigint', default: 0 })
  brand_id!: string;

  /** The fence: 0 while nobody holds the job. */
  @Column({ type: 'bigint', default: 0 })
  claim_token!: string;

  @Column({ type: 'bigint', default: 0 })
  claimed_at!: string;

  @Column({ type: 'text', default: '' })
  locked_by!: string;

  @Column({ type: 'text', default: '' })
  subject!: string;

  @Column({ type: 'text', default: '' })
  subject_key!: string;

  /** "12/45" while it runs. */
  @Column({ type: 'varchar', length: 32, nullable: true })
  progress!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  error_code!: string | null;

  @Column({ type: 'bigint', nullable: true })
  gallery_id!: string | null;

  @Column({ type: 'varchar', length: 64, default: '' })
  submitted_by!: string;

  @Column({ type: 'bigint', default: 0 })
  snoozed_since!: string;

  @Column({ type: 'boolean', default: false })
  brandless!: boolean;

  /** The outcome may be wrong, and a person should look. */
  @Column({ type: 'boolean', default: false })
  suspect!: boolean;
}
