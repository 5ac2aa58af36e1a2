import { JobError } from '../jobs/job-error.js';
import type { NewJob } from '../jobs/job-queue.js';
import { isDecimalId } from '../lib/decimal-id.js';
import { dataOf } from './stored-payload.js';

export const MEDIA_REFILL = 'media_refill';

export interface RefillLabel {
  brandId: string;
  subject: string;
  submittedBy: string;
}

/** One of a gallery at a time: enqueue it with `enqueueOnce`. */
export function refillJob(galleryId: string, label: RefillLabel): NewJob {
  return {
    ...label,
    kind: MEDIA_REFILL,
    payload: JSON.stringify({ type: 'media.refill', data: { gallery_id: galleryId } }),
    brandless: label.brandId === '0',
    subjectKey: `refill:${galleryId}`,
    galleryId,
  };
}

/** @returns the gallery's id. @throws JobError `payload_unreadable`, permanent */
export function refillOf(payload: string): string {
  const data = dataOf(payload).data as { gallery_id?: unknown } | null | undefined;
  const id = data?.gallery_id;
  if (typeof id === 'string' && isDecimalId(id)) return id;
  throw JobError.permanent('payload_unreadable', 'The payload names no gallery_id.');
}
