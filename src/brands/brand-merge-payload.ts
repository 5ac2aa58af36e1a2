import { JobError } from '../jobs/job-error.js';
import type { NewJob } from '../jobs/job-queue.js';
import { isDecimalId } from '../lib/decimal-id.js';

export const BRAND_MERGE = 'brand_merge';

/**
 * Longer than a message is on its way from the door's look-up of its brand to its row: what was enqueued for the old brand
 * while the merge was committed is there when the job looks.
 */
const DELAY_SECONDS = 10;

/** The job that moves the rest of a merged brand's records. */
export function brandMergeJob(
  from: { id: string; name: string },
  into: { id: string; name: string },
  by: string,
): NewJob {
  return {
    kind: BRAND_MERGE,
    payload: JSON.stringify({ type: 'brand.merge', data: { brand_id: from.id } }),
    brandId: into.id,
    subject: `${from.name} → ${into.name}`,
    subjectKey: `brand_merge:${from.id}`,
    submittedBy: by,
    delaySeconds: DELAY_SECONDS,
  };
}

/** @returns the id of the brand that was merged. @throws JobError `payload_unreadable`, permanent */
export function mergedBrandOf(payload: string): string {
  let id: unknown;
  try {
    id = (JSON.parse(payload) as { data?: { brand_id?: unknown } } | null)?.data?.brand_id;
  } catch {
    // the one answer below serves every kind of unreadable payload
  }
  if (typeof id === 'string' && isDecimalId(id)) return id;
  throw JobError.permanent('payload_unreadable', 'The payload names no brand_id.');
}
