import { Inject } from '@nestjs/common';
import { BrandRecords } from '../jobs/brand-records.service.js';
import {
  type ClaimedJob,
  type GatherContext,
  JobHandler,
  type JobHandlerContract,
  type Settlement,
} from '../jobs/job-handler.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { BrandEditorRepository } from './brand-editor.repository.js';
import { BRAND_MERGE, mergedBrandOf } from './brand-merge-payload.js';
import { BrandReferenceRegistry } from './brand-reference-registry.js';

/** Rows are locked for as long as a batch takes, and workers wait for no lock longer than some seconds. */
export const RECORDS_A_BATCH = 5_000;

/**
 * Moves a merged brand's records to its survivor, batch by batch: a brand may have half a million, and one statement over
 * them would hold up every worker that settles one of them. What moved stays moved, so it may run twice.
 */
@JobHandler({ kind: BRAND_MERGE, outcomes: ['moved', 'noop'] })
export class BrandMergeHandler implements JobHandlerContract<number> {
  constructor(
    private readonly editing: BrandEditorRepository,
    private readonly references: BrandReferenceRegistry,
    private readonly records: BrandRecords,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns how many records moved */
  async gather(job: ClaimedJob, { signal }: GatherContext): Promise<number> {
    const from = mergedBrandOf(job.payload);
    let total = 0;
    for (let before: string | undefined; ;) {
      signal.throwIfAborted();
      const { moved, oldest } = await this.moveBatch(from, before);
      total += moved;
      if (oldest === undefined) return total;
      before = oldest;
    }
  }

  commit(moved: number): Promise<Settlement> {
    const note = this.config.jobs.notesLocale === 'en' ? `${moved} records moved` : `移入 ${moved} 条记录`;
    return Promise.resolve({ outcome: moved > 0 ? 'moved' : 'noop', note });
  }

  /** Under the lock of the merged brand, since its survivor may become a part of a third one meanwhile. */
  private moveBatch(from: string, before: string | undefined): Promise<{ moved: number; oldest: string | undefined }> {
    return this.transactions.run(async (tx) => {
      const into = (await this.editing.lock(tx, [from])).get(from)?.mergedInto ?? null;
      if (into === null) return { moved: 0, oldest: undefined };
      const keyPrefixes = this.references.keyPrefixes(from, into);
      return this.records.reassign(tx, { from, into, keyPrefixes, before, limit: RECORDS_A_BATCH });
    });
  }
}
