import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { BrandRecordsRepository } from './brand-records.repository.js';
import { BrandRecords } from './brand-records.service.js';
import { BrandSubjectsRepository } from './brand-subjects.repository.js';
import { BrandSubjects } from './brand-subjects.service.js';
import { BulkJobsResolver } from './bulk-jobs.resolver.js';
import { BulkJobs } from './bulk-jobs.service.js';
import { BulkRetryRepository } from './bulk-retry.repository.js';
import { ClaimWorker } from './claim.worker.js';
import { DeparturesRepository } from './departures.repository.js';
import { HandlerRegistry } from './handler-registry.js';
import { HeartbeatWorker } from './heartbeat.worker.js';
import { IngestJobsRepository } from './ingest-jobs.repository.js';
import { JobClaims } from './job-claims.service.js';
import { JobDecisionsRepository } from './job-decisions.repository.js';
import { JobDecisions } from './job-decisions.service.js';
import { JobListsRepository } from './job-lists.repository.js';
import { JobLists } from './job-lists.service.js';
import { JobNumbersRepository } from './job-numbers.repository.js';
import { JobNumbersResolver } from './job-numbers.resolver.js';
import { JobNumbers } from './job-numbers.service.js';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';
import { JobsResolver } from './jobs.resolver.js';
import { JobsService } from './jobs.service.js';
import { KindPausesRepository } from './kind-pauses.repository.js';
import { KindPauses } from './kind-pauses.service.js';
import { LeasesRepository } from './leases.repository.js';
import { ReclaimWorker } from './reclaim.worker.js';
import { RunningJobs } from './running-jobs.js';
import { UpdateRecordFieldsResolver } from './update-record-fields.resolver.js';
import { UpdateRecordsRepository } from './update-records.repository.js';
import { UpdateRecords } from './update-records.service.js';
import { WakeUp } from './wake-up.js';

/** The queue: rows, claims, leases, and the history they leave. It knows no brand, no picture and no crawler. */
@Module({
  imports: [DiscoveryModule, AuthModule],
  providers: [
    IngestJobsRepository,
    DeparturesRepository,
    LeasesRepository,
    UpdateRecordsRepository,
    BrandRecordsRepository,
    BrandSubjectsRepository,
    JobDecisionsRepository,
    JobListsRepository,
    JobNumbersRepository,
    KindPausesRepository,
    BulkRetryRepository,
    HandlerRegistry,
    RunningJobs,
    JobClaims,
    JobRunner,
    ClaimWorker,
    HeartbeatWorker,
    ReclaimWorker,
    WakeUp,
    JobQueue,
    JobDecisions,
    JobsService,
    JobLists,
    JobNumbers,
    KindPauses,
    BulkJobs,
    UpdateRecords,
    BrandRecords,
    BrandSubjects,
    JobsResolver,
    JobNumbersResolver,
    BulkJobsResolver,
    UpdateRecordFieldsResolver,
  ],
  exports: [JobQueue, JobDecisions, JobsService, UpdateRecords, BrandRecords, BrandSubjects],
})
export class JobsModule {}
