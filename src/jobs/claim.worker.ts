import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { HandlerRegistry } from './handler-registry.js';
import { JobClaims } from './job-claims.service.js';
import { JobRunner } from './job-runner.js';
import { RunningJobs } from './running-jobs.js';
import { WakeUp } from './wake-up.js';

// Each process keeps its own period, so that processes which start together drift apart instead of polling in step.
const POLL_MS = 900 + Math.floor(Math.random() * 200);

/** Fills this process's free slots with due jobs. Polling finds everything; a wake-up only makes it sooner. */
@Injectable()
export class ClaimWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private stopping = false;
  /** Where the round through the kinds begins, so that a flood of one kind does not starve the others. */
  private turn = 0;
  /** A slot came free that the claim under way has perhaps not counted. */
  private freed = false;

  constructor(
    private readonly claims: JobClaims,
    private readonly registry: HandlerRegistry,
    private readonly runner: JobRunner,
    private readonly running: RunningJobs,
    private readonly wakeUp: WakeUp,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    const released = await this.claims.releaseEarlierLife();
    if (released > 0) this.logger.log(`${released} jobs that this worker held when it was killed are due again`);
    this.wakeUp.onJobs(() => void this.tick());
  }

  @Interval(POLL_MS)
  async tick(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    try {
      await this.runOnce();
    } catch (error) {
      this.logger.warn(`Cannot claim jobs: ${messageOf(error)}`);
    }
  }

  /** Claims as many due jobs as there are free slots and sets them going. @returns how many */
  readonly runOnce = singleFlight(async (): Promise<{ claimed: number }> => {
    let claimed = 0;
    do {
      this.freed = false;
      claimed += await this.fillSlots();
    } while (this.freed);
    return { claimed };
  });

  private async fillSlots(): Promise<number> {
    let claimed = 0;
    const kinds = this.registry.kinds;
    for (let step = 0; step < kinds.length && !this.stopping; step++) {
      const free = this.config.jobs.concurrency - this.running.size;
      if (free <= 0) break;
      const jobs = await this.claims.claim(kinds[(this.turn + step) % kinds.length] ?? '', free);
      for (const job of jobs) this.runner.start(job, () => this.slotFreed());
      claimed += jobs.length;
    }
    this.turn++;
    return claimed;
  }

  /** Lets running jobs go: each is handed back uncounted unless it ends by itself within the grace time. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.runOnce().catch(() => undefined);
    if (this.running.size === 0) return;
    this.logger.log(`Handing back ${this.running.size} running jobs`);
    this.running.abortAll('stopping');
    const grace = new Promise<'late'>((resolve) => {
      setTimeout(() => resolve('late'), this.config.jobs.shutdownGraceSeconds * 1000).unref();
    });
    if ((await Promise.race([this.running.ended(), grace])) === 'late') await this.runner.releaseAll();
  }

  private slotFreed(): void {
    // Without timers (in tests) nobody claims behind the caller's back.
    if (!this.config.timers || this.stopping) return;
    this.freed = true;
    void this.tick();
  }
}
