import { Clock } from '../../src/platform/clock/clock.js';

/** The machine's clock, moved by as much as a test needs. */
export class TestClock extends Clock {
  private offsetMs = 0;
  private forwarded = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  override elapsed(): number {
    return super.elapsed() + this.forwarded;
  }

  /** Time goes by. */
  forward(seconds: number): void {
    this.offsetMs += seconds * 1000;
    this.forwarded += seconds;
  }

  /** Somebody sets the clock; no time goes by. */
  set(unixSeconds: number): void {
    this.offsetMs = unixSeconds * 1000 - Date.now();
  }

  /** As `webhook-timestamp` wants it. */
  timestamp(ahead = 0): string {
    return String(this.seconds() + ahead);
  }
}
