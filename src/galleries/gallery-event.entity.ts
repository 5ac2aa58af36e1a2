import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Gallery } from './gallery.entity.js';

export type GalleryAction =
  | 'created'
  | 'overwritten'
  | 'published'
  | 'rejected'
  | 'deleted'
  | 'restored'
  | 'purged'
  | 'refilled'
  | 'brand_merged';

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
