import { JobError } from '../jobs/job-error.js';
import { AppError } from '../lib/app-error.js';
import type { CrawlPayload } from './crawl-payload.js';
import { seasonText } from './show.js';

/** Why an editor's word on an update record is not followed. */
export function recordNotSkipped(id: string): AppError {
  return new AppError(
    'record-not-skipped',
    `Record ${id} is no crawl that was skipped, so there is nothing to be made of it.`,
    { status: 409 },
  );
}

export function recordNotSuspect(id: string): AppError {
  return new AppError('record-not-suspect', `Record ${id} is not suspect, or not any more.`, { status: 409 });
}

export function recordChanged(id: string): AppError {
  return new AppError(
    'record-changed',
    `Somebody else retried record ${id} meanwhile. Look at what became of it, and decide again.`,
    { status: 409 },
  );
}

export function overridesNotAllowed(why: string): AppError {
  return new AppError('overrides-not-allowed', why, { status: 409 });
}

export function overridesNeeded(): AppError {
  return new AppError(
    'overrides-needed',
    'Say what makes it another show: its brand, year, season, category or market.',
    { status: 400 },
  );
}

export function seasonMissing(payload: CrawlPayload): AppError {
  return new AppError(
    'season-unparsed',
    `There is no year and season in "${seasonText(payload)}". Say both, or the one that is missing.`,
    { status: 422 },
  );
}

export function galleryOfAnotherBrand(id: string): AppError {
  return new AppError(
    'gallery-of-another-brand',
    `Gallery ${id} belongs to another brand by now, so this crawl cannot be taken for it.`,
    { status: 409 },
  );
}

/** Where neither the record nor the archive says which gallery a crawl was skipped for. */
export function galleryUnknown(id: string): AppError {
  return new AppError(
    'gallery-not-found',
    `The gallery that record ${id} was skipped for is not in the archive any more. Make it a show of its own.`,
    { status: 404 },
  );
}

/**
 * Reads a crawl as the worker does, for an editor: what would fail the job is told instead.
 * @throws AppError 422 `payload-unreadable`, `brand-not-found`, …; 409 `brand-changing`
 */
export async function inWords<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (error.nature === 'snooze') {
      throw new AppError('brand-changing', 'The brand is being merged or deleted just now. Try again in a moment.', {
        status: 409,
        cause: error,
      });
    }
    throw new AppError(error.code.replaceAll('_', '-'), error.message, { status: 422, cause: error });
  }
}
