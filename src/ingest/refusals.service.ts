import { Injectable, Logger } from '@nestjs/common';
import { Batcher } from '../lib/batcher.js';
import { messageOf, storable } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import type { BrandReference } from '../platform/intake/intake-type.js';
import { IngestRefusalsRepository, type Refusal } from './ingest-refusals.repository.js';

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

const MAX_BRAND = 200;
const MAX_TITLE = 300;

/** What was turned away after a good signature, kept for the editors. Those that come together share a statement. */
@Injectable()
export class Refusals {
  private readonly logger = new Logger('Intake');
  private readonly batcher = new Batcher<Refusal, void>((batch) => this.write(batch), {
    maxItems: 200,
    concurrency: 1,
  });

  constructor(
    private readonly repository: IngestRefusalsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** The answer stays the refusal, counted or not. @param body as it was parsed, of whatever shape */
  async count(crawlerId: string, code: string, reference: BrandReference | undefined, body: unknown): Promise<void> {
    if (!WORTH_COUNTING.has(code)) return;
    const data = (body as { data?: Record<string, unknown> } | null)?.data ?? {};
    const named = reference ?? { name: data['brand'], hashid: data['brand_hashid'], id: data['brand_id'] };
    const brand = [named.name, named.hashid, named.id].map(textOf).find((name) => name !== '') ?? '';
    const title = storable(textOf(data['title']), MAX_TITLE);
    try {
      await this.batcher.add({ crawlerId, code, brand: storable(brand, MAX_BRAND), title });
    } catch (error) {
      this.logger.warn(`A refusal (${code}) could not be counted: ${messageOf(error)}`);
    }
  }

  private async write(batch: Refusal[]): Promise<void[]> {
    await this.transactions.runBrief((tx) => this.repository.count(tx, batch));
    return [];
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
