import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';
import { JobLists, MAX_LOOKED_AT } from './job-lists.service.js';
import { JobsArgs, jobsAsked } from './jobs.args.js';
import { JobsService } from './jobs.service.js';
import { UpdateRecordType } from './update-record.type.js';
import { afterOf } from './update-records.args.js';
import { UpdateRecords, type UpdateRecord } from './update-records.service.js';

const UpdateRecordConnection = Connection(UpdateRecordType);

const JOB_ID = { type: () => ID, description: 'The job, which is also the update record' };

/** Jobs as such, whatever brand they belong to. */
@Resolver()
export class JobsResolver {
  constructor(
    private readonly records: UpdateRecords,
    private readonly lists: JobLists,
    private readonly service: JobsService,
  ) {}

  @Query(() => UpdateRecordType, { nullable: true, description: 'One job by its id' })
  @Requires('viewer')
  async job(@Args('id', JOB_ID) id: string): Promise<UpdateRecord | null> {
    return (await this.records.byIds([decimalId(id)])).get(id) ?? null;
  }

  @Query(() => UpdateRecordConnection, {
    description:
      `All jobs, newest first. A page looks at no more than ${MAX_LOOKED_AT.toLocaleString('en')} of them: it may have fewer nodes than asked for, ` +
      'or none, and still a next page, which goes on from its endCursor',
  })
  @Requires('viewer')
  async jobs(@Args() args: JobsArgs): Promise<ConnectionOf<UpdateRecord>> {
    const page = await this.lists.page(pageSizeOf(args), afterOf(args), jobsAsked(args));
    return connectionOf(page, (record) => [record.id], args.after);
  }

  @Mutation(() => UpdateRecordType, { description: 'Gives a failed job three new attempts' })
  @Requires('editor')
  retryJob(@Args('id', JOB_ID) id: string, @CurrentActor() actor: Actor): Promise<UpdateRecord> {
    return this.service.retry(decimalId(id), actor);
  }

  @Mutation(() => UpdateRecordType, { description: 'Gives up a job that has not ended; a running one is aborted' })
  @Requires('operator')
  cancelJob(@Args('id', JOB_ID) id: string, @CurrentActor() actor: Actor): Promise<UpdateRecord> {
    return this.service.cancel(decimalId(id), actor);
  }
}
