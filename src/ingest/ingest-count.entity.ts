import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How often the door gave an answer in an hour, to one crawler. */
@Entity({ name: 'ingest_counts' })
@Check('ingest_counts_count_check', 'count > 0')
@Check('ingest_counts_hour_check', 'hour % 3600 = 0')
export class IngestCount {
  /** When the hour began, unix seconds. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_counts_pkey' })
  hour!: string;

  /** 0: nobody's, since no signature was proven. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_counts_pkey' })
  crawler_id!: string;

  /** Of HTTP. */
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'ingest_counts_pkey' })
  status!: number;

  /** The problem's code; `accepted`, `duplicate` or `answered` when there was none. */
  @PrimaryColumn({ type: 'varchar', length: 64, primaryKeyConstraintName: 'ingest_counts_pkey' })
  answer!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
