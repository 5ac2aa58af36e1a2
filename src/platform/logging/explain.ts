import { AppError } from '../../lib/app-error.js';
import { messageOf } from '../../lib/text.js';
import { ConfigError } from '../config/settings-reader.js';

/** What ended the process, for the person who started it: a sentence when it was foreseen, the stack when it was not. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof AppError) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'Stopped before it was ready.';
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}
