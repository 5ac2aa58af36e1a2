import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Batcher } from '../lib/batcher.js';
import { messageOf } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DeparturesRepository } from './departures.repository.js';
import { HandlerRegistry } from './handler-registry.js';
import { departDone, departFailing, departReleased, type Departure } from './ingest-job.state.js';
import type { ClaimedJob } from './job-handler.js';
import { RunningJobs, type AbortReason, type RunningJob } from './running-jobs.js';

/** Somebody else holds the job now; nothing that this worker did for it may stay. */
class LostJobError extends Error {}

const MAX_BATCH = 100;

/**
 * Takes one claimed job through its handler and out of `processing`. Success is settled in the archive's own
 * transaction; failures, snoozes and hand-backs write nothing else and share a statement with others of their moment.
 */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('jobs');
  private readonly departing: Batcher<Departure, boolean>;
  private readonly settled: Counter<'kind' | 'result'>;

  constructor(
    private readonly registry: HandlerRegistry,
    private readonly running: RunningJobs,
    private readonly departures: DeparturesRepository,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    this.settled = metrics.counter('jobs_settled_total', 'How attempts at jobs ended', ['kind', 'result']);
    metrics.gauge('jobs_running', 'Jobs that this process works on', () => running.size);
    this.departing = new Batcher((batch) => this.departAll(batch), { maxItems: MAX_BATCH, concurrency: 1 });
  }

  /** @param ended called when the job has left this process, whatever became of it */
  start(job: ClaimedJob, ended: () => void): void {
    const left = this.running.track(job, async (running) => {
      try {
        await this.run(job, running);
      } catch (error) {
        // The lease runs out and the sweep takes the job over; here is only the place to say so.
        this.logger.error(`Job ${job.id} could not be settled, its lease will run out: ${messageOf(error)}`);
      }
    });
    // Only now is its slot free: a claim before that would count it as taken.
    void left.then(ended);
  }

  /** Gives back whatever still runs, for a process that cannot wait any longer. */
  async releaseAll(): Promise<void> {
    const held = this.running.list().map(({ job }) => departReleased(job));
    if (held.length > 0) await this.departAll(held);
  }

  private async run(job: ClaimedJob, running: RunningJob): Promise<void> {
    try {
      await this.work(job, running);
      this.settled.inc({ kind: job.kind, result: 'done' });
    } catch (error) {
      const reason = running.signal.aborted ? (running.signal.reason as AbortReason) : undefined;
      if (error instanceof LostJobError || reason === 'lost' || reason === 'cancelled')
        return this.noteLost(job, reason);
      const departure =
        reason === 'stopping' ? departReleased(job) : departFailing(job, error, this.config.jobs.retryBaseSeconds);
      if (!(await this.departing.add(departure))) return this.noteLost(job, reason);
      this.settled.inc({ kind: job.kind, result: departure.result });
      if (departure.error) this.logger.warn(`Job ${job.id} ${departure.result}: ${departure.error.message}`);
    }
  }

  private async work(job: ClaimedJob, running: RunningJob): Promise<void> {
    const handler = this.registry.handlerOf(job.kind);
    const plan = await handler.gather(job, {
      signal: running.signal,
      progress: (done, total) => this.running.progressed(running, done, total),
    });
    running.signal.throwIfAborted();
    await this.transactions.run(
      async (tx) => {
        const settlement = await handler.commit(plan, tx, job);
        this.registry.assertOutcome(job.kind, settlement.outcome);
        const held = await this.departures.depart([departDone(job, settlement)], tx);
        if (!held.has(job.id)) throw new LostJobError();
        return true;
      },
      {
        wasCommitted: async () =>
          (await this.departures.resultOf(job.id, job.claimToken)) === 'done' ? true : undefined,
      },
    );
  }

  private async departAll(batch: Departure[]): Promise<boolean[]> {
    const held = await this.transactions.run((tx) => this.departures.depart(batch, tx), {
      wasCommitted: async () => {
        const results = await Promise.all(batch.map((d) => this.departures.resultOf(d.id, d.claimToken)));
        const done = batch.filter((_, index) => results[index] !== undefined).map((d) => d.id);
        return done.length > 0 ? new Set(done) : undefined;
      },
    });
    return batch.map((departure) => held.has(departure.id));
  }

  private noteLost(job: ClaimedJob, reason: AbortReason | undefined): void {
    this.settled.inc({ kind: job.kind, result: reason === 'cancelled' ? 'cancelled' : 'lost' });
    const why = reason === 'cancelled' ? 'was cancelled' : 'was taken over by another worker';
    this.logger.warn(`Job ${job.id} ${why} while this process worked on it; its work was dropped`);
  }
}
