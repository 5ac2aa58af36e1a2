import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CrawlerAnswers } from './crawler-answers.service.js';
import { CrawlerFieldsResolver, CrawlerSecretFieldsResolver } from './crawler-fields.resolver.js';
import { CrawlerKeyring } from './crawler-keyring.js';
import { CrawlersRepository } from './crawlers.repository.js';
import { CrawlersResolver } from './crawlers.resolver.js';
import { CrawlersService } from './crawlers.service.js';
import { IngestCountsRepository } from './ingest-counts.repository.js';

/** Who may post. In every process, since commands and the admin change what the door, maybe elsewhere, goes by. */
@Module({
  imports: [AuthModule],
  providers: [
    CrawlersRepository,
    IngestCountsRepository,
    CrawlerKeyring,
    CrawlersService,
    CrawlerAnswers,
    CrawlersResolver,
    CrawlerFieldsResolver,
    CrawlerSecretFieldsResolver,
  ],
  exports: [CrawlersRepository, IngestCountsRepository, CrawlerKeyring, CrawlersService],
})
export class CrawlersModule {}
