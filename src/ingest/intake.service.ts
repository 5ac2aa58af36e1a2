import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import type { JobStatus } from '../jobs/ingest-job.state.js';
import { AppError } from '../lib/app-error.js';
import { Batcher } from '../lib/batcher.js';
import { messageOf } from '../lib/text.js';
import type { BrandReference } from '../platform/intake/intake-type.js';
import { decodeBody, parseBody } from './body.js';
import { readEnvelope } from './envelope.js';
import { IngestMessagesRepository } from './ingest-messages.repository.js';
import { IngestRefusalsRepository } from './ingest-refusals.repository.js';
import { IntakeTypes } from './intake-types.js';
import { MessageWriter } from './message-writer.js';
import { type KeptReceipt, keyText, type MessageKey, type Receipt, sameMessage } from './receipt.js';
import type { SignedMessage } from './signature.guard.js';

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

const MAX_WARNINGS = 20;

/** An editor can do something about these: add a brand, an alias, a season's wording, or talk to the crawler's author. */
const WORTH_COUNTING = new Set([
  'type-unknown',
  'type-not-here',
  'schema-invalid',
  'season-unparsed',
  'brand-unknown',
  'brand-mismatch',
  'brand-ambiguous',
  'brand-not-allowed',
]);

/** What happens to a signed message: the second half of INTAKE's order of checks. */
@Injectable()
export class IntakeService {
  private readonly logger = new Logger('Intake');
  private readonly lookUp = new Batcher<MessageKey, KeptReceipt | undefined>((keys) => this.findKept(keys), {
    maxItems: 200,
    concurrency: 2,
  });

  constructor(
    private readonly types: IntakeTypes,
    private readonly brands: BrandsService,
    private readonly messages: IngestMessagesRepository,
    private readonly refusals: IngestRefusalsRepository,
    private readonly writer: MessageWriter,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Resolves when message and job are committed.
   * @throws AppError 422; database errors, which mean 503
   */
  async accept({ crawler, id, path, bytes }: SignedMessage): Promise<IntakeAnswer> {
    const text = decodeBody(bytes);
    const body = parseBody(text);
    const key = { crawlerId: crawler.id, messageId: id };
    const bodySha256 = createHash('sha256').update(bytes).digest();
    let reference: BrandReference | undefined;
    try {
      const envelope = readEnvelope(body);
      const { handler, kind } = this.types.find(envelope.type, path);
      const { value, warnings } = handler.normalise(envelope.data);

      const kept = await this.lookUp.add(key);
      if (kept !== undefined) return await this.answerAgain(sameMessage(kept, bodySha256));

      reference = handler.brandOf(value);
      const brand = reference === undefined ? undefined : await this.brands.resolve(reference);
      const described = handler.describe(value, brand);
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
      return duplicate ? await this.answerAgain(receipt) : answer(receipt, 'pending', false);
    } catch (error) {
      if (error instanceof AppError && WORTH_COUNTING.has(error.code)) {
        await this.countRefusal(crawler.id, error.code, reference, body);
      }
      throw error;
    }
  }

  private async findKept(keys: MessageKey[]): Promise<(KeptReceipt | undefined)[]> {
    const kept = await this.messages.find(keys);
    return keys.map((key) => kept.get(keyText(key)));
  }

  private async answerAgain(receipt: Receipt): Promise<IntakeAnswer> {
    const statuses = await this.queue.statusesOf([receipt.jobId]);
    return answer(receipt, statuses.get(receipt.jobId) ?? null, true);
  }

  /** The answer stays the refusal, counted or not. */
  private async countRefusal(
    crawlerId: string,
    code: string,
    reference: BrandReference | undefined,
    body: unknown,
  ): Promise<void> {
    const data = (body as { data?: Record<string, unknown> } | null)?.data ?? {};
    const named = reference ?? { name: data['brand'], hashid: data['brand_hashid'], id: data['brand_id'] };
    const brand = [named.name, named.hashid, named.id].map(textOf).find((name) => name !== '') ?? '';
    try {
      await this.refusals.count({ crawlerId, code, brand, title: textOf(data['title']) });
    } catch (error) {
      this.logger.warn(`A refusal (${code}) could not be counted: ${messageOf(error)}`);
    }
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

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
