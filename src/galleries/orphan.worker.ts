import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../jobs/job-queue.js';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { cleanupJob } from './cleanup-payload.js';
import { CleanupRepository } from './cleanup.repository.js';

const SWEEP_MS = 60_000;
const BATCH = 200;

/**
 * The one way of all orphans: finds what crawls stored and no gallery took (failed, cancelled, lost the race, same bytes
 * twice) and enqueues its clean-up. A failed crawl keeps its pictures for as long as the trash does, for a retry.
 */
@Injectable()
export class OrphanWorker {
  private readonly logger = new Logger('galleries');

  constructor(
    private readonly cleanups: CleanupRepository,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Interval(SWEEP_MS)
  async tick(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    try {
      const { enqueued } = await this.runOnce();
      if (enqueued > 0) this.logger.log(`${enqueued} clean-ups of pictures that no gallery took`);
    } catch (error) {
      this.logger.warn(`Cannot look for pictures that no gallery took: ${messageOf(error)}`);
    }
  }

  readonly runOnce = singleFlight(async (): Promise<{ enqueued: number }> => {
    let enqueued = 0;
    for (let after = '0'; ;) {
      const jobIds = await this.cleanups.jobsWithSlots(BATCH, after);
      for (const job of await this.queue.finalSince(jobIds, this.config.galleries.trashSeconds)) {
        const label = { brandId: job.brandId, subject: job.subject, submittedBy: 'runway-ingest' };
        const cleanup = cleanupJob({ jobId: job.id }, label);
        enqueued += await this.transactions.run((tx) =>
          this.queue.enqueueOnce(tx, { ...cleanup, subjectKey: `slots:${job.id}` }),
        );
      }
      const last = jobIds.at(-1);
      if (last === undefined || jobIds.length < BATCH) return { enqueued };
      after = last;
    }
  });
}
