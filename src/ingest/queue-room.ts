import { Inject, Injectable } from '@nestjs/common';
import { type Backlog, JobQueue } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { singleFlight } from '../lib/single-flight.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { IntakeTypes } from './intake-types.js';

/** Looking costs a count of up to the limit, so it is done once a while and the queue may grow by as much beyond it. */
const FRESH_SECONDS = 1;
const RETRY_SECONDS = 30;

/**
 * Whether the queue takes more of a kind. Kinds are looked at one by one, and only those that come in by the door: rows of
 * a kind that nobody works on, or clean-ups that are not due for days, must not close it.
 */
@Injectable()
export class QueueRoom {
  private backlogs: ReadonlyMap<string, Backlog> = new Map();
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly look = singleFlight(() => this.lookAgain());

  constructor(
    private readonly types: IntakeTypes,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError 503 `intake-saturated`; database errors */
  async assertRoomFor(kind: string): Promise<void> {
    if (this.clock.elapsed() - this.lookedAt >= FRESH_SECONDS) await this.look();
    const { depth, lateSeconds } = this.backlogs.get(kind) ?? { depth: 0, lateSeconds: 0 };
    const { maxQueueDepth, maxQueueAgeSeconds } = this.config.intake;
    if (depth >= maxQueueDepth) throw saturated(`${maxQueueDepth} jobs or more are waiting`);
    if (lateSeconds > maxQueueAgeSeconds) throw saturated(`the first of those waiting is ${lateSeconds} s late`);
  }

  private async lookAgain(): Promise<void> {
    const startedAt = this.clock.elapsed();
    const { maxQueueDepth } = this.config.intake;
    this.backlogs = await this.transactions.runBrief((tx) => this.queue.backlogs(this.types.kinds, maxQueueDepth, tx));
    this.lookedAt = startedAt;
  }
}

function saturated(why: string): AppError {
  return new AppError(
    'intake-saturated',
    `The workers are behind: ${why}. Send the same again, with the same id, after the time in Retry-After.`,
    { status: 503, headers: { 'Retry-After': String(RETRY_SECONDS) } },
  );
}
