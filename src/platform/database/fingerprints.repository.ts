import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '../../lib/app-error.js';
import { CONFIG, type Config } from '../config/config.js';

/**
 * Remembers which secrets a database was filled with, as keyed fingerprints: a process that comes with others would read
 * or write nonsense, so it must not start.
 */
@Injectable()
export class FingerprintsRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Keeps the fingerprint of a setting's first value and compares every later one.
   * @throws AppError `setting-changed` when the database knows another value
   */
  async verify(setting: string, value: string): Promise<void> {
    const fingerprint = createHmac('sha256', this.config.secrets.key).update(`${setting}\n${value}`).digest('hex');
    await this.dataSource.query(
      `INSERT INTO setting_fingerprints (setting, fingerprint) VALUES ($1, $2) ON CONFLICT (setting) DO NOTHING`,
      [setting, fingerprint],
    );
    const rows: { fingerprint: string }[] = await this.dataSource.query(
      `SELECT fingerprint FROM setting_fingerprints WHERE setting = $1`,
      [setting],
    );
    if (rows[0]?.fingerprint !== fingerprint) {
      throw new AppError(
        'setting-changed',
        `This database was filled with another ${setting}. Start with the value it was filled with, or use another database.`,
        { status: 500 },
      );
    }
  }
}
