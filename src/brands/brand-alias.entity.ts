import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Brand } from './brand.entity.js';

/** Where an alias comes from. A brand's names and slug are aliases too, so that one look-up finds all of them. */
export type AliasSource = 'name' | 'name_zh' | 'slug' | 'alias';

/** A name that a brand goes by. Two brands may share a key; a look-up by it is then ambiguous. */
@Entity({ name: 'brand_aliases' })
@Check('brand_aliases_alias_key_check', `alias_key <> ''`)
export class BrandAlias {
  @PrimaryColumn({ type: 'bigint', name: 'brand_id', primaryKeyConstraintName: 'brand_aliases_pkey' })
  brandId!: string;

  /** Never loaded: it tells TypeORM of the foreign key. */
  @ManyToOne(() => Brand)
  @JoinColumn({ name: 'brand_id', foreignKeyConstraintName: 'brand_aliases_brand_id_fkey' })
  brand?: Brand;

  /** See `aliasKey`. */
  @Index('brand_aliases_alias_key_idx')
  @PrimaryColumn({
    type: 'text',
    name: 'alias_key',
    collation: 'C',
    primaryKeyConstraintName: 'brand_aliases_pkey',
  })
  aliasKey!: string;

  @Column({ type: 'text' })
  alias!: string;

  @Column({ type: 'varchar', length: 16 })
  source!: AliasSource;
}
