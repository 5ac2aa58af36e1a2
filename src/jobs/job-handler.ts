import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';

/** A claimed job as its handler sees it. Ids are decimal text, times unix seconds. */
export interface ClaimedJob {
  id: string;
  kind: string;
  payload: string;
  /** What a person decided against the payload, in the shape that the kind's owner gave it. */
  overrides: string | null;
  /** '0' when the job belongs to no brand or to none that is known. */
  brandId: string;
  galleryId: string | null;
  subject: string;
  /** The crawler's name, or who else asked for it. */
  submittedBy: string;
  /** Number of this attempt, from 1. */
  attempt: number;
  /** Whether no further attempt will follow. */
  isLastAttempt: boolean;
  /** The fence: whoever writes for this job must still hold it. */
  claimToken: string;
  createdAt: number;
  claimedAt: number;
  /** When the job first waited because a host asked it to; 0 when it never did. */
  snoozedSince: number;
}

export interface GatherContext {
  /** Aborted when the job is lost, cancelled, or the process stops. */
  signal: AbortSignal;
  /** Says how far the work is; shown to editors within seconds. */
  progress(done: number, total: number): void;
}

export interface Settlement {
  outcome: string;
  /** For people, in the language of NOTES_LOCALE. */
  note: string;
  /** Brand, gallery and subject as the handler found them, where the row did not know them. */
  brandId?: string;
  brandless?: boolean;
  galleryId?: string;
  subject?: string;
  subjectKey?: string;
  /** The outcome may be wrong, and a person should look. */
  suspect?: boolean;
}

/**
 * The work of one kind of job, in two halves so that no transaction is open while the network is waited for and the
 * archive's rows still come in together with the job's end.
 */
export interface JobHandlerContract<P = unknown> {
  /** Minutes; network; short transactions of its own; safe to run twice. @throws JobError */
  gather(job: ClaimedJob, context: GatherContext): Promise<P>;
  /** Milliseconds; writes the archive in `tx`, the same transaction that settles the job. */
  commit(plan: P, tx: EntityManager, job: ClaimedJob): Promise<Settlement>;
}

export interface JobHandlerOptions {
  kind: string;
  /** Every outcome that a job of this kind may end with. */
  outcomes: readonly string[];
}

/** Marks a provider as the handler of a kind of job; the queue finds it by itself. */
export const JobHandler = DiscoveryService.createDecorator<JobHandlerOptions>();
