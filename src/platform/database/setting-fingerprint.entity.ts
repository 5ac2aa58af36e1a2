import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Keyed fingerprint of a secret setting that the rows of this database depend on. */
@Entity({ name: 'setting_fingerprints' })
export class SettingFingerprint {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'setting_fingerprints_pkey' })
  setting!: string;

  @Column({ type: 'text' })
  fingerprint!: string;
}
