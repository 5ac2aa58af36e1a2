import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { CrawlersRepository, type SealedSecret } from './crawlers.repository.js';
import { DatabaseGate } from './database-gate.js';
import { open, ownerOf } from './secret-box.js';
import type { SignatureCandidate } from './signature.js';

/** Whom a signature proved to be the sender. */
export interface KnownCrawler {
  id: string;
  name: string;
  enabled: boolean;
}

export interface CrawlerKey extends SignatureCandidate {
  secretId: string;
  crawler: KnownCrawler;
  validUntil: number;
}

/** A revoked secret works for so long in a process that knew it. */
const FRESH_SECONDS = 5;

/** Trying every live secret is for small houses; from here on crawlers say their name. */
const MAX_UNNAMED = 16;

/** The live secrets, opened, in this process's memory for a few seconds: a look-up a message would be its dearest part. */
@Injectable()
export class CrawlerKeyring {
  private readonly logger = new Logger('Intake');
  private readonly gate: DatabaseGate;
  private keys: readonly CrawlerKey[] = [];
  /** By {@link Clock.elapsed}: when what we know was asked for, and what is older than that is known to be wrong. */
  private loadedAt = Number.NEGATIVE_INFINITY;
  private changedAt = Number.NEGATIVE_INFINITY;
  private readonly reload = singleFlight(() => this.load());

  constructor(
    private readonly crawlers: CrawlersRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.gate = new DatabaseGate(config.intake.databaseWaitMs);
  }

  /**
   * The keys to try for a message: those of the crawler it names (none for a name that is not known), or all.
   * @throws AppError 401 `crawler-required`; 503
   */
  async candidates(name: string | undefined): Promise<CrawlerKey[]> {
    await this.loadedSince(Math.max(this.clock.elapsed() - FRESH_SECONDS, this.changedAt));
    return this.live(name);
  }

  /**
   * As {@link candidates}, as the database knows them now: for a signature that no known key made. A secret may have been
   * made a moment ago, by another process. Those who come together share a look, and an address is wrong only so often.
   */
  async newCandidates(name: string | undefined): Promise<CrawlerKey[]> {
    await this.loadedSince(this.clock.elapsed());
    return this.live(name);
  }

  /** Makes the next message look: something was changed by this very process. */
  forget(): void {
    this.changedAt = this.clock.elapsed();
  }

  private async loadedSince(moment: number): Promise<void> {
    if (this.loadedAt >= moment) return;
    await this.gate.pass(async () => {
      // More than once when a look was under way: begun too early, it may not have seen what we look for.
      while (this.loadedAt < moment) await this.reload();
    });
  }

  private live(name: string | undefined): CrawlerKey[] {
    const now = this.clock.seconds();
    const live = this.keys.filter(({ validUntil }) => validUntil === 0 || validUntil > now);
    if (name !== undefined) return live.filter(({ crawler }) => crawler.name === name);
    if (live.length <= MAX_UNNAMED) return live;
    throw new AppError('crawler-required', 'Send your crawler’s name in x-ingest-crawler: there are many here.', {
      status: 401,
    });
  }

  private async load(): Promise<void> {
    const startedAt = this.clock.elapsed();
    const rows = await this.transactions.runBrief((tx) => this.crawlers.liveSecrets(tx), { tries: 2 });
    this.keys = rows.flatMap((row) => this.openKey(row));
    this.loadedAt = startedAt;
  }

  /** A row that was damaged shuts out its own crawler and no other. */
  private openKey({ id, crawlerId, crawlerName, enabled, sealed, validUntil }: SealedSecret): CrawlerKey[] {
    try {
      const key = open(this.config.secrets.key, sealed, ownerOf(crawlerId));
      return [{ key, secretId: id, crawler: { id: crawlerId, name: crawlerName, enabled }, validUntil }];
    } catch (error) {
      this.logger.error(messageOf(error));
      return [];
    }
  }
}
