/**
 * How a handler says that an attempt did not work out. Whatever else it throws counts as transient: a bug is worth three
 * tries, and its text is kept in the attempt.
 */
export class JobError extends Error {
  private constructor(
    readonly nature: 'permanent' | 'transient' | 'snooze',
    /** Stable, snake case, for filters. */
    readonly code: string,
    message: string,
    /** For a snooze: seconds to wait. */
    readonly seconds: number,
    cause: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobError';
  }

  /** No further try can help: the job fails at once. */
  static permanent(code: string, message: string, cause?: unknown): JobError {
    return new JobError('permanent', code, message, 0, cause);
  }

  /** The next try may succeed: back-off, then again, while attempts are left. */
  static transient(code: string, message: string, cause?: unknown): JobError {
    return new JobError('transient', code, message, 0, cause);
  }

  /** Somebody asked us to wait: the job comes back then, and the attempt is not counted. */
  static snooze(code: string, message: string, seconds: number): JobError {
    return new JobError('snooze', code, message, seconds, undefined);
  }
}
