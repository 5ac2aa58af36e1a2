import { ArgsType, Field } from '@nestjs/graphql';
import { decodeIdCursor } from '../lib/keyset-cursor.js';
import { PageArgs } from '../platform/graphql/page-args.js';
import type { JobStatus } from './ingest-job.state.js';
import { JobStatusEnum } from './update-record.type.js';

@ArgsType()
export class UpdateRecordsArgs extends PageArgs {
  @Field(() => [JobStatusEnum], { nullable: true, description: 'Only records in one of these states' })
  status?: JobStatus[] | null;

  @Field(() => [String], { nullable: true, description: 'Only records with one of these outcomes' })
  outcome?: string[] | null;
}

@ArgsType()
export class JobsArgs extends UpdateRecordsArgs {
  @Field(() => [String], { nullable: true, description: 'Only jobs of these kinds' })
  kind?: string[] | null;
}

/** What the arguments of a list of records ask the history for. */
export function recordFilterOf(args: UpdateRecordsArgs): { statuses?: JobStatus[]; outcomes?: string[] } {
  return { ...(args.status && { statuses: args.status }), ...(args.outcome && { outcomes: args.outcome }) };
}

export function afterOf(args: PageArgs): string | undefined {
  return args.after ? decodeIdCursor(args.after) : undefined;
}
