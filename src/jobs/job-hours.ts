import { AppError } from '../lib/app-error.js';
import type { HourCount } from './job-numbers.repository.js';

const HOUR = 3_600;
const MAX_DAYS = 31;

export interface OutcomeCount {
  outcome: string;
  count: number;
}

/** What came in and what ended within one hour. */
export interface JobHour {
  /** Its first second, unix. */
  hour: number;
  arrived: number;
  done: number;
  failed: number;
  /** The done ones by their outcomes; one without any is in none. */
  outcomes: OutcomeCount[];
}

/**
 * The whole hours that a time belongs to.
 * @returns unix seconds, the last of them not belonging to it any more
 * @throws AppError `range-invalid`, `range-too-long`
 */
export function wholeHours(from: Date, to: Date): { from: number; to: number } {
  const hours = {
    from: Math.floor(from.getTime() / 1000 / HOUR) * HOUR,
    to: Math.ceil(to.getTime() / 1000 / HOUR) * HOUR,
  };
  if (from >= to || hours.from < 0) {
    throw new AppError('range-invalid', 'The end must be later than the beginning.', { status: 400 });
  }
  if (hours.to - hours.from > MAX_DAYS * 24 * HOUR) {
    throw new AppError('range-too-long', `Ask for ${MAX_DAYS} days at most.`, { status: 400 });
  }
  return hours;
}

/** Every hour of the range, those in which nothing happened too. */
export function hoursOf(range: { from: number; to: number }, counts: readonly HourCount[]): JobHour[] {
  const length = (range.to - range.from) / HOUR;
  const hours = Array.from({ length }, (_, place): JobHour => {
    return { hour: range.from + place * HOUR, arrived: 0, done: 0, failed: 0, outcomes: [] };
  });
  for (const { hour, status, outcome, count } of counts) {
    const into = hours[(hour - range.from) / HOUR];
    if (into === undefined) continue;
    into[status ?? 'arrived'] += count;
    if (outcome !== null) into.outcomes.push({ outcome, count });
  }
  return hours;
}
