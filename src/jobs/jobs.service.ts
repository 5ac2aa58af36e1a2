import { Injectable } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { DeparturesRepository } from './departures.repository.js';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import { UpdateRecords, type UpdateRecord } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

/** What a person may do to a job. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: IngestJobsRepository,
    private readonly departures: DeparturesRepository,
    private readonly records: UpdateRecords,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Gives a failed job three new attempts. @throws AppError `job-not-found`, `job-not-failed`, `job-superseded` */
  async retry(id: string): Promise<UpdateRecord> {
    const found = await this.jobs.retryFailed(id);
    if (found === 'not_found') throw notFound(id);
    if (found === 'not_failed') {
      throw new AppError('job-not-failed', `Job ${id} has not failed, so there is nothing to retry.`, { status: 409 });
    }
    if (found !== 'retried') {
      throw new AppError(
        'job-superseded',
        `Job ${id} was not retried: the newer job ${found.newerJob} for the same show is still under way. Wait for it, or retry that one.`,
        { status: 409, members: { newer_job: found.newerJob } },
      );
    }
    this.wakeUp.announce();
    return this.record(id);
  }

  /** Gives a job up, running or not. @throws AppError `job-not-found`, `job-ended` */
  async cancel(id: string, by: string): Promise<UpdateRecord> {
    if (!(await this.departures.cancel(id, `Cancelled by ${by}`))) {
      await this.record(id);
      throw new AppError('job-ended', `Job ${id} has ended already, so it cannot be cancelled.`, { status: 409 });
    }
    return this.record(id);
  }

  private async record(id: string): Promise<UpdateRecord> {
    const record = (await this.records.byIds([id])).get(id);
    if (record === undefined) throw notFound(id);
    return record;
  }
}

function notFound(id: string): AppError {
  return new AppError('job-not-found', `There is no job ${id}.`, { status: 404 });
}
