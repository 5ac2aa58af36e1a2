import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { cutConnection } from '../platform/database/cut-connection.js';

const CHANNEL = 'ingest_jobs';
/** At most one notify in this time, however many jobs come in. */
const WINDOW_MS = 100;
const CHECK_MS = 15_000;

/**
 * Tells idle workers that jobs came in. Only a hint: a lost one costs a poll's wait and nothing else, so nothing here
 * ever fails a caller. Listening needs a session, hence the direct address past a pooler.
 */
@Injectable()
export class WakeUp implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private listeners: (() => void)[] = [];
  private client: pg.Client | undefined;
  private notifying: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.timers) await this.check();
  }

  onJobs(listener: () => void): void {
    this.listeners.push(listener);
  }

  announce(): void {
    if (!this.config.timers || this.stopping) return;
    this.notifying ??= setTimeout(() => {
      this.notifying = undefined;
      this.dataSource.query(`SELECT pg_notify('${CHANNEL}', '')`).catch(() => undefined);
    }, WINDOW_MS).unref();
  }

  /** Listens, and finds out whether the connection still lives: a half-open one looks healthy for ever. */
  @Interval(CHECK_MS)
  tick(): Promise<void> {
    return this.check();
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    clearTimeout(this.notifying);
    if (this.client) cutConnection(this.client);
  }

  private readonly check = singleFlight(async (): Promise<void> => {
    if (!this.config.roles.has('worker') || this.stopping) return;
    try {
      if (this.client) await this.client.query('SELECT 1');
      else await this.listen();
    } catch (error) {
      if (this.client) cutConnection(this.client);
      this.client = undefined;
      this.logger.warn(`Not listening for new jobs (polling finds them): ${messageOf(error)}`);
    }
  });

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.config.database.directUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.client === client) this.client = undefined;
    });
    client.on('notification', () => {
      for (const listener of this.listeners) listener();
    });
    // Kept before it works, so that whatever fails from here on is cut and does not stay behind.
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  }
}
