import { AppError } from '../lib/app-error.js';
import type { RetryFound } from './new-job.js';

/** Why a job is not what a person took it for; in one place, so that every door says it with the same words. */
export function jobNotFound(id: string): AppError {
  return new AppError('job-not-found', `There is no job ${id}.`, { status: 404 });
}

export function jobNotFailed(id: string): AppError {
  return new AppError('job-not-failed', `Job ${id} has not failed, so there is nothing to retry.`, { status: 409 });
}

/** Another job of the same show is under way, and both would write it. */
export function jobSuperseded(id: string, other: string): AppError {
  return new AppError(
    'job-superseded',
    `Job ${id} was not retried: the newer job ${other} for the same show is still under way. Wait for it, or retry that one.`,
    { status: 409, members: { newer_job: other } },
  );
}

/** As {@link jobSuperseded}, where the work of an ended job was to be done once more: the other one may be older. */
export function showUnderWay(id: string, other: string): AppError {
  return new AppError(
    'job-superseded',
    `Nothing was made of job ${id}: job ${other} for the same show is still under way. Wait for it, and look at what it did.`,
    { status: 409, members: { newer_job: other } },
  );
}

/** @throws AppError `job-not-found`, `job-not-failed`, `job-superseded`, unless it was retried */
export function assertRetried(id: string, found: RetryFound): void {
  if (found === 'retried') return;
  if (found === 'not_found') throw jobNotFound(id);
  if (found !== 'not_failed') throw jobSuperseded(id, found.newerJob);
  throw jobNotFailed(id);
}
