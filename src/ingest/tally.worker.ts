import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import { CrawlersRepository } from './crawlers.repository.js';
import { IngestCountsRepository } from './ingest-counts.repository.js';
import { Tally } from './tally.js';

const FLUSH_MS = 30_000;

/** Writes down what the door counted. */
@Injectable()
export class TallyWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Intake');

  constructor(
    private readonly tally: Tally,
    private readonly counts: IngestCountsRepository,
    private readonly crawlers: CrawlersRepository,
    private readonly transactions: Transactions,
  ) {}

  @Interval(FLUSH_MS)
  async tick(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      this.logger.warn(`The intake's counts cannot be written now, and are kept: ${messageOf(error)}`);
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.tick();
  }

  /** One transaction, so that what is put back was not written; only a commit whose fate is not known may count twice. */
  readonly runOnce = singleFlight(async (): Promise<{ answers: number; secrets: number }> => {
    const taken = this.tally.take();
    const { counts, uses } = taken;
    if (counts.length + uses.length > 0) {
      try {
        await this.transactions.run(async (tx) => {
          await this.counts.add(tx, counts);
          await this.crawlers.markUsed(tx, uses);
        });
      } catch (error) {
        this.tally.putBack(taken);
        throw error;
      }
    }
    return { answers: counts.reduce((sum, { count }) => sum + count, 0), secrets: uses.length };
  });
}
