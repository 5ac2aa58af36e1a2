import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A host of pictures that asked, at least once, to be left alone. */
@Entity({ name: 'media_hosts' })
export class MediaHost {
  /** `name:port`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'media_hosts_pkey' })
  host!: string;

  /** Unix seconds by the database's clock. */
  @Column({ type: 'bigint' })
  cool_until!: string;

  /** What it answered when it last asked. */
  @Column({ type: 'varchar', length: 64 })
  code!: string;

  @Column({ type: 'bigint' })
  updated_at!: string;
}
