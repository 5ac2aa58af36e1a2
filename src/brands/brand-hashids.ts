import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import Hashids from 'hashids';
import { isDecimalId } from '../lib/decimal-id.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { SettingFingerprints } from '../platform/database/setting-fingerprints.js';

/**
 * The brand ids that people and crawlers see. They follow from the salt, so a process with another salt would read
 * another brand out of the same text: it must not start.
 */
@Injectable()
export class BrandHashids implements OnModuleInit {
  private readonly hashids: Hashids;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly fingerprints: SettingFingerprints,
  ) {
    const { salt, minLength, alphabet } = config.hashids;
    this.hashids = new Hashids(salt, minLength, alphabet);
  }

  async onModuleInit(): Promise<void> {
    const { salt, minLength, alphabet } = this.config.hashids;
    // One fingerprint for the three: a changed one of them changes every hashid.
    await this.fingerprints.verify(
      'BRAND_HASHID_SALT, BRAND_HASHID_ALPHABET or BRAND_HASHID_MIN_LENGTH',
      JSON.stringify([salt, alphabet, minLength]),
    );
  }

  /** @param id decimal */
  encode(id: string): string {
    return this.hashids.encode(BigInt(id));
  }

  /**
   * @returns the decimal id, or undefined for a text that no id above 0 encodes to: made-up texts may well decode, so
   * only what encodes back to the same text counts. Case matters, space around it does not.
   */
  decode(hashid: string): string | undefined {
    const text = hashid.trim();
    const id = this.firstNumberOf(text)?.toString();
    return id !== undefined && isDecimalId(id) && this.encode(id) === text ? id : undefined;
  }

  private firstNumberOf(text: string): bigint | undefined {
    try {
      const first = this.hashids.decode(text)[0];
      return first === undefined ? undefined : BigInt(first);
    } catch {
      // The library throws at a character that is not in the alphabet.
      return undefined;
    }
  }
}
