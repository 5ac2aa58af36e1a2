import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { TokenBucket } from '../lib/token-bucket.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';

/**
 * A token bucket for each crawler, in this process only: with three intake processes a crawler has three. Not for fairness
 * but so that one crawler in a loop leaves the others their places; asking the database would be the dearer check.
 */
@Injectable()
export class CrawlerRates {
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError 429 `rate-limited` */
  take(crawlerId: string): void {
    const now = this.clock.elapsed();
    const wait = this.bucketOf(crawlerId, now).take(now);
    if (wait === 0) return;
    const { ratePerSecond } = this.config.intake;
    throw new AppError(
      'rate-limited',
      `This crawler sends more than ${ratePerSecond} messages a second. Send the same again after the time in Retry-After.`,
      { status: 429, headers: { 'Retry-After': String(Math.ceil(wait)) } },
    );
  }

  private bucketOf(crawlerId: string, now: number): TokenBucket {
    const { ratePerSecond, rateBurst } = this.config.intake;
    const bucket = this.buckets.get(crawlerId) ?? new TokenBucket(ratePerSecond, rateBurst, now);
    this.buckets.set(crawlerId, bucket);
    return bucket;
  }
}
