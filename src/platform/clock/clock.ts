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
}
