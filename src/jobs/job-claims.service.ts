import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { HeartbeatWorker } from './heartbeat.worker.js';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import type { ClaimedJob } from './job-handler.js';
import { LeasesRepository } from './leases.repository.js';
import { RunningJobs } from './running-jobs.js';

/** Takes jobs in this process's name, and gives back what bears its name and is nobody's work. */
@Injectable()
export class JobClaims {
  /** Whether the last claim ended without an answer. */
  private uncertain = false;

  constructor(
    private readonly jobs: IngestJobsRepository,
    private readonly leases: LeasesRepository,
    private readonly running: RunningJobs,
    private readonly heartbeat: HeartbeatWorker,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * In a transaction, for its time limits: a claim that outlived its caller would take rows that nobody works on. What a
   * claim with an unknown end may have taken is given back before the next one. While leases cannot be kept nothing is
   * taken: each such claim would burn an attempt.
   */
  async claim(kind: string, limit: number): Promise<ClaimedJob[]> {
    if (this.heartbeat.failing) return [];
    if (this.uncertain) await this.releaseUnheld();
    this.uncertain = true;
    const { workerName } = this.config.jobs;
    const jobs = await this.transactions.run((tx) => this.jobs.claimDue(kind, limit, workerName, tx), { tries: 1 });
    this.uncertain = false;
    return jobs;
  }

  /** Gives back, uncounted, what an earlier life of this process held. @returns how many */
  async releaseEarlierLife(): Promise<number> {
    return this.config.jobs.workerNameIsStable ? this.releaseUnheld() : 0;
  }

  private releaseUnheld(): Promise<number> {
    const held = this.running.list().map(({ job }) => job.claimToken);
    return this.leases.releaseEarlierLife(this.config.jobs.workerName, held);
  }
}
