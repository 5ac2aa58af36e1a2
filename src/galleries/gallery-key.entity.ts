import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Term } from '../taxonomy/terms.js';
import { Gallery } from './gallery.entity.js';

/** A natural key by which a gallery is found. A correction or a merge adds one and keeps the old. */
@Entity({ name: 'gallery_keys' })
@Unique('gallery_keys_natural_key', ['brand_id', 'year', 'term', 'category', 'market', 'detail'])
@Index('gallery_keys_gallery_id_idx', ['gallery_id'])
export class GalleryKeyRow {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'gallery_keys_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  gallery_id!: string;

  @ManyToOne(() => Gallery)
  @JoinColumn({ name: 'gallery_id', foreignKeyConstraintName: 'gallery_keys_gallery_id_fkey' })
  gallery?: Gallery;

  @Column({ type: 'bigint' })
  brand_id!: string;

  @Column({ type: 'smallint', nullable: true })
  year!: number | null;

  @Column({ type: 'varchar', length: 16, nullable: true })
  term!: Term | null;

  @Column({ type: 'varchar', length: 32 })
  category!: string;

  @Column({ type: 'varchar', length: 64, nullable: true })
  market!: string | null;

  /** What tells street-style galleries of one season and city apart; null for shows. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;
}
