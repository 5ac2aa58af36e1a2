import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BrandRecordsRepository } from './brand-records.repository.js';
import { BrandRecords } from './brand-records.service.js';
import { ClaimWorker } from './claim.worker.js';
import { DeparturesRepository } from './departures.repository.js';
import { HandlerRegistry } from './handler-registry.js';
import { HeartbeatWorker } from './heartbeat.worker.js';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import { JobClaims } from './job-claims.service.js';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';
import { JobsResolver } from './jobs.resolver.js';
import { JobsService } from './jobs.service.js';
import { LeasesRepository } from './leases.repository.js';
import { ReclaimWorker } from './reclaim.worker.js';
import { RunningJobs } from './running-jobs.js';
import { UpdateRecordFieldsResolver } from './update-record-fields.resolver.js';
import { UpdateRecordsRepository } from './update-records.repository.js';
import { UpdateRecords } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

/** The queue: rows, claims, leases, and the history they leave. It knows no brand, no picture and no crawler. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    IngestJobsRepository,
    DeparturesRepository,
    LeasesRepository,
    UpdateRecordsRepository,
    BrandRecordsRepository,
    HandlerRegistry,
    RunningJobs,
    JobClaims,
    JobRunner,
    ClaimWorker,
    HeartbeatWorker,
    ReclaimWorker,
    WakeUp,
    JobQueue,
    JobsService,
    UpdateRecords,
    BrandRecords,
    JobsResolver,
    UpdateRecordFieldsResolver,
  ],
  exports: [JobQueue, JobsService, UpdateRecords, BrandRecords],
})
export class JobsModule {}
