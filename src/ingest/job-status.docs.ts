import { type JobStatus, JOB_STATUSES } from '../jobs/job-status.js';
import { answerOf, COUNT, ID, listOf, orNull, text, TIME } from '../lib/json-schema.js';
import { taken } from '../lib/shape-schema.js';
import type { IntakeQueryDocs } from '../platform/intake/intake-docs.js';

/** A job as its crawler may see it. */
export interface JobAnswer {
  job_id: string;
  /** `unknown`: no job of this crawler has the id. */
  status: JobStatus | 'unknown';
  subject: string | null;
  outcome: string | null;
  note: string | null;
  attempts: number;
  error_code: string | null;
  last_error: string | null;
  /** ISO 8601, UTC; null when it is not waiting for one. */
  next_attempt_at: string | null;
  updated_at: string | null;
}

export interface JobStatusAnswer {
  jobs: JobAnswer[];
  warnings: string[];
}

export const MAX_JOBS = 100;

const JOB = answerOf<JobAnswer>('Job', {
  job_id: ID,
  status: {
    type: 'string',
    enum: [...JOB_STATUSES, 'unknown'],
    description: '`unknown`: no job of this crawler has the id',
  },
  subject: orNull(text('The show as it was read')),
  outcome: orNull(
    text('Of a done job: created, reused_rejected, skipped_existing, skipped_deleted, noop; more may come'),
  ),
  note: orNull(text('What was done, in words')),
  attempts: COUNT,
  error_code: orNull(text('What went wrong last')),
  last_error: orNull(text('The same in words')),
  next_attempt_at: orNull(TIME),
  updated_at: orNull(TIME),
});

export const JOB_STATUS_DOCS: IntakeQueryDocs = {
  summary: 'How is my job?',
  data: {
    title: 'JobStatusQuestion',
    type: 'object',
    properties: {
      job_ids: taken.list(
        1,
        MAX_JOBS,
        { type: ['string', 'integer'], pattern: '^[0-9]{1,30}$', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        'As they were answered; only jobs of the crawler that asks are known to it',
      ),
    },
    required: ['job_ids'],
  },
  example: { job_ids: ['90210', '90211'] },
  answer: answerOf<JobStatusAnswer>('JobStatus', {
    jobs: listOf(JOB, 'In the order of the question'),
    warnings: listOf(text()),
  }),
  answerExample: {
    jobs: [
      {
        job_id: '90210',
        status: 'done',
        subject: '2026 秋冬 · 高级成衣 · 巴黎',
        outcome: 'created',
        note: '新建 42 张图',
        attempts: 1,
        error_code: null,
        last_error: null,
        next_attempt_at: null,
        updated_at: '2026-03-02T08:04:11.000Z',
      },
    ],
    warnings: [],
  },
};
