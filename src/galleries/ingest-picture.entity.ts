import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * waiting: to be fetched. storing: its object may be there, or not yet. stored: its object is there. failed: given up.
 * removing: a clean-up has taken it, and the crawl keeps off until the clean-up is through.
 */
export type SlotState = 'waiting' | 'storing' | 'stored' | 'failed' | 'removing';

/** A picture slot of a crawl that is under way: what is fetched stays fetched when the job is tried again. */
@Entity({ name: 'ingest_pictures' })
@Check('ingest_pictures_state_check', `state IN ('waiting', 'storing', 'stored', 'failed', 'removing')`)
@Check(
  'ingest_pictures_stored_object_key_check',
  `state NOT IN ('storing', 'stored', 'removing') OR object_key IS NOT NULL`,
)
@Index('ingest_pictures_object_key_idx', ['object_key'])
export class IngestPicture {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_pictures_pkey' })
  job_id!: string;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'ingest_pictures_pkey' })
  position!: number;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'varchar', length: 16, default: 'waiting' })
  state!: SlotState;

  @Column({ type: 'smallint', default: 0 })
  tries!: number;

  @Column({ type: 'varchar', length: 64, nullable: true })
  error_code!: string | null;

  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'text', nullable: true })
  object_key!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  sha256!: string | null;

  @Column({ type: 'varchar', length: 32, nullable: true })
  content_type!: string | null;

  @Column({ type: 'int', nullable: true })
  width!: number | null;

  @Column({ type: 'int', nullable: true })
  height!: number | null;

  @Column({ type: 'bigint', nullable: true })
  bytes!: string | null;

  /** What a page shows before the thumbnail is there; base64. A picture that has one has a thumbnail too. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  thumbhash!: string | null;
}
