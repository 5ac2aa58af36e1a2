import { Injectable } from '@nestjs/common';
import { AuditLog } from '../auth/audit-log.service.js';
import type { Actor } from '../auth/actor.js';
import { type DecidedJob, JobDecisions } from '../jobs/job-decisions.service.js';
import { jobNotFailed } from '../jobs/job-refusals.js';
import type { Correction } from '../jobs/job-queue.js';
import type { UpdateRecord } from '../jobs/update-records.service.js';
import { Transactions } from '../platform/database/transactions.js';
import {
  givesAnything,
  overridesInWords,
  overridesOf,
  overridesText,
  overridesWith,
  type CrawlOverrides,
  type GivenOverrides,
} from './crawl-overrides.js';
import { CrawlReader } from './crawl-reader.js';
import { CrawlWriter } from './crawl-writer.js';
import { CRAWL } from './record-actions.js';
import { inWords, overridesNotAllowed, recordChanged, seasonMissing } from './record-refusals.js';
import { hasSeason, type Show } from './show.js';

/** A crawl as it is to be read from now on. */
interface Reread {
  show: Show;
  overrides: CrawlOverrides;
  correction: Correction;
}

/** What failed is tried again, and a crawl may be read otherwise; what was signed stays as it came. */
@Injectable()
export class RecordRetry {
  constructor(
    private readonly decisions: JobDecisions,
    private readonly reader: CrawlReader,
    private readonly writer: CrawlWriter,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param given what is decided against the payload; without any, what was decided before stays
   * @throws AppError 404 `job-not-found`; 409 `job-not-failed`, `job-superseded`, `record-changed`, `overrides-not-allowed`;
   *   400 `overrides-invalid`; 422 `brand-not-allowed`, and what the reading of the crawl says
   */
  async retry(actor: Actor, id: string, given: GivenOverrides = {}): Promise<UpdateRecord> {
    const job = await this.decisions.find(id);
    if (job.status !== 'failed') throw jobNotFailed(id);
    const reread = givesAnything(given) ? await this.reread(job, given) : undefined;
    await this.transactions.run(async (tx) => {
      if (reread !== undefined) {
        // Brand, then job: in the order of whoever merges brands.
        await inWords(() => this.writer.lock(tx, reread.show));
        if ((await this.decisions.lock(tx, id)).overrides !== job.overrides) throw recordChanged(id);
      }
      await this.decisions.retry(tx, id, reread?.correction);
      const detail = reread === undefined ? {} : { detail: overridesInWords(reread.overrides) };
      await this.audit.record(tx, actor, { action: 'job.retried', entity: 'job', entityId: id, ...detail });
    });
    return this.decisions.decided(id);
  }

  private async reread(job: DecidedJob, given: GivenOverrides): Promise<Reread> {
    if (job.kind !== CRAWL) {
      throw overridesNotAllowed(
        `Record ${job.id} is no crawl, so there is nothing to be read otherwise. Retry it as it is.`,
      );
    }
    const payload = await inWords(() => this.reader.payloadOf(job));
    const before = await inWords(() => overridesOf(job.overrides));
    if (before.decision === 'take') {
      throw overridesNotAllowed(
        `It is decided that record ${job.id} overwrites gallery ${before.galleryId}. Retry it as it is, or make the crawl that was skipped a show of its own.`,
      );
    }
    const overrides = overridesWith(before, given, payload.kind, this.reader.currentYear());
    const { show } = await inWords(() => this.reader.read(job, payload, overrides));
    if (!hasSeason(show)) throw seasonMissing(payload);
    return { show, overrides, correction: { ...this.reader.about(show), overrides: overridesText(overrides) } };
  }
}
