import type { ClaimedJob } from './job-handler.js';

/** Longest single wait that a host may ask for, and the longest all together before waiting counts as failing; seconds. */
export const MAX_SNOOZE_SECONDS = 3_600;
export const MAX_SNOOZED_SECONDS = 86_400;

/** Whether a snooze still costs no attempt. For handlers that would rather make do than wait when it does. */
export function maySnooze(job: Pick<ClaimedJob, 'snoozedSince' | 'claimedAt'>): boolean {
  return job.snoozedSince === 0 || job.claimedAt - job.snoozedSince < MAX_SNOOZED_SECONDS;
}
