import { type JobStatus, JOB_STATUSES } from '../jobs/job-status.js';
import { answerOf, ID, listOf, orNull, text, TIME } from '../lib/json-schema.js';

/** The body of a 202. */
export interface IntakeAnswer {
  job_id: string;
  /** The job's now; null when its row is no more. */
  status: JobStatus | null;
  duplicate: boolean;
  /** ISO 8601, UTC. */
  received_at: string;
  subject: string;
  warnings: string[];
}

export const MAX_WARNINGS = 20;

export const INTAKE_ANSWER = answerOf<IntakeAnswer>('Accepted', {
  job_id: ID,
  status: orNull({ type: 'string', enum: JOB_STATUSES, description: 'The job’s now; null when its row is no more' }),
  duplicate: { type: 'boolean', description: 'The message had come before; the answer is the first one' },
  received_at: TIME,
  subject: text('The show as it was read. Look at it while you write the crawler'),
  warnings: {
    ...listOf(text(), 'What was ignored, cut or guessed. Read them once: they are mostly misspellings'),
    maxItems: MAX_WARNINGS,
  },
});

export const INTAKE_ANSWER_EXAMPLE: IntakeAnswer = {
  job_id: '90210',
  status: 'pending',
  duplicate: false,
  received_at: '2026-03-02T08:00:01.000Z',
  subject: '2026 秋冬 · 高级成衣 · 巴黎',
  warnings: [],
};
