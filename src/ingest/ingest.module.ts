import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BrandsModule } from '../brands/brands.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { CrawlerKeyring } from './crawler-keyring.js';
import { CrawlersRepository } from './crawlers.repository.js';
import { CrawlersService } from './crawlers.service.js';
import { DoorHook } from './door.hook.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';
import { IngestRefusalsRepository } from './ingest-refusals.repository.js';
import { IngestController } from './ingest.controller.js';
import { IntakeService } from './intake.service.js';
import { IntakeTypes } from './intake-types.js';
import { MessageWriter } from './message-writer.js';
import { SignatureGuard } from './signature.guard.js';

/** The crawler's door: verify, look the type up, enqueue, answer. It finds the owners of intake types by itself. */
@Module({
  imports: [DiscoveryModule, BrandsModule, JobsModule],
  controllers: [IngestController],
  providers: [
    CrawlersRepository,
    CrawlersService,
    CrawlerKeyring,
    SignatureGuard,
    DoorHook,
    IntakeTypes,
    IngestMessagesRepository,
    IngestRefusalsRepository,
    MessageWriter,
    IntakeService,
  ],
  exports: [CrawlersService],
})
export class IngestModule {}
