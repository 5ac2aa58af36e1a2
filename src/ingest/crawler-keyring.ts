import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { CrawlersRepository, type SealedSecret } from './crawlers.repository.js';
import { ownerOf } from './crawlers.service.js';
import { open } from './secret-box.js';
import type { SignatureCandidate } from './signature.js';

/** Whom a signature proved to be the sender. */
export interface KnownCrawler {
  id: string;
  name: string;
  enabled: boolean;
}

export interface CrawlerKey extends SignatureCandidate {
  crawler: KnownCrawler;
  validUntil: number;
}

/** A revoked secret works for so long in a process that knew it, and a new one is not known for so long. */
const FRESH_MS = 5_000;

/** Trying every live secret is for small houses; from here on crawlers say their name. */
const MAX_UNNAMED = 16;

/** The live secrets, opened, in this process's memory for a few seconds: a look-up a message would be its dearest part. */
@Injectable()
export class CrawlerKeyring {
  private readonly logger = new Logger('Intake');
  private keys: readonly CrawlerKey[] = [];
  private loadedAt = Number.NEGATIVE_INFINITY;
  private readonly reload = singleFlight(() => this.load());

  constructor(
    private readonly crawlers: CrawlersRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The keys to try for a message: those of the crawler it names (none for a name that is not known), or all.
   * @throws AppError 401 `crawler-required`
   */
  async candidates(name: string | undefined): Promise<CrawlerKey[]> {
    const age = this.clock.now().getTime() - this.loadedAt;
    // A clock that was set back makes a negative age, which is no youth.
    if (age < 0 || age >= FRESH_MS) await this.reload();
    const now = this.clock.seconds();
    const live = this.keys.filter(({ validUntil }) => validUntil === 0 || validUntil > now);
    if (name !== undefined) return live.filter(({ crawler }) => crawler.name === name);
    if (live.length <= MAX_UNNAMED) return live;
    throw new AppError('crawler-required', 'Send your crawler’s name in x-ingest-crawler: there are many here.', {
      status: 401,
    });
  }

  private async load(): Promise<void> {
    const startedAt = this.clock.now().getTime();
    const rows = await this.crawlers.liveSecrets();
    this.keys = rows.flatMap((row) => this.openKey(row));
    this.loadedAt = startedAt;
  }

  /** A row that was damaged shuts out its own crawler and no other. */
  private openKey({ crawlerId, crawlerName, enabled, sealed, validUntil }: SealedSecret): CrawlerKey[] {
    try {
      const key = open(this.config.secrets.key, sealed, ownerOf(crawlerId));
      return [{ key, crawler: { id: crawlerId, name: crawlerName, enabled }, validUntil }];
    } catch (error) {
      this.logger.error(messageOf(error));
      return [];
    }
  }
}
