import { type UpdateRecord, UpdateRecords } from '../jobs/update-records.service.js';
import { isDecimalId } from '../lib/decimal-id.js';
import { ShapeReader } from '../lib/shape-reader.js';
import { Transactions } from '../platform/database/transactions.js';
import { type AskingCrawler, IntakeQuery, type IntakeQueryHandler } from '../platform/intake/intake-query.js';
import { IntakeTypes } from './intake-types.js';
import { JOB_STATUS_DOCS, type JobAnswer, type JobStatusAnswer, MAX_JOBS } from './job-status.docs.js';

/**
 * How is my job? Of a crawler's own jobs only, and of those only what it sent itself: somebody else's job is answered as
 * one that is not there, since whether it is there is nobody's business.
 */
@IntakeQuery({ type: 'job.status', path: '/ingest/status', docs: JOB_STATUS_DOCS })
export class JobStatusQuery implements IntakeQueryHandler {
  constructor(
    private readonly types: IntakeTypes,
    private readonly records: UpdateRecords,
    private readonly transactions: Transactions,
  ) {}

  async answer(data: Record<string, unknown>, crawler: AskingCrawler): Promise<JobStatusAnswer> {
    const read = ShapeReader.of(data, '/data');
    const ids = read.list('job_ids', 1, MAX_JOBS, (entry, name) => readId(read, entry, name));
    read.finish();
    const wanted = [...new Set(ids.filter(isDecimalId))];
    const records = await this.transactions.runBrief((tx) => this.records.byIds(wanted, tx));
    const kinds = new Set(this.types.kinds);
    const jobs = ids.map((id) => {
      const record = records.get(id);
      const isOwn = record?.submittedBy === crawler.name && kinds.has(record.kind);
      return isOwn ? known(record) : unknown(id);
    });
    return { jobs, warnings: read.warnings };
  }
}

/** Digits, as text or as a number that came whole; one too long for an id is the id of no job. */
function readId(read: ShapeReader, entry: unknown, name: string): string | undefined {
  if (typeof entry === 'number' && Number.isSafeInteger(entry) && entry >= 0) return String(entry);
  if (typeof entry === 'string' && /^\d{1,30}$/.test(entry)) return entry;
  return read.complain(name, 'must be a job_id, as it was answered');
}

function known(record: UpdateRecord): JobAnswer {
  return {
    job_id: record.id,
    status: record.status,
    subject: record.subject,
    outcome: record.outcome,
    note: record.note,
    attempts: record.attempts,
    error_code: record.errorCode,
    last_error: record.lastError,
    next_attempt_at: record.status === 'pending' ? timeOf(record.nextAttemptAt) : null,
    updated_at: timeOf(record.updatedAt),
  };
}

function unknown(id: string): JobAnswer {
  return {
    job_id: id,
    status: 'unknown',
    subject: null,
    outcome: null,
    note: null,
    attempts: 0,
    error_code: null,
    last_error: null,
    next_attempt_at: null,
    updated_at: null,
  };
}

function timeOf(seconds: number): string | null {
  return seconds === 0 ? null : new Date(seconds * 1000).toISOString();
}
