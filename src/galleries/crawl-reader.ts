import { Inject, Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import type { Correction } from '../jobs/job-queue.js';
import { JobError } from '../jobs/job-error.js';
import type { ClaimedJob } from '../jobs/job-handler.js';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { KnownBrand } from '../platform/intake/intake-type.js';
import { overridesOf, readShowWith, type CrawlOverrides } from './crawl-overrides.js';
import type { CrawlPayload } from './crawl-payload.js';
import { keyText, subjectOf, type Show } from './show.js';
import { crawlOf } from './stored-payload.js';

/** What says which show a job's crawl is about. */
export type StoredCrawl = Pick<ClaimedJob, 'payload' | 'overrides' | 'brandId'>;

export interface ReadCrawl {
  show: Show;
  overrides: CrawlOverrides;
  /** Every name that its brand goes by; none for street style. */
  brandNames: readonly string[];
  /** Years count from it. */
  currentYear: number;
}

/** Reads what a job's row holds of a crawl: the worker before it works on it, an editor's decision before it is taken. */
@Injectable()
export class CrawlReader {
  constructor(
    private readonly brands: BrandsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws JobError `payload_unreadable`, permanent */
  payloadOf(job: Pick<StoredCrawl, 'payload'>): CrawlPayload {
    return crawlOf(job.payload, this.currentYear());
  }

  /**
   * Which show it is. It may lack its season: see `assertSeason`.
   * @throws JobError `payload_unreadable`, `overrides_unreadable`, `brand_not_found`, permanent
   */
  async read(
    job: StoredCrawl,
    payload = this.payloadOf(job),
    overrides = overridesOf(job.overrides),
  ): Promise<ReadCrawl> {
    const currentYear = this.currentYear();
    const brand = payload.kind === 'street' ? undefined : await this.brandOf(job, payload, overrides);
    const show = readShowWith(overrides, payload, brand, currentYear);
    return { show, overrides, brandNames: brand?.names ?? [], currentYear };
  }

  /** What a job's row says of its crawl. */
  about(show: Show): Omit<Correction, 'overrides'> {
    const { key, payload } = show;
    const subject = subjectOf(show, this.config.jobs.notesLocale);
    return { brandId: key.brandId, brandless: payload.kind === 'street', subject, subjectKey: keyText(key) };
  }

  currentYear(): number {
    return this.clock.now().getUTCFullYear();
  }

  /**
   * A person's word comes first. The door found the brand and the job's row has it; only rows from before have nothing but
   * their payload's word.
   */
  private async brandOf(job: StoredCrawl, payload: CrawlPayload, overrides: CrawlOverrides): Promise<KnownBrand> {
    const id = overrides.brandId ?? job.brandId;
    if (id !== '0') {
      const brand = await this.brands.byId(id);
      if (brand !== undefined) return brand;
      throw JobError.permanent('brand_not_found', `The brand ${id} is not in the archive any more.`);
    }
    if (Object.keys(payload.brand).length === 0) {
      throw JobError.permanent('brand_not_found', 'The payload names no brand.');
    }
    try {
      return await this.brands.resolve(payload.brand);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 422) throw error;
      throw JobError.permanent('brand_not_found', error.message, error);
    }
  }
}
