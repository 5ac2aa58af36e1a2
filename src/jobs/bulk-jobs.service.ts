import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { AppError } from '../lib/app-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { BulkRetryRepository, type FailedSet } from './bulk-retry.repository.js';
import type { JobFilter } from './job-lists.repository.js';
import { readRetryToken, writeRetryToken } from './retry-token.js';
import { UpdateRecords, type UpdateRecord } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

const MAX_JOBS = 10_000;
const BATCH = 500;
const SAMPLE = 10;

/** What a bulk retry did, or would do. */
export interface FailedJobsRetry {
  done: boolean;
  /** Failed jobs that the filter found. */
  count: number;
  /** To have just these retried; null when there are none or it is done. */
  token: string | null;
  /** The newest of them. */
  sample: UpdateRecord[];
  retried: number;
  /** Ended otherwise meanwhile, or superseded by a newer job of the same show. */
  skipped: number;
}

/** New attempts for whatever failed alike: first looked at, then done to just what was seen. */
@Injectable()
export class BulkJobs {
  constructor(
    private readonly repository: BulkRetryRepository,
    private readonly records: UpdateRecords,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
    private readonly wakeUp: WakeUp,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** What a retry would be done to, and the token for it. @throws AppError `too-many-jobs` */
  async lookAt(filter: JobFilter): Promise<FailedJobsRetry> {
    const set = await this.find(filter);
    const seen = { count: set.ids.length, newest: set.ids[0] ?? '0', seenAt: set.now };
    const token = seen.count === 0 ? null : writeRetryToken(this.config.secrets.key, filter, seen);
    return { ...(await this.described(set)), done: false, token, retried: 0, skipped: 0 };
  }

  /**
   * Retries what a dry run of the same filter saw, a batch a transaction.
   * @throws AppError `retry-token-invalid`, `set-has-grown`, `too-many-jobs`
   */
  async retry(actor: Actor, filter: JobFilter, token: string): Promise<FailedJobsRetry> {
    const set = await this.find(filter);
    const seen = readRetryToken(this.config.secrets.key, filter, token, set.now);
    if (seen === undefined) {
      throw new AppError(
        'retry-token-invalid',
        'That is not the token of a dry run of this filter in the last 15 minutes. Do a dry run first, and send its token.',
        { status: 400 },
      );
    }
    const hasNewer = BigInt(set.ids[0] ?? 0) > BigInt(seen.newest) || set.changedAt > seen.seenAt;
    if (set.ids.length > seen.count || hasNewer) {
      throw new AppError(
        'set-has-grown',
        'More jobs have failed since the dry run, so nothing was retried. Look at them in another dry run.',
        { status: 409, members: { seen: seen.count, found: set.ids.length } },
      );
    }
    let retried = 0;
    // Newest first, so that of several jobs of one show the newest is the one that is tried again.
    for (let start = 0; start < set.ids.length; start += BATCH) {
      const batch = set.ids.slice(start, start + BATCH);
      retried += await this.transactions.run((tx) => this.retryBatch(tx, actor, batch, seen.seenAt));
    }
    this.wakeUp.announce();
    const skipped = set.ids.length - retried;
    return { ...(await this.described(set)), done: true, token: null, retried, skipped };
  }

  private async retryBatch(tx: EntityManager, actor: Actor, batch: readonly string[], seenAt: number): Promise<number> {
    const retried = await this.repository.retry(tx, batch, seenAt);
    if (retried === 0) return 0;
    const [newest = '', oldest = newest] = [batch[0], batch.at(-1)];
    const detail = `${retried} of ${batch.length} failed jobs, ids ${oldest} to ${newest}`;
    await this.log.record(tx, actor, { action: 'job.bulk_retried', entity: 'job', entityId: newest, detail });
    return retried;
  }

  private async find(filter: JobFilter): Promise<FailedSet> {
    const set = await this.transactions.run((tx) => this.repository.failedSet(tx, filter, MAX_JOBS + 1));
    if (set.ids.length <= MAX_JOBS) return set;
    throw new AppError(
      'too-many-jobs',
      `More than ${MAX_JOBS} failed jobs are found. Narrow it down, by kind, brand, crawler, error code or time.`,
      { status: 400 },
    );
  }

  private async described({ ids }: FailedSet): Promise<Pick<FailedJobsRetry, 'count' | 'sample'>> {
    const shown = ids.slice(0, SAMPLE);
    const records = await this.records.byIds(shown);
    return { count: ids.length, sample: shown.flatMap((id) => records.get(id) ?? []) };
  }
}
