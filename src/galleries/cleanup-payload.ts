import { JobError } from '../jobs/job-error.js';
import type { NewJob } from '../jobs/job-queue.js';
import { isDecimalId } from '../lib/decimal-id.js';
import { dataOf } from './stored-payload.js';

export const MEDIA_CLEANUP = 'media_cleanup';

/** What a clean-up is to remove. Old rows name object keys, or a gallery without saying which deletion they mean. */
export interface Cleanup {
  /** These objects, unless a picture refers to them. */
  objectKeys?: readonly string[];
  /** A deleted gallery's files. */
  galleryId?: string;
  /** The very deletion that asked for it, unix seconds: a later one has a clean-up of its own. */
  deletedAt?: number;
  /** What a crawl stored and no gallery took. */
  jobId?: string;
}

export interface CleanupLabel {
  brandId: string;
  subject: string;
  submittedBy: string;
  delaySeconds?: number;
}

export function cleanupJob(cleanup: Cleanup, label: CleanupLabel): NewJob {
  const { objectKeys, galleryId, deletedAt, jobId } = cleanup;
  const data = { object_keys: objectKeys, gallery_id: galleryId, deleted_at: deletedAt, job_id: jobId };
  return {
    kind: MEDIA_CLEANUP,
    payload: JSON.stringify({ type: 'media.cleanup', data }),
    brandId: label.brandId,
    brandless: label.brandId === '0',
    subject: label.subject,
    subjectKey: '',
    submittedBy: label.submittedBy,
    ...(galleryId === undefined ? {} : { galleryId }),
    ...(label.delaySeconds === undefined ? {} : { delaySeconds: label.delaySeconds }),
  };
}

/** @throws JobError `payload_unreadable`, permanent */
export function cleanupOf(payload: string): Cleanup {
  const data = dataOf(payload).data;
  const fields = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const cleanup: Cleanup = {};
  const keys = fields['object_keys'];
  if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) cleanup.objectKeys = keys;
  const galleryId = idText(fields['gallery_id']);
  if (galleryId !== undefined) cleanup.galleryId = galleryId;
  const jobId = idText(fields['job_id']);
  if (jobId !== undefined) cleanup.jobId = jobId;
  if (typeof fields['deleted_at'] === 'number') cleanup.deletedAt = fields['deleted_at'];
  if (Object.keys(cleanup).length === 0) {
    throw JobError.permanent('payload_unreadable', 'The payload names neither object_keys nor a gallery_id.');
  }
  return cleanup;
}

function idText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return isDecimalId(text) ? text : undefined;
}
