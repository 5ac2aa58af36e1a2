import { ArgsType, Field, Int } from '@nestjs/graphql';
import { AppError } from '../../lib/app-error.js';

export const MAX_PAGE = 100;

/** Arguments of every connection; lists with filters extend it. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 20, description: `How many, 1 to ${MAX_PAGE}` })
  first!: number;

  @Field(() => String, { nullable: true, description: 'The endCursor of the page before' })
  after?: string | null;
}

/** @throws AppError `page-size-invalid` */
export function pageSizeOf(args: PageArgs): number {
  if (args.first >= 1 && args.first <= MAX_PAGE) return args.first;
  throw new AppError('page-size-invalid', `A page has 1 to ${MAX_PAGE} entries; ask for the next one with "after".`, {
    status: 400,
  });
}
