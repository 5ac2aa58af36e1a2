import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { ProblemType } from '../platform/graphql/problem.type.js';
import type { FailedJobsRetry } from './bulk-jobs.service.js';
import { UpdateRecordType } from './update-record.type.js';

@ObjectType('JobResult', { description: 'What became of one of several jobs' })
export class JobResultType {
  @Field(() => ID, { description: 'As it was asked for' })
  id!: string;

  @Field(() => UpdateRecordType, { nullable: true, description: 'The job as it is now; null when it was refused' })
  job!: UpdateRecordType | null;

  @Field(() => ProblemType, { nullable: true, description: 'Why it was refused; null when it was not' })
  problem!: ProblemType | null;
}

@ObjectType('FailedJobsRetry', { description: 'What a bulk retry did, or would do' })
export class FailedJobsRetryType implements FailedJobsRetry {
  @Field({ description: 'false: that was a dry run, and nothing was changed' })
  done!: boolean;

  @Field(() => Int, { description: 'Failed jobs that the filter found' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Of a dry run: retries just these when sent within 15 minutes; null when none was found',
  })
  token!: string | null;

  @Field(() => [UpdateRecordType], { description: 'The newest of them, 10 at most; once it is done, as they are now' })
  sample!: UpdateRecordType[];

  @Field(() => Int, { description: 'Jobs that got three new attempts' })
  retried!: number;

  @Field(() => Int, {
    description: 'Jobs left as they were: a newer job of the same show is under way, or somebody else was quicker',
  })
  skipped!: number;
}
