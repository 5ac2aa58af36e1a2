import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import { type DecidedJob, JobDecisionsRepository } from './job-decisions.repository.js';
import { assertRetried, jobNotFound, showUnderWay } from './job-refusals.js';
import type { Correction, NewJob } from './new-job.js';
import { type UpdateRecord, UpdateRecords } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

export type { DecidedJob } from './job-decisions.repository.js';

/**
 * What a person decides about a job, for the room that knows what its payload means. What was signed never changes: a
 * decision is kept beside it, or is a new job with the same payload.
 */
@Injectable()
export class JobDecisions {
  constructor(
    private readonly decisions: JobDecisionsRepository,
    private readonly jobs: IngestJobsRepository,
    private readonly records: UpdateRecords,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Not locked: to be read before the transaction that decides. @throws AppError `job-not-found` */
  async find(id: string): Promise<DecidedJob> {
    return found(id, await this.decisions.find(id));
  }

  /** Locked until the transaction ends. @throws AppError `job-not-found` */
  async lock(tx: EntityManager, id: string): Promise<DecidedJob> {
    return found(id, await this.decisions.lock(tx, id));
  }

  /**
   * Gives a failed job three new attempts, and with a correction another reading; without one the last stays.
   * @throws AppError `job-not-found`, `job-not-failed`, `job-superseded`
   */
  async retry(tx: EntityManager, id: string, correction?: Correction): Promise<void> {
    // Whoever corrects another job into the same show, or has it crawled anew, waits here and then finds this one.
    if (correction !== undefined) await this.jobs.lockOpenSubject(tx, correction.subjectKey);
    assertRetried(id, await this.jobs.retryFailed(id, correction, tx));
  }

  /**
   * Enqueues the work of an earlier job once more, as a job of its own.
   * @returns the new job's id
   * @throws AppError `job-superseded` when a job of that show is under way already
   */
  async repeat(tx: EntityManager, id: string, job: NewJob): Promise<string> {
    const open = await this.jobs.lockOpenSubject(tx, job.subjectKey);
    if (open !== undefined) throw showUnderWay(id, open);
    const [made = ''] = await this.jobs.insert(tx, [job]);
    return made;
  }

  /** A person has looked at it. @returns whether it was suspect until now */
  clearSuspect(tx: EntityManager, id: string): Promise<boolean> {
    return this.decisions.clearSuspect(tx, id);
  }

  /** As they were written; jobs without any are left out. */
  overridesOf(ids: readonly string[]): Promise<Map<string, string>> {
    return this.decisions.overridesOf(ids);
  }

  /** The job as it stands once the decision is committed; idle workers are told of it. */
  async decided(id: string): Promise<UpdateRecord> {
    this.wakeUp.announce();
    return found(id, (await this.records.byIds([id])).get(id));
  }
}

function found<T>(id: string, job: T | undefined): T {
  if (job === undefined) throw jobNotFound(id);
  return job;
}
