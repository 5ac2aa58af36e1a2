import { Injectable } from '@nestjs/common';

/** The process's clock. What the database decides by (due, stuck, lease) is asked of the database instead. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Unix seconds, rounded down. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  /** Seconds since the process began, which go on evenly whatever is done to the machine's clock: for periods. */
  elapsed(): number {
    return performance.now() / 1000;
  }
}
