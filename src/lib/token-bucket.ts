/**
 * A bucket that holds up to `burst` tokens and gains `perSecond` of them all the time: who takes one a message may send a
 * burst now and the rate in the long run. Own code, since the libraries count in fixed windows (twice the rate passes where
 * two windows meet), by a clock of their own, and a promise a message.
 */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  /** @param now seconds of a clock that is never set back */
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    now: number,
  ) {
    this.tokens = burst;
    this.filledAt = now;
  }

  /** Takes a token. @returns 0, or the seconds until there will be one */
  take(now: number): number {
    this.tokens = Math.min(this.burst, this.tokens + (now - this.filledAt) * this.perSecond);
    this.filledAt = now;
    if (this.tokens < 1) return (1 - this.tokens) / this.perSecond;
    this.tokens--;
    return 0;
  }
}
