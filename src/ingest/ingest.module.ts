import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BrandsModule } from '../brands/brands.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { CrawlerRates } from './crawler-rates.js';
import { CrawlersModule } from './crawlers.module.js';
import { DocsController } from './docs/docs.controller.js';
import { DoorHook } from './door.hook.js';
import { ForgetWorker } from './forget.worker.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';
import { IngestRefusalsRepository } from './ingest-refusals.repository.js';
import { IngestController } from './ingest.controller.js';
import { IntakeService } from './intake.service.js';
import { IntakeTypes } from './intake-types.js';
import { JobStatusQuery } from './job-status.intake-query.js';
import { MessageWriter } from './message-writer.js';
import { Questions } from './questions.service.js';
import { QueueRoom } from './queue-room.js';
import { Refusals } from './refusals.service.js';
import { SignatureGuard } from './signature.guard.js';
import { TallyWorker } from './tally.worker.js';
import { Tally } from './tally.js';

/** The crawler's door: verify, look the type up, enqueue, answer. It finds the owners of intake types by itself. */
@Module({
  imports: [DiscoveryModule, BrandsModule, JobsModule, CrawlersModule],
  controllers: [IngestController, DocsController],
  providers: [
    CrawlerRates,
    SignatureGuard,
    DoorHook,
    IntakeTypes,
    IngestMessagesRepository,
    IngestRefusalsRepository,
    Refusals,
    QueueRoom,
    MessageWriter,
    IntakeService,
    Questions,
    JobStatusQuery,
    Tally,
    TallyWorker,
    ForgetWorker,
  ],
})
export class IngestModule {}
