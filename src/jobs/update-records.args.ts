import { ArgsType, Field } from '@nestjs/graphql';
import { AppError } from '../lib/app-error.js';
import { decodeIdCursor } from '../lib/keyset-cursor.js';
import { storable } from '../lib/text.js';
import { PageArgs } from '../platform/graphql/page-args.js';
import type { JobStatus } from './ingest-job.state.js';
import { JobStatusEnum } from './update-record.type.js';

/** Each costs a branch of the statement. */
const MAX_OUTCOMES = 20;

@ArgsType()
export class UpdateRecordsArgs extends PageArgs {
  @Field(() => [JobStatusEnum], { nullable: true, description: 'Only records in one of these states' })
  status?: JobStatus[] | null;

  @Field(() => [String], { nullable: true, description: 'Only records with one of these outcomes' })
  outcome?: string[] | null;
}

/** What the arguments of a list of records ask the history for. @throws AppError `filter-too-long` */
export function recordFilterOf(args: UpdateRecordsArgs): { statuses?: JobStatus[]; outcomes?: string[] } {
  if ((args.outcome?.length ?? 0) > MAX_OUTCOMES) {
    throw new AppError('filter-too-long', `Ask for at most ${MAX_OUTCOMES} outcomes at once.`, { status: 400 });
  }
  return {
    ...(args.status && { statuses: args.status }),
    ...(args.outcome && { outcomes: args.outcome.map(asStored) }),
  };
}

/** A text as a column would have it: what no column can hold would make the statement fail. */
export function asStored(text: string): string {
  return storable(text, Infinity);
}

export function afterOf(args: PageArgs): string | undefined {
  return args.after ? decodeIdCursor(args.after) : undefined;
}
