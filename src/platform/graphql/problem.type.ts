import { Field, ObjectType } from '@nestjs/graphql';
import { AppError } from '../../lib/app-error.js';

/** Why one of several things could not be done, where the others were. */
@ObjectType('Problem', { description: 'Why something could not be done' })
export class ProblemType {
  @Field({ description: 'Stable and in kebab case, for programs: gallery-deleted' })
  code!: string;

  @Field({ description: 'A sentence for people, which says what to do' })
  message!: string;
}

/** One of several results: of a bulk mutation, one refusal must not hide what became of the others. */
export type Attempted<T> =
  { id: string; result: T; problem: null } | { id: string; result: null; problem: ProblemType };

const MAX_IDS = 100;

/**
 * Does something to each of several ids, in their order and one at a time; each id once.
 * @throws AppError `too-many-ids`, before anything is done; whatever is no AppError: that is a fault, and no answer about one id
 */
export async function attemptEach<T>(
  ids: readonly string[],
  work: (id: string) => Promise<T>,
): Promise<Attempted<T>[]> {
  if (ids.length > MAX_IDS) {
    throw new AppError('too-many-ids', `At most ${MAX_IDS} at once. Do the rest after these.`, { status: 400 });
  }
  const results: Attempted<T>[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, result: await work(id), problem: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id, result: null, problem: { code: error.code, message: error.message } });
    }
  }
  return results;
}
