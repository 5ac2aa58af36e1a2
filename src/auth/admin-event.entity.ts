import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What somebody did in the admin, whatever it was done to. A gallery's own history is its events, in its room. */
@Entity({ name: 'admin_events' })
@Index('admin_events_entity_idx', { synchronize: false })
export class AdminEvent {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'admin_events_pkey' })
  id!: string;

  /** Unix seconds. */
  @Column({ type: 'bigint' })
  at!: string;

  /** 0 for the command line, and for the preset token while there is no user. */
  @Column({ type: 'bigint', default: 0 })
  actor_id!: string;

  @Column({ type: 'text' })
  actor!: string;

  /** What was done: `brand.merged`, `crawler.rotated`. */
  @Column({ type: 'varchar', length: 64 })
  action!: string;

  /** What it was done to: `brand`, `job`, `crawler`, `user`. */
  @Column({ type: 'varchar', length: 32 })
  entity!: string;

  @Column({ type: 'text' })
  entity_id!: string;

  /** In words, for people. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;
}
