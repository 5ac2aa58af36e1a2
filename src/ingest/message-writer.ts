import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobQueue, type NewJob } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { Batcher } from '../lib/batcher.js';
import { isBadData } from '../platform/database/pg-errors.js';
import { Transactions } from '../platform/database/transactions.js';
import { unavailable } from '../platform/http/problem.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';
import { keyText, type MessageKey, type Receipt, sameMessage } from './receipt.js';

/** A message that passed every check, and the job it becomes. */
export interface AcceptedMessage extends MessageKey {
  bodySha256: Buffer;
  warnings: string[];
  job: Omit<NewJob, 'id'>;
}

export interface Written {
  receipt: Receipt;
  /** The message had been written before, by this batch or an earlier one. */
  duplicate: boolean;
}

type Result = Written | Error;

// Two at a time: one is committed while the next is filled. More would only split the crowd into smaller commits.
const BATCHES = { maxItems: 64, concurrency: 2 };
// A deadlock or a lost connection is worth another try; the crawler is waiting and comes again by itself.
const TRIES = 3;

/** Writes messages and their jobs, all that arrive together in one transaction: a commit costs the same for one as for many. */
@Injectable()
export class MessageWriter {
  private readonly batcher = new Batcher<AcceptedMessage, Written>((batch) => this.writeBatch(batch), BATCHES);

  constructor(
    private readonly messages: IngestMessagesRepository,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Resolves once the message and its job are committed.
   * @throws AppError 422 `message-id-reused`, or `schema-invalid` for what the database refuses; database errors
   */
  write(message: AcceptedMessage): Promise<Written> {
    return this.batcher.add(message);
  }

  private async writeBatch(batch: AcceptedMessage[]): Promise<Result[]> {
    const first = new Map<string, AcceptedMessage>();
    for (const message of batch) {
      const key = keyText(message);
      if (!first.has(key)) first.set(key, message);
    }
    // In one order in every process, since two batches that take the same keys in different orders wait for each other.
    const distinct = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, message]) => message);
    const written = await this.writeDistinct(distinct);
    const results = new Map(distinct.map((message, index) => [message, written[index] ?? unavailable()]));
    if (written.some((result) => !(result instanceof Error) && !result.duplicate)) this.queue.announce();
    return batch.map((message) => {
      const leader = first.get(keyText(message)) ?? message;
      const result = results.get(leader) ?? unavailable();
      return leader === message || result instanceof Error ? result : duplicateOf(result.receipt, leader, message);
    });
  }

  private async writeDistinct(messages: AcceptedMessage[]): Promise<Result[]> {
    try {
      return await this.transactions.runBrief((tx) => this.store(tx, messages), { tries: TRIES });
    } catch (error) {
      if (!isBadData(error)) throw error;
      if (messages.length === 1) return [refusedByDatabase(error)];
      return this.writeOneByOne(messages);
    }
  }

  /** The database refused one of them and does not say which; the others must not suffer for it. */
  private async writeOneByOne(messages: AcceptedMessage[]): Promise<Result[]> {
    const results: Result[] = [];
    for (const message of messages) {
      const [result] = await this.writeDistinct([message]).catch((error: unknown) => [asError(error)]);
      results.push(result ?? unavailable());
    }
    return results;
  }

  private async store(tx: EntityManager, messages: AcceptedMessage[]): Promise<Result[]> {
    const ids = await this.queue.reserveIds(tx, messages.length);
    const rows = messages.map((message, index) => ({
      ...message,
      jobId: ids[index] ?? '',
      subject: message.job.subject,
    }));
    const receivedAt = await this.messages.insert(tx, rows);
    const fresh = rows.filter((row) => receivedAt.has(keyText(row)));
    if (fresh.length > 0)
      await this.queue.enqueue(
        tx,
        fresh.map(({ job, jobId }) => ({ ...job, id: jobId })),
      );
    const seen = rows.filter((row) => !receivedAt.has(keyText(row)));
    // A second statement: the insert does not see what another transaction committed while it ran.
    const kept = seen.length > 0 ? await this.messages.find(tx, seen) : new Map<string, never>();
    return rows.map(({ jobId, subject, warnings, ...row }) => {
      const received = receivedAt.get(keyText(row));
      if (received !== undefined) {
        return { receipt: { jobId, receivedAt: received, subject, warnings }, duplicate: false };
      }
      const earlier = kept.get(keyText(row));
      return earlier === undefined ? unavailable() : attempt(() => sameMessage(earlier, row.bodySha256));
    });
  }
}

function duplicateOf(receipt: Receipt, leader: AcceptedMessage, message: AcceptedMessage): Result {
  return attempt(() => sameMessage({ ...receipt, bodySha256: leader.bodySha256 }, message.bodySha256));
}

function attempt(find: () => Receipt): Result {
  try {
    return { receipt: find(), duplicate: true };
  } catch (error) {
    return asError(error);
  }
}

function refusedByDatabase(cause: unknown): AppError {
  return new AppError(
    'schema-invalid',
    'The database cannot hold this message. Look for characters that are no text.',
    {
      status: 422,
      cause,
    },
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
