import { JobError } from '../jobs/job-error.js';
import { messageOf } from '../lib/text.js';
import { StoreError } from '../media/store-error.js';

/**
 * The store's troubles are no show's fault, and often concern all shows: the job waits, its attempt uncounted, until
 * the store is back or an operator has mended the settings.
 * @param least seconds to wait; longer if the store asked for that
 */
export function storeUnavailable(error: unknown, what: string, least: number): JobError {
  const asked = error instanceof StoreError ? (error.retryAfterSeconds ?? 0) : 0;
  return JobError.snooze('store_unavailable', `${what}: ${messageOf(error)}`, Math.max(least, asked));
}
