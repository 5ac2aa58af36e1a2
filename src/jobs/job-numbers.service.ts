import { Injectable } from '@nestjs/common';
import { HandlerRegistry } from './handler-registry.js';
import { hoursOf, type JobHour, wholeHours } from './job-hours.js';
import { JobNumbersRepository, type KindCounts } from './job-numbers.repository.js';
import type { CappedCount } from './update-records.service.js';

const CAP = 10_000;

/** What there is of one kind. Times are unix seconds. */
export interface JobCount {
  kind: string;
  /** Whether this process could work on it. */
  handled: boolean;
  due: CappedCount;
  waiting: CappedCount;
  running: number;
  failed: CappedCount;
  /** How long the first has been due; null when nothing is due. */
  oldestDueSeconds: number | null;
  /** null when it is not paused. */
  pause: { pausedAt: number; pausedBy: string; reason: string } | null;
}

/** The queue as numbers: what there is of each kind, and what came and went by the hour. */
@Injectable()
export class JobNumbers {
  constructor(
    private readonly repository: JobNumbersRepository,
    private readonly registry: HandlerRegistry,
  ) {}

  async counts(): Promise<JobCount[]> {
    const handled = this.registry.kinds;
    const counts = await this.repository.counts(handled, CAP);
    return counts.map((one) => ({
      kind: one.kind,
      handled: handled.includes(one.kind),
      due: cappedOf(one.due),
      waiting: cappedOf(one.waiting),
      running: one.running,
      failed: { count: Math.min(one.failed, CAP), capped: one.moreFailed },
      oldestDueSeconds: one.oldestDueSeconds,
      pause: pauseOf(one),
    }));
  }

  /** @param kind only jobs of these. @throws AppError `range-invalid`, `range-too-long` */
  async perHour(from: Date, to: Date, kind?: readonly string[] | null): Promise<JobHour[]> {
    const range = wholeHours(from, to);
    return hoursOf(range, await this.repository.hours(range.from, range.to, kind ?? undefined));
  }
}

function cappedOf(count: number): CappedCount {
  return { count: Math.min(count, CAP), capped: count > CAP };
}

function pauseOf({ pausedAt, pausedBy, pauseReason }: KindCounts): JobCount['pause'] {
  return pausedAt === null ? null : { pausedAt, pausedBy: pausedBy ?? '', reason: pauseReason ?? '' };
}
