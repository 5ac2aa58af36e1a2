import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Gallery } from './gallery.entity.js';

/** A page or foreign id that a gallery came from: `site#external id`, or the page's canonical address. */
@Entity({ name: 'gallery_sources' })
@Unique('gallery_sources_gallery_id_source_key', ['gallery_id', 'source'])
@Index('gallery_sources_source_brand_id_idx', ['source', 'brand_id'])
export class GallerySource {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'gallery_sources_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  gallery_id!: string;

  @ManyToOne(() => Gallery)
  @JoinColumn({ name: 'gallery_id', foreignKeyConstraintName: 'gallery_sources_gallery_id_fkey' })
  gallery?: Gallery;

  @Column({ type: 'bigint' })
  brand_id!: string;

  @Column({ type: 'text' })
  source!: string;
}
