import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../lib/app-error.js';
import { CONFIG, type Config } from '../config/config.js';
import { FingerprintsRepository } from './fingerprints.repository.js';

/**
 * Which secrets a database was filled with, as keyed fingerprints: a process that comes with others would read or write
 * nonsense, so it must not start. Whoever owns such a setting verifies it when its module starts.
 */
@Injectable()
export class SettingFingerprints {
  constructor(
    private readonly fingerprints: FingerprintsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Keeps the fingerprint of a setting's first value and compares every later one.
   * @throws AppError `setting-changed` when the database knows another value
   */
  async verify(setting: string, value: string): Promise<void> {
    const fingerprint = createHmac('sha256', this.config.secrets.key).update(`${setting}\n${value}`).digest('hex');
    if ((await this.fingerprints.firstOf(setting, fingerprint)) === fingerprint) return;
    throw new AppError(
      'setting-changed',
      `This database was filled with another ${setting}. Start with the value it was filled with, or use another database.`,
      { status: 500 },
    );
  }
}
