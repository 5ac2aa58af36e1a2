import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import pg from 'pg';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { cutConnection } from '../platform/database/cut-connection.js';
import { LeasesRepository } from './leases.repository.js';
import { RunningJobs } from './running-jobs.js';

const TICK_MS = 2_000;
const STATEMENT_MS = 10_000;
const MISSED_BEFORE_ABORT = 3;

export interface HeartbeatCounts {
  renewed: number;
  lost: number;
}

/**
 * Keeps the leases of this process's jobs, on a connection of its own: a pool whose connections are all busy must not
 * cost a lease. A worker that cannot renew stops working before anybody takes its jobs over.
 */
@Injectable()
export class HeartbeatWorker implements OnApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private client: pg.Client | undefined;
  private beatAt = Number.NEGATIVE_INFINITY;
  private missed = 0;

  constructor(
    private readonly leases: LeasesRepository,
    private readonly running: RunningJobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether leases cannot be kept just now: whoever claims a job now would only lose it. */
  get failing(): boolean {
    return this.missed >= MISSED_BEFORE_ABORT;
  }

  /** Comes more often than a heartbeat is due, so that progress is seen while it happens. */
  @Interval(TICK_MS)
  async tick(): Promise<void> {
    const due = this.clock.elapsed() - this.beatAt >= this.config.jobs.heartbeatSeconds;
    // A failed beat is tried again at the next period, not at the next tick: three in a row must span real time.
    const news = this.missed === 0 && this.running.takeProgressed();
    if (!news && !due) return;
    await this.runOnce().catch(() => undefined);
  }

  /** One heartbeat for all running jobs. @throws when it did not get through; three of those in a row abort the work */
  readonly runOnce = singleFlight(async (): Promise<HeartbeatCounts> => {
    try {
      const counts = await this.beat();
      this.missed = 0;
      return counts;
    } catch (error) {
      this.missed++;
      this.cut();
      this.logger.warn(`Heartbeat ${this.missed} of ${MISSED_BEFORE_ABORT} did not get through: ${messageOf(error)}`);
      if (this.failing) this.running.abortAll('lost');
      throw error;
    } finally {
      this.beatAt = this.clock.elapsed();
    }
  });

  /** Not sooner: while jobs are handed back they are still held, and a beat after the cut would connect again. */
  onApplicationShutdown(): void {
    this.cut();
  }

  private async beat(): Promise<HeartbeatCounts> {
    const held = this.running.list();
    // With nothing to renew it still finds out whether it could, once it has failed.
    if (held.length === 0 && this.missed === 0) return { renewed: 0, lost: 0 };
    const client = await this.connect();
    const leases = held.map(({ job, progress }) => ({ id: job.id, claimToken: job.claimToken, progress }));
    const renewed = await this.leases.renew(client, leases);
    const missing = leases.filter((lease) => !renewed.has(lease.id));
    if (missing.length === 0) return { renewed: renewed.size, lost: 0 };
    // A row that is only locked just now was passed over; it is lost when it bears another token.
    const tokens = await this.leases.heldTokens(
      client,
      missing.map((lease) => lease.id),
    );
    const lost = missing.filter((lease) => tokens.get(lease.id)?.token !== lease.claimToken);
    for (const lease of lost) {
      this.running.abort(lease.claimToken, tokens.get(lease.id)?.cancelled ? 'cancelled' : 'lost');
    }
    return { renewed: renewed.size, lost: lost.length };
  }

  private async connect(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.config.database.url,
      connectionTimeoutMillis: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.client === client) this.client = undefined;
    });
    this.client = client;
    await client.connect();
    return client;
  }

  private cut(): void {
    if (this.client) cutConnection(this.client);
    this.client = undefined;
  }
}
