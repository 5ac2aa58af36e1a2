import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** Who may post to the intake. Times are unix seconds. */
@Entity({ name: 'crawlers' })
@Unique('crawlers_name_key', ['name'])
@Check('crawlers_name_check', `name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'`)
export class Crawler {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'crawlers_pkey' })
  id!: string;

  @Column({ type: 'varchar', length: 64 })
  name!: string;

  /** Switched off, its signatures still verify and are answered 403, so that its author learns what is the matter. */
  @Column({ type: 'boolean', default: true })
  enabled!: boolean;

  @Column({ type: 'bigint' })
  created_at!: string;

  @Column({ type: 'bigint' })
  updated_at!: string;
}
