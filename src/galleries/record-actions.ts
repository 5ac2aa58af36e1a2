import type { JobStatus } from '../jobs/job-status.js';

/** What an editor may make of an update record. */
export const RECORD_ACTIONS = ['retry', 'take', 'own_show', 'dismiss_suspect'] as const;
export type RecordAction = (typeof RECORD_ACTIONS)[number];

/** A record as far as its actions depend on it. */
export interface ActedOn {
  kind: string;
  status: JobStatus;
  outcome: string | null;
  suspect: boolean;
}

export const CRAWL = 'crawl';
const SKIPPED: readonly (string | null)[] = ['skipped_existing', 'skipped_deleted'];

/** Which buttons a record has. What the services allow may be less, since others act meanwhile. */
export function actionsOf(record: ActedOn): RecordAction[] {
  if (record.status === 'failed') return ['retry'];
  if (!isSkippedCrawl(record)) return [];
  return record.suspect ? ['take', 'own_show', 'dismiss_suspect'] : ['take', 'own_show'];
}

/** Whether it is a crawl that changed nothing, because the archive had the show. */
export function isSkippedCrawl({ kind, status, outcome }: ActedOn): boolean {
  return kind === CRAWL && status === 'done' && SKIPPED.includes(outcome);
}
