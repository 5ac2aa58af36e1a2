import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import type { JobStatus } from './ingest-job.state.js';
import type { Backlog, FinalJob, NewJob } from './new-job.js';
import { WakeUp } from './wake-up.js';

export type { Backlog, Correction, FinalJob, NewJob } from './new-job.js';

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

  /** Enqueues a job unless one of its subject key is waiting or running. @returns how many were enqueued: 1 or 0 */
  async enqueueOnce(tx: EntityManager, job: NewJob): Promise<number> {
    if ((await this.jobs.lockOpenSubject(tx, job.subjectKey)) !== undefined) return 0;
    return (await this.jobs.insert(tx, [job])).length;
  }

  /** Locks a job's row against retries and says whether the job has ended; one that is gone has ended. */
  lockFinal(tx: EntityManager, id: string): Promise<boolean> {
    return this.jobs.lockFinal(tx, id);
  }

  /** Of these jobs, those that are done, or failed for at least so many seconds: nobody is expected to retry them. */
  finalSince(ids: readonly string[], failedSeconds: number): Promise<FinalJob[]> {
    return this.jobs.finalSince(ids, failedSeconds);
  }

  /** Jobs of a kind whose brand is not known, by id; for filling in the brands of rows from before. */
  withoutBrand(kind: string, limit: number, after: string): Promise<{ id: string; payload: string }[]> {
    return this.jobs.withoutBrand(kind, limit, after);
  }

  assignBrands(tx: EntityManager, rows: readonly { id: string; brandId: string; brandless: boolean }[]): Promise<void> {
    return this.jobs.assignBrands(tx, rows);
  }

  /** A hint to idle workers that jobs came in; call it after the commit. Workers find them without it, later. */
  announce(): void {
    this.wakeUp.announce();
  }

  statusesOf(ids: readonly string[], tx?: EntityManager): Promise<Map<string, JobStatus>> {
    return this.jobs.statusesOf(ids, tx);
  }

  /** Those of these subject keys that a job is waiting or running for. */
  openSubjects(keys: readonly string[], tx?: EntityManager): Promise<Set<string>> {
    return this.jobs.openSubjects(keys, tx);
  }

  /** What waits of each kind, counted no further than `cap`. */
  backlogs(kinds: readonly string[], cap: number, tx?: EntityManager): Promise<Map<string, Backlog>> {
    return this.jobs.backlogs(kinds, cap, tx);
  }
}
