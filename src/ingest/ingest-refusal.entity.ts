import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What was turned away for its brand, type, season or shape, counted, so that an editor sees what is missing. */
@Entity({ name: 'ingest_refusals' })
@Check('ingest_refusals_count_check', 'count > 0')
// TypeORM knows neither collations nor descending indexes; the migration makes them and schema.sql guards them.
@Index('ingest_refusals_unknown_brand_seen_idx', { synchronize: false })
@Index('ingest_refusals_unknown_brand_idx', { synchronize: false })
export class IngestRefusal {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ingest_refusals_pkey' })
  crawler_id!: string;

  /** The problem's code. */
  @PrimaryColumn({ type: 'varchar', length: 64, primaryKeyConstraintName: 'ingest_refusals_pkey' })
  code!: string;

  /** The brand as the crawler named it; empty when it named none. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingest_refusals_pkey' })
  brand!: string;

  @Column({ type: 'text' })
  last_title!: string;

  @Column({ type: 'bigint' })
  count!: string;

  /** Unix seconds. */
  @Column({ type: 'bigint' })
  first_seen_at!: string;

  @Column({ type: 'bigint' })
  last_seen_at!: string;
}
