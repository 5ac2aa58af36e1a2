import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { PictureKind } from '../media/picture-caption.js';
import { Gallery } from './gallery.entity.js';

/** stored: its object is there. missing: its object was purged. failed: it could not be fetched. */
export type GalleryPictureState = 'stored' | 'missing' | 'failed';

/** A picture of a gallery's present revision. */
@Entity({ name: 'gallery_pictures' })
@Check('gallery_pictures_state_check', `state IN ('stored', 'missing', 'failed')`)
@Check('gallery_pictures_stored_object_key_check', `state <> 'stored' OR object_key IS NOT NULL`)
@Index('gallery_pictures_object_key_idx', ['object_key'])
@Index('gallery_pictures_sha256_idx', ['sha256'])
export class GalleryPicture {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'gallery_pictures_pkey' })
  gallery_id!: string;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'gallery_pictures_pkey' })
  position!: number;

  @ManyToOne(() => Gallery)
  @JoinColumn({ name: 'gallery_id', foreignKeyConstraintName: 'gallery_pictures_gallery_id_fkey' })
  gallery?: Gallery;

  @Column({ type: 'varchar', length: 16 })
  kind!: PictureKind;

  @Column({ type: 'varchar', length: 16, nullable: true })
  look!: string | null;

  @Column({ type: 'text', nullable: true })
  caption!: string | null;

  @Column({ type: 'text', nullable: true })
  credit!: string | null;

  @Column({ type: 'text' })
  source_url!: string;

  @Column({ type: 'text' })
  identity!: string;

  @Column({ type: 'varchar', length: 16 })
  state!: GalleryPictureState;

  @Column({ type: 'varchar', length: 64, nullable: true })
  error_code!: string | null;

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

  /** An editor keeps it from everybody but those who are signed in. */
  @Column({ type: 'boolean', default: false })
  hidden!: boolean;
}
