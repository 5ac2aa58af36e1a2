import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { attemptEach, type Attempted } from '../platform/graphql/problem.type.js';
import { BulkJobs, type FailedJobsRetry } from './bulk-jobs.service.js';
import { FailedJobsRetryType, JobResultType } from './bulk-jobs.type.js';
import { JobFilterInput, jobFilterOf } from './jobs.args.js';
import { JobsService } from './jobs.service.js';
import type { UpdateRecord } from './update-records.service.js';

const JOB_IDS = { type: () => [ID], description: 'The jobs, 100 at most' };

/** Many jobs at once. */
@Resolver()
export class BulkJobsResolver {
  constructor(
    private readonly bulk: BulkJobs,
    private readonly service: JobsService,
  ) {}

  @Mutation(() => [JobResultType], { description: 'Gives each of these failed jobs, 100 at most, three new attempts' })
  @Requires('operator')
  async retryJobs(@Args('ids', JOB_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<JobResultType[]> {
    return resultsOf(await attemptEach(ids.map(decimalId), (id) => this.service.retry(id, actor)));
  }

  @Mutation(() => [JobResultType], {
    description: 'Gives each of these jobs up, 100 at most; running ones are aborted',
  })
  @Requires('operator')
  async cancelJobs(@Args('ids', JOB_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<JobResultType[]> {
    return resultsOf(await attemptEach(ids.map(decimalId), (id) => this.service.cancel(id, actor)));
  }

  @Mutation(() => FailedJobsRetryType, {
    description:
      'Gives failed jobs three new attempts, 10,000 at most. First as a dry run, whose token has just those retried; refused when more have failed since',
  })
  @Requires('operator')
  retryFailedJobs(
    @Args('filter', { description: 'Which failed jobs' }) filter: JobFilterInput,
    @Args('dryRun', { description: 'To learn which jobs it would be' }) dryRun: boolean,
    @Args('token', { type: () => String, nullable: true, description: 'What the dry run of the same filter answered' })
    token: string | null,
    @CurrentActor() actor: Actor,
  ): Promise<FailedJobsRetry> {
    const asked = jobFilterOf(filter);
    return dryRun ? this.bulk.lookAt(asked) : this.bulk.retry(actor, asked, token ?? '');
  }
}

function resultsOf(attempts: readonly Attempted<UpdateRecord>[]): JobResultType[] {
  return attempts.map(({ id, result, problem }) => ({ id, job: result, problem }));
}
