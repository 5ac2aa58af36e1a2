const CONNECTION_LOST =
  /Connection terminated|Driver not Connected|connection timeout|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|server closed the connection/i;

/** SQLSTATE of a database error, or undefined for an error of another kind. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  // No class of SQLSTATE begins with E, and codes of the operating system do (EPIPE).
  return typeof code === 'string' && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The connection went away (or never came): what it was doing may or may not have happened. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return CONNECTION_LOST.test(String(message)) || CONNECTION_LOST.test(String(code));
}

/** The client gave up waiting for an answer, long after the server would have: the connection leads nowhere. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The database cannot serve just now: gone, busy behind a lock, or out of time. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  return isConnectionLoss(error) || state === '55P03' || state === '57014' || state === '25006';
}

/** Doing the whole transaction again may well succeed: deadlock, serialization failure, or a lost connection. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return isConnectionLoss(error) || state === '40P01' || state === '40001';
}

/** The database refuses this very data (class 22, data exception; class 23, constraint): again is no use. */
export function isBadData(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}
