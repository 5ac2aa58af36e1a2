import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { CategorySource } from '../taxonomy/season-reader.js';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryStatus } from './crawl-decision.js';
import type { Audience } from './crawl-payload.js';

/** A show or a street-style gallery. Times are unix seconds, 0 for none; bigints come as decimal text. */
@Entity({ name: 'galleries' })
@Check('galleries_kind_check', `kind IN ('runway', 'street')`)
@Check('galleries_status_check', `status IN ('pending_review', 'published', 'rejected')`)
@Check('galleries_kind_brand_id_check', `(kind = 'street') = (brand_id = 0)`)
@Check('galleries_purged_at_check', 'purged_at >= 0 AND deleted_at >= 0')
@Check('galleries_forgotten_at_check', 'forgotten_at = 0 OR deleted_at > 0')
@Index('galleries_brand_id_id_desc_idx', { synchronize: false })
@Index('galleries_status_id_desc_idx', { synchronize: false })
@Index('galleries_brand_id_status_idx', { synchronize: false })
@Index('galleries_brand_id_season_idx', { synchronize: false })
@Index('galleries_updated_at_id_desc_idx', { synchronize: false })
@Index('galleries_year_term_id_desc_idx', { synchronize: false })
@Index('galleries_trash_id_desc_idx', { synchronize: false })
@Index('galleries_trash_updated_at_id_desc_idx', { synchronize: false })
@Index('galleries_guessed_id_desc_idx', { synchronize: false })
@Index('galleries_suspect_id_desc_idx', { synchronize: false })
@Index('galleries_partial_id_desc_idx', { synchronize: false })
export class Gallery {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'galleries_pkey' })
  id!: string;

  @Column({ type: 'varchar', length: 16 })
  kind!: GalleryKind;

  @Column({ type: 'bigint', default: 0 })
  brand_id!: string;

  @Column({ type: 'smallint', nullable: true })
  year!: number | null;

  @Column({ type: 'varchar', length: 16, nullable: true })
  term!: Term | null;

  @Column({ type: 'varchar', length: 32 })
  category!: string;

  /** How the category was found; `default` is a guess. */
  @Column({ type: 'varchar', length: 16 })
  category_source!: CategorySource;

  @Column({ type: 'varchar', length: 64, nullable: true })
  market!: string | null;

  @Column({ type: 'text', default: '' })
  title!: string;

  @Column({ type: 'date', nullable: true })
  show_date!: string | null;

  @Column({ type: 'varchar', length: 8, nullable: true })
  audience!: Audience | null;

  @Column({ type: 'smallint', nullable: true })
  day!: number | null;

  @Column({ type: 'text', nullable: true })
  photographer!: string | null;

  @Column({ type: 'varchar', length: 16, default: 'pending_review' })
  status!: GalleryStatus;

  @Column({ type: 'text', nullable: true })
  reject_reason!: string | null;

  @Column({ type: 'bigint', default: 0 })
  deleted_at!: string;

  /** Since then its files are gone or going. */
  @Column({ type: 'bigint', default: 0 })
  purged_at!: string;

  @Column({ type: 'bigint', default: 0 })
  published_at!: string;

  /** Why it was taken down: deleted for good, its files at once. */
  @Column({ type: 'text', nullable: true })
  takedown_reason!: string | null;

  /** Since then no crawl finds it: it has neither keys nor sources, and stays for its history alone. */
  @Column({ type: 'bigint', default: 0 })
  forgotten_at!: string;

  /** Grows each time that a crawl overwrites it, or an editor corrects what show it is. */
  @Column({ type: 'int', default: 1 })
  revision!: number;

  @Column({ type: 'int', default: 0 })
  cover_position!: number;

  /** An editor chose the cover: it stays when a crawl brings the photo again. */
  @Column({ type: 'boolean', default: false })
  cover_chosen!: boolean;

  @Column({ type: 'int', default: 0 })
  picture_count!: number;

  @Column({ type: 'int', default: 0 })
  missing_count!: number;

  /** Pictures that the crawl named, before any was left out. */
  @Column({ type: 'int', default: 0 })
  sent_count!: number;

  @Column({ type: 'int', nullable: true })
  expected_count!: number | null;

  /** A crawl was skipped into it that may have been another show. */
  @Column({ type: 'boolean', default: false })
  suspect!: boolean;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint' })
  updated_at!: string;
}
