import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import type { JobStatus } from './ingest-job.state.js';
import { WakeUp } from './wake-up.js';

export interface NewJob {
  /** From `reserveIds`; made by the database when left out. */
  id?: string;
  kind: string;
  payload: string;
  /** '0' for none. */
  brandId: string;
  /** Belongs to no brand on purpose (street style), as against to one that is not known. */
  brandless?: boolean;
  subject: string;
  /** Natural key of what the job is about; '' when there is none. Jobs of one key are one show. */
  subjectKey: string;
  /** The crawler's name, or who else asked for it. */
  submittedBy: string;
  galleryId?: string;
  /** Seconds until it is due; now when left out. */
  delaySeconds?: number;
}

/** The queue's front door: whoever has work to be done enqueues it in the transaction that made the work necessary. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly jobs: IngestJobsRepository,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Ids for jobs that other rows must name before the jobs are there. */
  reserveIds(tx: EntityManager, count: number): Promise<string[]> {
    return this.jobs.reserveIds(tx, count);
  }

  /** @returns the jobs' ids, in order */
  enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<string[]> {
    return this.jobs.insert(tx, jobs);
  }

  /** A hint to idle workers that jobs came in; call it after the commit. Workers find them without it, later. */
  announce(): void {
    this.wakeUp.announce();
  }

  statusesOf(ids: readonly string[]): Promise<Map<string, JobStatus>> {
    return this.jobs.statusesOf(ids);
  }
}
