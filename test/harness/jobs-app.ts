import { type INestApplicationContext, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { migrations } from '../../migrations/index.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { entities } from '../../src/entities.js';
import { ClaimWorker } from '../../src/jobs/claim.worker.js';
import { JobQueue, type NewJob } from '../../src/jobs/job-queue.js';
import { JobsModule } from '../../src/jobs/jobs.module.js';
import { RunningJobs } from '../../src/jobs/running-jobs.js';
import type { Config } from '../../src/platform/config/config.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';

export interface JobsApp {
  context: INestApplicationContext;
  /** Claims and works until nothing is due. */
  drain: () => Promise<void>;
  enqueue: (...jobs: Partial<NewJob>[]) => Promise<string[]>;
  close: () => Promise<void>;
}

/** A process with the queue alone and a test's own handlers, as an outsider's module would bring them. */
export async function startJobsApp(config: Config, handlers: Provider[]): Promise<JobsApp> {
  @Module({
    imports: [PlatformModule.with(config, { entities, migrations }), AuthModule, JobsModule],
    providers: handlers,
  })
  class TestModule {}

  const context = await NestFactory.createApplicationContext(TestModule, {
    logger: new AppLogger('text', config.logLevel),
    abortOnError: false,
  });
  return {
    context,
    drain: () => drainJobs(context),
    enqueue: (...jobs) =>
      context.get(Transactions).run((tx) =>
        context.get(JobQueue).enqueue(
          tx,
          jobs.map((job) => ({ ...BLANK, ...job })),
        ),
      ),
    close: () => context.close(),
  };
}

const BLANK: NewJob = {
  kind: 'test',
  payload: '{}',
  brandId: '0',
  subject: '',
  subjectKey: '',
  submittedBy: 'test',
};

/** Claims and works until nothing is due. */
export async function drainJobs(context: INestApplicationContext): Promise<void> {
  const worker = context.get(ClaimWorker, { strict: false });
  const running = context.get(RunningJobs, { strict: false });
  for (;;) {
    const { claimed } = await worker.runOnce();
    await running.ended();
    if (claimed === 0) return;
  }
}
