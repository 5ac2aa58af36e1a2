import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { AppError } from '../lib/app-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { CrawlerKeyring } from './crawler-keyring.js';
import { CrawlersRepository, type CrawlerView } from './crawlers.repository.js';
import { fingerprintOf, ownerOf, seal } from './secret-box.js';
import { keyOfSecret, SECRET_PREFIX } from './signature.js';

export type { CrawlerView, SecretView } from './crawlers.repository.js';

/** A secret that was just made. Nobody is shown it again. */
export interface MadeSecret {
  id: string;
  secret: string;
  crawler: CrawlerView;
}

/** Which of a crawler's live secrets: all, all but the newest, or the one with this id. */
export type WhichSecrets = 'all' | 'old' | { id: string };

export const MAX_LIVE_SECRETS = 3;
export const OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 90 * 86_400;

interface AddedCrawler {
  crawlerId: string;
  secretId: string;
}

const DEV_CRAWLER = 'dev';
const SECRET_BYTES = 32;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Who may post, and with which secrets; for the commands and the admin. What it changes is known to this process at once,
 * and to every other within the keyring's few seconds. Each change is in the log of what was done, by ids and never by a
 * secret.
 */
@Injectable()
export class CrawlersService implements OnModuleInit {
  constructor(
    private readonly crawlers: CrawlersRepository,
    private readonly keyring: CrawlerKeyring,
    private readonly transactions: Transactions,
    private readonly log: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Makes the crawler of the embedded default, so that a newcomer's first post is signed. */
  async onModuleInit(): Promise<void> {
    const { devCrawlerSecret } = this.config.secrets;
    // Only where it is not: one that was switched off or lost its secret stays so. Nobody did it, so nobody is logged.
    if (devCrawlerSecret !== undefined) await this.addUnlessThere(DEV_CRAWLER, devCrawlerSecret);
  }

  list(): Promise<CrawlerView[]> {
    return this.crawlers.list();
  }

  /** One crawler. @throws AppError 404 `crawler-unknown` */
  async byName(name: string): Promise<CrawlerView> {
    const [crawler] = await this.crawlers.list(name);
    if (crawler !== undefined) return crawler;
    throw unknownCrawler(name);
  }

  /** Makes a crawler with a first secret. @throws AppError 422 `crawler-name-invalid`, `crawler-exists` */
  async create(actor: Actor, name: string): Promise<MadeSecret> {
    const secret = newSecret();
    const { secretId } = await this.addNew(actor, name, secret);
    return { id: secretId, secret, crawler: await this.byName(name) };
  }

  /**
   * Makes a crawler with a secret that is known already. @returns the crawler's id
   * @throws AppError 422 `crawler-name-invalid`, `crawler-exists`, `secret-malformed`, `secret-in-use`
   */
  async add(actor: Actor, name: string, secret: string): Promise<string> {
    return (await this.addNew(actor, name, secret)).crawlerId;
  }

  /**
   * Gives a crawler a new secret. Those it has go on for the overlap, so that whoever runs it can change them in peace.
   * @param overlapSeconds up to {@link MAX_OVERLAP_SECONDS}
   * @throws AppError 404 `crawler-unknown`, 422 `too-many-secrets`, `overlap-invalid`
   */
  async rotate(actor: Actor, name: string, overlapSeconds = OVERLAP_SECONDS): Promise<MadeSecret> {
    if (!(overlapSeconds >= 0 && overlapSeconds <= MAX_OVERLAP_SECONDS)) {
      throw new AppError(
        'overlap-invalid',
        `Old secrets go on for 0 to ${MAX_OVERLAP_SECONDS / 3_600} hours. Take fewer hours.`,
        { status: 422 },
      );
    }
    const secret = newSecret();
    const id = await this.change(name, async (tx, crawlerId) => {
      const live = await this.crawlers.liveSecretIds(tx, crawlerId);
      if (live.length >= MAX_LIVE_SECRETS) {
        throw new AppError(
          'too-many-secrets',
          `"${name}" has ${live.length} live secrets, and ${MAX_LIVE_SECRETS} are allowed. Revoke one first, or wait until one ends.`,
          { status: 422 },
        );
      }
      await this.crawlers.endSecrets(tx, live, Math.round(overlapSeconds));
      const made = await this.addSecret(tx, crawlerId, secret);
      const ends = live.length === 0 ? '' : `; ${live.join(', ')} end in ${overlapSeconds / 3_600} h or sooner`;
      await this.record(tx, actor, 'rotated', crawlerId, `${name}: secret ${made} was made${ends}`);
      return made;
    });
    return { id, secret, crawler: await this.byName(name) };
  }

  /**
   * Takes secrets away, for good. @returns the ids of those that were live until now
   * @throws AppError 404 `crawler-unknown`, `secret-unknown`
   */
  revoke(actor: Actor, name: string, which: WhichSecrets): Promise<string[]> {
    return this.change(name, async (tx, crawlerId) => {
      const live = await this.crawlers.liveSecretIds(tx, crawlerId);
      const chosen =
        which === 'all' ? live : which === 'old' ? live.slice(0, -1) : live.filter((id) => id === which.id);
      if (typeof which === 'object' && chosen.length === 0) {
        throw new AppError(
          'secret-unknown',
          `"${name}" has no live secret ${which.id}. Its live ones: ${live.join(', ') || 'none'}.`,
          { status: 404 },
        );
      }
      if (chosen.length === 0) return chosen;
      await this.crawlers.revokeSecrets(tx, chosen);
      await this.record(tx, actor, 'revoked', crawlerId, `${name}: secrets ${chosen.join(', ')}`);
      return chosen;
    });
  }

  /** A crawler that is switched off is answered 403. @throws AppError 404 `crawler-unknown` */
  setEnabled(actor: Actor, name: string, enabled: boolean): Promise<void> {
    return this.change(name, async (tx, crawlerId) => {
      if (!(await this.crawlers.setEnabled(tx, crawlerId, enabled))) return;
      await this.record(tx, actor, enabled ? 'switched_on' : 'switched_off', crawlerId, name);
    });
  }

  private async change<T>(name: string, work: (tx: EntityManager, crawlerId: string) => Promise<T>): Promise<T> {
    const result = await this.transactions.run(async (tx) => {
      const crawlerId = await this.crawlers.lock(tx, name);
      if (crawlerId !== undefined) return work(tx, crawlerId);
      throw unknownCrawler(name);
    });
    this.keyring.forget();
    return result;
  }

  private async addNew(actor: Actor, name: string, secret: string): Promise<AddedCrawler> {
    if (!NAME.test(name)) {
      throw new AppError(
        'crawler-name-invalid',
        'A crawler’s name has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or a digit.',
        { status: 422 },
      );
    }
    const added = await this.addUnlessThere(name, secret, actor);
    if (added !== undefined) return added;
    throw new AppError('crawler-exists', `There is a crawler "${name}" already. Take another name.`, { status: 422 });
  }

  private async addUnlessThere(name: string, secret: string, actor?: Actor): Promise<AddedCrawler | undefined> {
    keyOfSecret(secret);
    const added = await this.transactions.run(async (tx) => {
      const crawlerId = await this.crawlers.insert(tx, name);
      if (crawlerId === undefined) return undefined;
      const secretId = await this.addSecret(tx, crawlerId, secret);
      if (actor !== undefined) await this.record(tx, actor, 'created', crawlerId, `${name}, with secret ${secretId}`);
      return { crawlerId, secretId };
    });
    this.keyring.forget();
    return added;
  }

  private record(tx: EntityManager, actor: Actor, deed: string, entityId: string, detail: string): Promise<void> {
    return this.log.record(tx, actor, { action: `crawler.${deed}`, entity: 'crawler', entityId, detail });
  }

  private async addSecret(tx: EntityManager, crawlerId: string, secret: string): Promise<string> {
    const { key } = this.config.secrets;
    const bytes = keyOfSecret(secret);
    const sealed = seal(key, bytes, ownerOf(crawlerId));
    const id = await this.crawlers.insertSecret(tx, crawlerId, sealed, fingerprintOf(key, bytes));
    if (id !== undefined) return id;
    throw new AppError('secret-in-use', 'Another crawler has this secret. Every crawler needs one of its own.', {
      status: 422,
    });
  }
}

function unknownCrawler(name: string): AppError {
  return new AppError('crawler-unknown', `There is no crawler "${name}".`, { status: 404 });
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}
