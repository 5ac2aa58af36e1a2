import { retryBackoff } from '../lib/backoff.js';
import { messageOf, storable } from '../lib/text.js';
import { JobError } from './job-error.js';
import type { ClaimedJob, Settlement } from './job-handler.js';
import type { JobStatus } from './job-status.js';
import { MAX_SNOOZE_SECONDS, maySnooze } from './snooze.js';

/**
 * The states of a job, and who may leave which.
 *
 *   pending ──claim──▶ processing ──settle──▶ done | failed
 *      ▲ ▲                 │ │
 *      │ └─────retry───────┘ └──▶ pending (snooze, release: the attempt is not counted)
 *      └──manual retry── failed ◀── cancel (of pending or processing)
 */
export { JOB_STATUSES, type JobStatus } from './job-status.js';

/** How one attempt ended. */
export const ATTEMPT_RESULTS = ['done', 'retry', 'failed', 'snoozed', 'released', 'lost', 'cancelled'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** After this many counted attempts a job fails for good. */
export const MAX_ATTEMPTS = 3;

/** How a claimed job leaves `processing`: what becomes of the row, and what its attempt row will say. */
export interface Departure {
  id: string;
  claimToken: string;
  result: AttemptResult;
  status: Exclude<JobStatus, 'processing'>;
  /** Whether this attempt uses up one of the {@link MAX_ATTEMPTS}. */
  counted: boolean;
  /** Until a pending job is due again. */
  delaySeconds: number;
  error: { code: string; message: string } | null;
  settlement: Settlement | null;
}

/** The work is done and the archive has it. */
export function departDone(job: Holding, settlement: Settlement): Departure {
  return depart(job, {
    result: 'done',
    status: 'done',
    settlement: { ...settlement, note: storable(settlement.note) },
  });
}

/** The process stops and gives the job back, due at once, as if it had not been claimed. */
export function departReleased(job: Holding): Departure {
  return depart(job, { result: 'released', status: 'pending', counted: false });
}

/**
 * What an error makes of the job: fails at once when it cannot heal, waits without counting when somebody asked us to,
 * and else is tried again until the attempts are spent.
 * @param retryBaseSeconds wait after the first attempt
 */
export function departFailing(job: ClaimedJob, error: unknown, retryBaseSeconds: number): Departure {
  const known = error instanceof JobError ? error : undefined;
  const told = { code: storable(known?.code ?? 'internal_error', 64), message: messageOf(error) };
  if (known?.nature === 'permanent') return depart(job, { result: 'failed', status: 'failed', error: told });
  if (known?.nature === 'snooze' && maySnooze(job)) {
    const delaySeconds = Math.min(Math.max(1, Math.ceil(known.seconds)), MAX_SNOOZE_SECONDS);
    return depart(job, { result: 'snoozed', status: 'pending', counted: false, delaySeconds, error: told });
  }
  if (job.attempt >= MAX_ATTEMPTS) return depart(job, { result: 'failed', status: 'failed', error: told });
  const delaySeconds = Math.ceil(retryBackoff(job.attempt, retryBaseSeconds));
  return depart(job, { result: 'retry', status: 'pending', delaySeconds, error: told });
}

type Holding = Pick<ClaimedJob, 'id' | 'claimToken'>;

function depart(job: Holding, departure: Pick<Departure, 'result' | 'status'> & Partial<Departure>): Departure {
  const usual = { counted: true, delaySeconds: 0, error: null, settlement: null };
  return { ...usual, ...departure, id: job.id, claimToken: job.claimToken };
}
