import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A message that was accepted, with the answer it got: the same message again gets the same answer. Without foreign
 * keys: it is written with every message, and the locks on one crawler's row would be the busiest of the system.
 */
@Entity({ name: 'ingest_messages' })
@Index('ingest_messages_received_at_idx', ['received_at'])
@Check('ingest_messages_body_sha256_check', 'octet_length(body_sha256) = 32')
export class IngestMessage {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_messages_pkey' })
  crawler_id!: string;

  /** `webhook-id` */
  @PrimaryColumn({ type: 'varchar', length: 128, primaryKeyConstraintName: 'ingest_messages_pkey' })
  message_id!: string;

  /** Of the bytes that came. */
  @Column({ type: 'bytea' })
  body_sha256!: Buffer;

  @Column({ type: 'bigint' })
  job_id!: string;

  /** Unix seconds. */
  @Column({ type: 'bigint' })
  received_at!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'jsonb', default: [] })
  warnings!: string[];
}
