import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import { ATTEMPT_RESULTS, JOB_STATUSES, type AttemptResult, type JobStatus } from './ingest-job.state.js';
import type { JobAttempt } from './update-records.service.js';

export const JobStatusEnum = registerEnum('JobStatus', JOB_STATUSES, 'Where a job stands');
export const AttemptResultEnum = registerEnum('AttemptResult', ATTEMPT_RESULTS, 'How one attempt at a job ended');

@ObjectType('JobAttempt', { description: 'One try at a job' })
export class JobAttemptType implements JobAttempt {
  @Field(() => Int, { description: 'From 1; tries that were not counted repeat the number' })
  number!: number;

  @Field(() => DateTime)
  startedAt!: number;

  @Field(() => DateTime)
  endedAt!: number;

  @Field({ description: 'The process that worked on it' })
  worker!: string;

  @Field(() => AttemptResultEnum)
  result!: AttemptResult;

  @Field(() => String, { nullable: true })
  errorCode!: string | null;

  @Field(() => String, { nullable: true })
  error!: string | null;
}

@ObjectType('UpdateRecord', { description: 'What one update of the archive did, or is about to do' })
export class UpdateRecordType {
  @Field(() => ID)
  id!: string;

  @Field({ description: 'What was to be done: crawl, media_cleanup, media_refill, or the kind of an added module' })
  kind!: string;

  @Field(() => JobStatusEnum)
  status!: JobStatus;

  @Field(() => String, { nullable: true, description: 'How a done job ended: created, skipped_existing, …' })
  outcome!: string | null;

  @Field(() => String, { nullable: true, description: 'What it did, in words' })
  note!: string | null;

  @Field({ description: 'The show as it was read: season, category, market' })
  subject!: string;

  @Field(() => ID, { nullable: true })
  galleryId!: string | null;

  @Field(() => Int, { description: 'Attempts that counted so far' })
  attempts!: number;

  @Field(() => String, { nullable: true, description: 'Stable code of what went wrong last' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'What went wrong last, in words' })
  lastError!: string | null;

  nextAttemptAt!: number;

  @Field(() => DateTime)
  createdAt!: number;

  @Field(() => DateTime)
  updatedAt!: number;

  @Field({ description: 'The crawler, or whoever else asked for it' })
  submittedBy!: string;

  @Field(() => String, { nullable: true, description: '"12/45" while it runs' })
  progress!: string | null;

  @Field({ description: 'The outcome may be wrong, and a person should look' })
  suspect!: boolean;
}
