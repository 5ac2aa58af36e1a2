import { Module } from '@nestjs/common';
import { CrawlerKeyring } from './crawler-keyring.js';
import { CrawlersRepository } from './crawlers.repository.js';
import { CrawlersService } from './crawlers.service.js';

/** Who may post. In every process, since commands and the admin change what the door, maybe elsewhere, goes by. */
@Module({
  providers: [CrawlersRepository, CrawlerKeyring, CrawlersService],
  exports: [CrawlersRepository, CrawlerKeyring, CrawlersService],
})
export class CrawlersModule {}
