import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { AppError } from '../lib/app-error.js';
import { Transactions } from '../platform/database/transactions.js';
import { DeparturesRepository } from './departures.repository.js';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import { assertRetried, jobNotFound } from './job-refusals.js';
import { UpdateRecords, type UpdateRecord } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

/** What a person may do to a job. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: IngestJobsRepository,
    private readonly departures: DeparturesRepository,
    private readonly records: UpdateRecords,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Gives a failed job three new attempts. @throws AppError `job-not-found`, `job-not-failed`, `job-superseded` */
  async retry(id: string, actor: Actor): Promise<UpdateRecord> {
    await this.transactions.run(async (tx) => {
      assertRetried(id, await this.jobs.retryFailed(id, undefined, tx));
      await this.log.record(tx, actor, { action: 'job.retried', entity: 'job', entityId: id });
    });
    this.wakeUp.announce();
    return this.record(id);
  }

  /** Gives a job up, running or not. @throws AppError `job-not-found`, `job-ended` */
  async cancel(id: string, actor: Actor): Promise<UpdateRecord> {
    const cancelled = await this.transactions.run(async (tx) => {
      if (!(await this.departures.cancel(id, `Cancelled by ${actor.name}`, tx))) return false;
      await this.log.record(tx, actor, { action: 'job.cancelled', entity: 'job', entityId: id });
      return true;
    });
    const record = await this.record(id);
    if (cancelled) return record;
    throw new AppError('job-ended', `Job ${id} has ended already, so it cannot be cancelled.`, { status: 409 });
  }

  private async record(id: string): Promise<UpdateRecord> {
    const record = (await this.records.byIds([id])).get(id);
    if (record === undefined) throw jobNotFound(id);
    return record;
  }
}
