import { describe, expect, it } from '@jest/globals';
import { TokenBucket } from './token-bucket.js';

/** How many of so many takes at a moment were granted. */
function granted(bucket: TokenBucket, takes: number, now: number): number {
  return Array.from({ length: takes }, () => bucket.take(now)).filter((wait) => wait === 0).length;
}

describe('a token bucket', () => {
  it('grants a burst at once, and then says how long to wait', () => {
    const bucket = new TokenBucket(2, 5, 100);
    expect(granted(bucket, 9, 100)).toBe(5);
    expect(bucket.take(100)).toBe(0.5);
    expect(bucket.take(100.25)).toBe(0.25);
    expect(bucket.take(100.5)).toBe(0);
  });

  it('grants its rate in the long run, whatever the rhythm', () => {
    const bucket = new TokenBucket(10, 3, 0);
    let count = 0;
    for (let now = 0; now < 100; now += 0.0125) count += granted(bucket, 1, now);
    expect(count).toBeGreaterThanOrEqual(1_000);
    expect(count).toBeLessThanOrEqual(1_003);
  });

  it('never holds more than a burst, however long nobody came', () => {
    const bucket = new TokenBucket(10, 3, 0);
    expect(granted(bucket, 99, 86_400)).toBe(3);
  });
});
