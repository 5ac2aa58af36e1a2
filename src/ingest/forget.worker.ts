import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';

const SWEEP_MS = 3_600_000;
const BATCH = 1_000;
/** The contract promises 14 days; a crawler that was down for them still gets its first answers again. */
const REMEMBERED_SECONDS = 30 * 86_400;

/** Forgets messages that nobody sends again: batch by batch, so that the door is never held up. */
@Injectable()
export class ForgetWorker {
  private readonly logger = new Logger('Intake');

  constructor(
    private readonly messages: IngestMessagesRepository,
    private readonly transactions: Transactions,
  ) {}

  @Interval(SWEEP_MS)
  async tick(): Promise<void> {
    try {
      const { forgotten } = await this.runOnce();
      if (forgotten > 0) this.logger.log(`${forgotten} messages of more than 30 days ago were forgotten`);
    } catch (error) {
      this.logger.warn(`Old messages cannot be forgotten now: ${messageOf(error)}`);
    }
  }

  readonly runOnce = singleFlight(async (): Promise<{ forgotten: number }> => {
    let forgotten = 0;
    for (;;) {
      const gone = await this.transactions.run((tx) => this.messages.forget(tx, REMEMBERED_SECONDS, BATCH));
      forgotten += gone;
      if (gone < BATCH) return { forgotten };
    }
  });
}
