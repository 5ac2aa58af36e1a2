import { AppError } from '../../src/lib/app-error.js';
import { JobError } from '../../src/jobs/job-error.js';

/** The error that a call throws on purpose; any other, or none, fails the test. */
export function appErrorOf(call: () => unknown): AppError {
  return thrownBy(call, AppError);
}

export function jobErrorOf(call: () => unknown): JobError {
  return thrownBy(call, JobError as unknown as new () => JobError);
}

/** As {@link appErrorOf}, of what is refused later. */
export async function refusal(work: Promise<unknown>): Promise<AppError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof AppError) return thrown;
  throw new Error('No AppError was thrown', { cause: thrown });
}

function thrownBy<E>(call: () => unknown, type: abstract new (...args: never[]) => E): E {
  try {
    call();
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error(`No ${type.name} was thrown`);
}
