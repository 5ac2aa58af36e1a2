import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { CrawlersRepository } from './crawlers.repository.js';
import { fingerprintOf, seal } from './secret-box.js';
import { keyOfSecret } from './signature.js';

const DEV_CRAWLER = 'dev';

/** Who may post. Makes the development crawler of the embedded default, so that a newcomer's first post is signed. */
@Injectable()
export class CrawlersService implements OnModuleInit {
  constructor(
    private readonly crawlers: CrawlersRepository,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    const { devCrawlerSecret } = this.config.secrets;
    // Only where it is not: one that was switched off or lost its secret stays so.
    if (devCrawlerSecret !== undefined) await this.addUnlessThere(DEV_CRAWLER, devCrawlerSecret);
  }

  /**
   * Makes a crawler with its first secret.
   * @throws AppError 422 `crawler-exists`, `secret-malformed`, `secret-in-use`
   */
  async add(name: string, secret: string): Promise<string> {
    const id = await this.addUnlessThere(name, secret);
    if (id !== undefined) return id;
    throw new AppError('crawler-exists', `There is a crawler "${name}" already. Take another name.`, { status: 422 });
  }

  private addUnlessThere(name: string, secret: string): Promise<string | undefined> {
    const { key } = this.config.secrets;
    const bytes = keyOfSecret(secret);
    return this.transactions.run(async (tx) => {
      const id = await this.crawlers.insert(tx, name);
      if (id === undefined) return undefined;
      if (!(await this.crawlers.insertSecret(tx, id, seal(key, bytes, ownerOf(id)), fingerprintOf(key, bytes)))) {
        throw new AppError('secret-in-use', 'Another crawler has this secret. Every crawler needs one of its own.', {
          status: 422,
        });
      }
      return id;
    });
  }
}

/** What a sealed secret is bound to. */
export function ownerOf(crawlerId: string): string {
  return `crawler ${crawlerId}`;
}
