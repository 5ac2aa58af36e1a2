import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import type { JobStatus } from '../jobs/job-status.js';
import { JobQueue } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { Batcher } from '../lib/batcher.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import type { BrandReference } from '../platform/intake/intake-type.js';
import { decodeBody, parseBody } from './body.js';
import { DatabaseGate } from './database-gate.js';
import { readEnvelope } from './envelope.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';
import { type IntakeAnswer, MAX_WARNINGS } from './intake-answer.js';
import { IntakeTypes } from './intake-types.js';
import { MessageWriter } from './message-writer.js';
import { QueueRoom } from './queue-room.js';
import { type KeptReceipt, keyText, type MessageKey, type Receipt, sameMessage } from './receipt.js';
import { Refusals } from './refusals.service.js';
import type { SignedMessage } from './signature.guard.js';

/** Messages that arrive together share their look-ups, and so a crowd takes few connections. */
const LOOK_UPS = { maxItems: 200, concurrency: 2 };

/** What happens to a signed message: the second half of INTAKE's order of checks. */
@Injectable()
export class IntakeService {
  private readonly gate: DatabaseGate;
  private readonly kept = new Batcher<MessageKey, KeptReceipt | undefined>((keys) => this.findKept(keys), LOOK_UPS);
  private readonly statuses = new Batcher<string, JobStatus | undefined>((ids) => this.findStatuses(ids), LOOK_UPS);

  constructor(
    private readonly types: IntakeTypes,
    private readonly brands: BrandsService,
    private readonly messages: IngestMessagesRepository,
    private readonly refusals: Refusals,
    private readonly room: QueueRoom,
    private readonly writer: MessageWriter,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(CONFIG) config: Config,
  ) {
    this.gate = new DatabaseGate(config.intake.databaseWaitMs);
  }

  /**
   * Resolves when message and job are committed.
   * @throws AppError 422, 503; database errors, which mean 503
   */
  async accept({ crawler, id, path, bytes }: SignedMessage): Promise<IntakeAnswer> {
    const text = decodeBody(bytes);
    const body = parseBody(text);
    const key = { crawlerId: crawler.id, messageId: id };
    const bodySha256 = createHash('sha256').update(bytes).digest();
    let reference: BrandReference | undefined;
    try {
      const envelope = readEnvelope(body);
      const { handler, kind } = this.types.message(envelope.type, path);
      const { value, warnings } = handler.normalise(envelope.data);
      return await this.gate.pass(async () => {
        const kept = await this.kept.add(key);
        if (kept !== undefined) return this.answerAgain(sameMessage(kept, bodySha256));

        reference = handler.brandOf(value);
        const brand = reference === undefined ? undefined : await this.brands.resolve(reference);
        const described = handler.describe(value, brand);
        await this.room.assertRoomFor(kind);
        const { receipt, duplicate } = await this.writer.write({
          ...key,
          bodySha256,
          warnings: [...envelope.warnings, ...warnings, ...described.warnings].slice(0, MAX_WARNINGS),
          job: {
            kind,
            payload: text,
            brandId: brand?.id ?? '0',
            brandless: reference === undefined,
            subject: described.subject,
            subjectKey: described.subjectKey,
            submittedBy: crawler.name,
          },
        });
        return duplicate ? this.answerAgain(receipt) : answer(receipt, 'pending', false);
      });
    } catch (error) {
      if (error instanceof AppError) await this.refusals.count(crawler.id, error.code, reference, body);
      throw error;
    }
  }

  private async findKept(keys: MessageKey[]): Promise<(KeptReceipt | undefined)[]> {
    const kept = await this.transactions.runBrief((tx) => this.messages.find(tx, keys));
    return keys.map((key) => kept.get(keyText(key)));
  }

  private async findStatuses(ids: string[]): Promise<(JobStatus | undefined)[]> {
    const statuses = await this.transactions.runBrief((tx) => this.queue.statusesOf(ids, tx));
    return ids.map((id) => statuses.get(id));
  }

  private async answerAgain(receipt: Receipt): Promise<IntakeAnswer> {
    return answer(receipt, (await this.statuses.add(receipt.jobId)) ?? null, true);
  }
}

function answer(receipt: Receipt, status: JobStatus | null, duplicate: boolean): IntakeAnswer {
  return {
    job_id: receipt.jobId,
    status,
    duplicate,
    received_at: new Date(receipt.receivedAt * 1000).toISOString(),
    subject: receipt.subject,
    warnings: receipt.warnings,
  };
}
