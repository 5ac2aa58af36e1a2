/** A problem of one field: a JSON pointer into the signed body, and what is wrong there. */
export interface FieldProblem {
  pointer: string;
  detail: string;
}

export interface AppErrorOptions {
  /** HTTP status; GraphQL answers carry it as an extension only. */
  status: number;
  errors?: FieldProblem[];
  /** Further members of the problem document, such as `limit_bytes`. */
  members?: Record<string, unknown>;
  /** Answer headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * The one error that the house throws on purpose. `code` is stable and for machines; `message` is a sentence that tells
 * a person what to do. Whatever else is thrown is a bug of ours and is answered as 500 without its text.
 */
export class AppError extends Error {
  readonly status: number;
  readonly errors: FieldProblem[];
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: string,
    message: string,
    options: AppErrorOptions,
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.status = options.status;
    this.errors = options.errors ?? [];
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}
