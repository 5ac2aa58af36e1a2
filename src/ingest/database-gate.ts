import { AppError } from '../lib/app-error.js';
import { isUnavailable } from '../platform/database/pg-errors.js';
import { UnknownCommitError } from '../platform/database/transactions.js';
import { unavailable } from '../platform/http/problem.js';

/** So many may find out whether a database that did not answer answers again. */
const MAX_IN_DOUBT = 8;

/**
 * Stands between messages and a database that may not answer. Nobody waits longer than a given time; and once somebody
 * waited in vain only a few may wait at all, the others being told at once, until one of those few comes through. Rejected:
 * a breaker that opens for a time, which turns messages away for as long after the database is back.
 *
 * What is given up goes on behind the gate, up to the limits of its statements; a message that is written after all is a
 * duplicate when it comes again.
 */
export class DatabaseGate {
  private inside = 0;
  private inDoubt = false;

  constructor(private readonly waitMs: number) {}

  /** @throws AppError 503 `intake-unavailable`; whatever `work` throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inDoubt && this.inside >= MAX_IN_DOUBT) throw unavailable();
    this.inside++;
    try {
      const result = await this.inTime(work());
      this.inDoubt = false;
      return result;
    } catch (error) {
      if (saysUnavailable(error)) this.inDoubt = true;
      throw error;
    } finally {
      this.inside--;
    }
  }

  private async inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable(new Error(`No answer within ${this.waitMs} ms`))), this.waitMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function saysUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.status === 503 && error.code === 'intake-unavailable';
  return error instanceof UnknownCommitError || isUnavailable(error);
}
