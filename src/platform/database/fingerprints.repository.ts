import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** `setting_fingerprints`. What they are for is said by SettingFingerprints. */
@Injectable()
export class FingerprintsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The fingerprint that the database keeps for a setting: the given one, if it is the first that ever came. */
  async firstOf(setting: string, fingerprint: string): Promise<string | undefined> {
    await this.dataSource.query(
      `INSERT INTO setting_fingerprints (setting, fingerprint) VALUES ($1, $2) ON CONFLICT (setting) DO NOTHING`,
      [setting, fingerprint],
    );
    const rows: { fingerprint: string }[] = await this.dataSource.query(
      `SELECT fingerprint FROM setting_fingerprints WHERE setting = $1`,
      [setting],
    );
    return rows[0]?.fingerprint;
  }
}
