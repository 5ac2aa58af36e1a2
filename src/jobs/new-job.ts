/** A job as whoever needs work done describes it. */
export interface NewJob {
  /** From `reserveIds`; made by the database when left out. */
  id?: string;
  kind: string;
  payload: string;
  /** What a person decided against the payload; the queue does not read it. */
  overrides?: string;
  /** '0' for none. */
  brandId: string;
  /** Belongs to no brand on purpose (street style), as against to one that is not known. */
  brandless?: boolean;
  subject: string;
  /** Natural key of what the job is about; '' when there is none. Jobs of one key are one show. */
  subjectKey: string;
  /** The crawler's name, or who else asked for it. */
  submittedBy: string;
  galleryId?: string;
  /** Seconds until it is due; now when left out. */
  delaySeconds?: number;
}

/** What a person made of a failed job that is tried again: how it is read from now on. */
export interface Correction {
  overrides: string;
  /** '0' for none. */
  brandId: string;
  brandless: boolean;
  subject: string;
  subjectKey: string;
}

/** What became of a retry: done, or why not. */
export type RetryFound = 'retried' | 'not_found' | 'not_failed' | { newerJob: string };

/** A job that has ended, as far as others need it. */
export interface FinalJob {
  id: string;
  brandId: string;
  subject: string;
}

/** What waits of one kind. */
export interface Backlog {
  depth: number;
  /** How long the first in the row has been due, seconds; 0 when nothing is due or the kind is paused. */
  lateSeconds: number;
}
