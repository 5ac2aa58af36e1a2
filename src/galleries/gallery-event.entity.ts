import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Gallery } from './gallery.entity.js';

/**
 * In the order of a gallery's life; `crawl_skipped` is a crawl that changed nothing, `suspect_dismissed` an editor's word that
 * what was skipped was the same show.
 */
export const GALLERY_ACTIONS = [
  'created',
  'overwritten',
  'crawl_skipped',
  'suspect_dismissed',
  'published',
  'rejected',
  'reopened',
  'changed',
  'cover_chosen',
  'picture_hidden',
  'picture_shown',
  'refilled',
  'brand_merged',
  'deleted',
  'taken_down',
  'purged',
  'restored',
  'forgotten',
] as const;
export type GalleryAction = (typeof GALLERY_ACTIONS)[number];

/** What happened to a gallery, and who or which job did it. */
@Entity({ name: 'gallery_events' })
@Index('gallery_events_gallery_id_id_desc_idx', { synchronize: false })
export class GalleryEvent {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'gallery_events_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  gallery_id!: string;

  @ManyToOne(() => Gallery)
  @JoinColumn({ name: 'gallery_id', foreignKeyConstraintName: 'gallery_events_gallery_id_fkey' })
  gallery?: Gallery;

  @Column({ type: 'bigint' })
  at!: string;

  @Column({ type: 'text' })
  actor!: string;

  @Column({ type: 'varchar', length: 32 })
  action!: GalleryAction;

  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ type: 'bigint', nullable: true })
  job_id!: string | null;
}
