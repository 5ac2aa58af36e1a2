/** The words for where a job stands. Anybody may use them; who may change them is said by `ingest-job.state.ts`. */
export const JOB_STATUSES = ['pending', 'processing', 'done', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
