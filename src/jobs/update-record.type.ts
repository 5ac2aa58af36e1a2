import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import { ATTEMPT_RESULTS, JOB_STATUSES, type AttemptResult, type JobStatus } from './ingest-job.state.js';
import type { JobAttempt } from './update-records.service.js';

export const JobStatusEnum = registerEnum('JobStatus', JOB_STATUSES, 'Where a job stands', {
  pending: 'It waits for its time, or for a worker',
  processing: 'A worker has it',
  done: 'It ended well: see its outcome',
  failed: 'It was given up, and can be retried',
});
export const AttemptResultEnum = registerEnum('AttemptResult', ATTEMPT_RESULTS, 'How one attempt at a job ended', {
  done: 'Well: the job is done',
  retry: 'Badly, and another attempt follows',
  failed: 'Badly, and for good: no attempt was left, or none could help',
  snoozed: 'Put off, without being counted: something has to be waited for',
  released: 'Given back, without being counted: the process stopped or started anew',
  lost: 'The worker stopped answering; the attempt counts',
  cancelled: 'An operator gave the job up',
});

@ObjectType('JobAttempt', { description: 'One try at a job' })
export class JobAttemptType implements JobAttempt {
  @Field(() => Int, { description: 'From 1; tries that were not counted repeat the number' })
  number!: number;

  @Field(() => DateTime, { description: 'When a worker took the job' })
  startedAt!: number;

  @Field(() => DateTime, { nullable: true, description: 'null while it runs' })
  endedAt!: number | null;

  @Field({ description: 'The process that worked on it' })
  worker!: string;

  @Field(() => AttemptResultEnum, { nullable: true, description: 'null while it runs' })
  result!: AttemptResult | null;

  @Field(() => String, { nullable: true, description: 'Stable code of what went wrong; null when nothing did' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'What went wrong, in words; null when nothing did' })
  error!: string | null;
}

@ObjectType('UpdateRecord', { description: 'What one update of the archive did, or is about to do' })
export class UpdateRecordType {
  @Field(() => ID, { description: 'The number of its job; later ones are higher' })
  id!: string;

  @Field({ description: 'What was to be done: crawl, media_cleanup, media_refill, or the kind of an added module' })
  kind!: string;

  @Field(() => JobStatusEnum, { description: 'Where it stands' })
  status!: JobStatus;

  @Field(() => String, { nullable: true, description: 'How a done job ended: created, skipped_existing, …' })
  outcome!: string | null;

  @Field(() => String, { nullable: true, description: 'What it did, in words' })
  note!: string | null;

  @Field({ description: 'The show as it was read: season, category, market' })
  subject!: string;

  @Field(() => ID, { nullable: true, description: 'The gallery that it was about; null until that is known' })
  galleryId!: string | null;

  @Field(() => Int, { description: 'Attempts that counted so far' })
  attempts!: number;

  @Field(() => String, { nullable: true, description: 'Stable code of what went wrong last' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'What went wrong last, in words' })
  lastError!: string | null;

  brandId!: string;
  nextAttemptAt!: number;
  claimedAt!: number;
  lockedBy!: string | null;

  @Field(() => DateTime, { description: 'When it came in' })
  createdAt!: number;

  @Field(() => DateTime, { description: 'When it last went from one state to another' })
  updatedAt!: number;

  @Field({ description: 'The crawler, or whoever else asked for it' })
  submittedBy!: string;

  @Field(() => String, { nullable: true, description: '"12/45" while it runs, at most a few seconds old' })
  progress!: string | null;

  @Field({ description: 'The outcome may be wrong, and a person should look' })
  suspect!: boolean;
}
