import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { JobAttemptType, UpdateRecordType } from './update-record.type.js';
import { UpdateRecords, type JobAttempt } from './update-records.service.js';

/** Fields of UpdateRecord that are read beside the row. */
@Resolver(() => UpdateRecordType)
export class UpdateRecordFieldsResolver {
  constructor(private readonly records: UpdateRecords) {}

  @ResolveField(() => [JobAttemptType], {
    name: 'attemptHistory',
    description: 'Every try, oldest first, and the one that is under way',
  })
  async attemptHistory(@Parent() record: UpdateRecordType, @Context() context: GraphqlContext): Promise<JobAttempt[]> {
    const attempts = await context.loader('attemptsOf', (ids) => this.records.attemptsOf(ids)).load(record.id);
    return attempts ?? [];
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When a pending job is due' })
  nextAttemptAt(@Parent() record: UpdateRecordType): number | null {
    return record.status === 'pending' ? record.nextAttemptAt : null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'Since when a running job has been worked on' })
  startedAt(@Parent() record: UpdateRecordType): number | null {
    return record.status === 'processing' ? record.claimedAt : null;
  }

  @ResolveField(() => String, { nullable: true, description: 'The process that works on a running job' })
  worker(@Parent() record: UpdateRecordType): string | null {
    return record.status === 'processing' ? record.lockedBy : null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'What was sent, as it came; up to a megabyte, so ask for it one record at a time',
    complexity: 100,
  })
  async payload(@Parent() record: UpdateRecordType, @Context() context: GraphqlContext): Promise<string | null> {
    return (await context.loader('payloadOf', (ids) => this.records.payloadsOf(ids)).load(record.id)) ?? null;
  }
}
