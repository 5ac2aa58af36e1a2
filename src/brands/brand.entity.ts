import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

export const BRAND_STATUSES = ['active', 'merged'] as const;
export type BrandStatus = (typeof BRAND_STATUSES)[number];

const SECONDS = { to: (seconds: number) => seconds, from: Number };

/** A fashion house. Id 0 stands for "none" in other tables and is never given; the hashid is derived, never stored. */
@Entity({ name: 'brands' })
@Unique('brands_slug_key', ['slug'])
// TypeORM knows no descending index; the migration makes it and schema.sql guards it.
@Index('brands_created_at_id_desc_idx', { synchronize: false })
@Check('brands_id_check', 'id > 0')
@Check('brands_name_check', `name <> ''`)
@Check('brands_slug_check', `slug <> ''`)
@Check('brands_status_check', `status IN ('active', 'merged')`)
@Check(
  'brands_merged_into_check',
  `(status = 'merged') = (merged_into IS NOT NULL) AND merged_into IS DISTINCT FROM id`,
)
export class Brand {
  /** Decimal, since a bigint does not fit a JavaScript number. */
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'brands_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', name: 'name_zh', nullable: true })
  nameZh!: string | null;

  @Column({ type: 'text', collation: 'C' })
  slug!: string;

  @Column({ type: 'varchar', length: 16, default: 'active' })
  status!: BrandStatus;

  /** The brand that this one became a part of, when it is merged. */
  @Index('brands_merged_into_idx', { where: 'merged_into IS NOT NULL' })
  @Column({ type: 'bigint', name: 'merged_into', nullable: true })
  mergedInto!: string | null;

  /** Never loaded: it tells TypeORM of the foreign key. */
  @ManyToOne(() => Brand)
  @JoinColumn({ name: 'merged_into', foreignKeyConstraintName: 'brands_merged_into_fkey' })
  survivor?: Brand;

  /** Grows with every change of what this row holds, so that two editors notice each other. */
  @Column({ type: 'int', default: 1 })
  revision!: number;

  /** Unix seconds. */
  @Column({ type: 'bigint', name: 'created_at', transformer: SECONDS })
  createdAt!: number;

  /** Unix seconds. */
  @Column({ type: 'bigint', name: 'updated_at', transformer: SECONDS })
  updatedAt!: number;
}
