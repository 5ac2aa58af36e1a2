import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Crawler } from './crawler.entity.js';

/** A secret that a crawler signs with; up to three live ones, so that keys can be rotated. Times are unix seconds, 0 for none. */
@Entity({ name: 'crawler_secrets' })
@Unique('crawler_secrets_fingerprint_key', ['fingerprint'])
@Index('crawler_secrets_crawler_id_idx', ['crawler_id'])
@Check('crawler_secrets_fingerprint_check', 'octet_length(fingerprint) = 32')
export class CrawlerSecret {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'crawler_secrets_pkey' })
  id!: string;

  @Column({ type: 'bigint' })
  crawler_id!: string;

  @ManyToOne(() => Crawler, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'crawler_id', foreignKeyConstraintName: 'crawler_secrets_crawler_id_fkey' })
  crawler?: Crawler;

  /** The key, encrypted; see `secret-box.ts`. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  /** Keyed hash of the key: no two crawlers may hold the same one, and the column must not help to guess it. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint', default: 0 })
  valid_until!: string;

  @Column({ type: 'bigint', default: 0 })
  revoked_at!: string;

  @Column({ type: 'bigint', default: 0 })
  last_used_at!: string;
}
