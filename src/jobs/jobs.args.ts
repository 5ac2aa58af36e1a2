import { ArgsType, Field, ID, InputType, IntersectionType } from '@nestjs/graphql';
import { decimalId } from '../lib/decimal-id.js';
import type { JobFilter } from './job-lists.service.js';
import { asStored, recordFilterOf, UpdateRecordsArgs } from './update-records.args.js';

@InputType('JobFilterInput', {
  description: 'Which jobs; what is left out does not matter, what is given matters together',
})
export class JobFilterInput {
  @Field(() => [String], { nullable: true, description: 'Only jobs of these kinds' })
  kind?: string[] | null;

  @Field(() => ID, { nullable: true, description: 'Only jobs of this brand' })
  brandId?: string | null;

  @Field(() => String, { nullable: true, description: 'Only what this crawler sent, or who else asked for it' })
  crawler?: string | null;

  @Field(() => String, { nullable: true, description: 'Only jobs that this went wrong with last: payload_unreadable' })
  errorCode?: string | null;

  @Field(() => Date, { nullable: true, description: 'Only jobs that came in then or later' })
  createdFrom?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Only jobs that came in before then' })
  createdTo?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only jobs with this in their note or last error, as it stands there; A to Z in either case',
  })
  text?: string | null;
}

@ArgsType()
export class JobsArgs extends IntersectionType(UpdateRecordsArgs, JobFilterInput, ArgsType) {}

/** @throws AppError `id-invalid` */
export function jobFilterOf(input: JobFilterInput): JobFilter {
  const { kind, brandId, crawler, errorCode, createdFrom, createdTo, text } = input;
  return {
    ...(kind && { kinds: kind.map(asStored) }),
    ...(brandId && { brandId: decimalId(brandId) }),
    ...(crawler && { crawler: asStored(crawler) }),
    ...(errorCode && { errorCode: asStored(errorCode) }),
    ...(createdFrom && { createdFrom: Math.ceil(createdFrom.getTime() / 1000) }),
    ...(createdTo && { createdTo: Math.ceil(createdTo.getTime() / 1000) }),
    ...(text && { text: asStored(text) }),
  };
}

/** @throws AppError `id-invalid`, `filter-too-long` */
export function jobsAsked(args: JobsArgs): JobFilter {
  const { statuses, outcomes } = recordFilterOf(args);
  return { ...(statuses && { statuses }), ...(outcomes && { outcomes }), ...jobFilterOf(args) };
}
