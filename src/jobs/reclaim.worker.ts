import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { HandlerRegistry } from './handler-registry.js';
import { LeasesRepository } from './leases.repository.js';

const SWEEP_MS = 15_000;
const BATCH = 100;

export interface SweepCounts {
  /** Taken away from a silent worker and due again. */
  reclaimed: number;
  /** Taken away on their last attempt. */
  failed: number;
  /** Pending with all attempts spent. */
  spent: number;
  /** Rows that the database would not let us move; the next sweep tries them again. */
  stubborn: number;
}

/** Takes jobs back from workers that stopped renewing their leases. Any number of processes may sweep at once. */
@Injectable()
export class ReclaimWorker {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly leases: LeasesRepository,
    private readonly registry: HandlerRegistry,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Interval(SWEEP_MS)
  async tick(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    try {
      const { reclaimed, failed, spent, stubborn } = await this.runOnce();
      const moved = reclaimed + failed + spent;
      if (moved > 0)
        this.logger.warn(`Swept ${reclaimed} stuck jobs back, failed ${failed + spent} whose attempts are spent`);
      if (stubborn > 0) this.logger.error(`${stubborn} stuck jobs could not be moved; they are tried again`);
    } catch (error) {
      this.logger.warn(`Cannot sweep stuck jobs: ${messageOf(error)}`);
    }
  }

  readonly runOnce = singleFlight(async (): Promise<SweepCounts> => {
    const kinds = this.registry.kinds;
    const { stuckSeconds } = this.config.jobs;
    const counts: SweepCounts = { reclaimed: 0, failed: 0, spent: 0, stubborn: 0 };
    let after = { lockedAt: '-1', id: '0' };
    for (;;) {
      const page = await this.transactions.run((tx) => this.leases.findStuck(kinds, stuckSeconds, BATCH, after, tx));
      await this.reclaim(
        page.map((row) => row.id),
        counts,
      );
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) break;
      after = last;
    }
    for (let failed = BATCH; failed === BATCH; counts.spent += failed) {
      failed = await this.transactions.run((tx) => this.leases.failSpent(kinds, BATCH, tx));
    }
    return counts;
  });

  /** A row that makes the statement fail must not keep its neighbours stuck: then each goes alone. */
  private async reclaim(ids: string[], counts: SweepCounts): Promise<void> {
    if (ids.length === 0) return;
    try {
      const moved = await this.transactions.run((tx) => this.leases.reclaim(ids, this.config.jobs.stuckSeconds, tx));
      counts.reclaimed += moved.reclaimed;
      counts.failed += moved.failed;
    } catch (error) {
      if (ids.length === 1) {
        counts.stubborn++;
        this.logger.warn(`Job ${ids[0]} cannot be reclaimed: ${messageOf(error)}`);
        return;
      }
      for (const id of ids) await this.reclaim([id], counts);
    }
  }
}
