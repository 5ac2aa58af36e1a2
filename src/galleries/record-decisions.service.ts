import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../auth/audit-log.service.js';
import type { Actor } from '../auth/actor.js';
import { type DecidedJob, JobDecisions } from '../jobs/job-decisions.service.js';
import type { NewJob } from '../jobs/job-queue.js';
import type { UpdateRecord } from '../jobs/update-records.service.js';
import { storable } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import { chooseGallery } from './crawl-decision.js';
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
import { sourcesOf } from './crawl-source.js';
import { CrawlWriter } from './crawl-writer.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import { assertNotDeleted, galleryNotFound, showExists } from './gallery-refusals.js';
import { GalleryReviewRepository } from './gallery-review.repository.js';
import { isSkippedCrawl } from './record-actions.js';
import {
  galleryOfAnotherBrand,
  galleryUnknown,
  inWords,
  overridesNeeded,
  recordNotSkipped,
  recordNotSuspect,
  seasonMissing,
} from './record-refusals.js';
import { hasSeason, type Show } from './show.js';

/** Of a job's `submitted_by`. */
const MAX_NAME = 64;

/**
 * What an editor makes of a crawl that changed nothing: the gallery it was skipped for is written over, or it becomes a show
 * of its own, either by a new job with the same payload; or it was the same show indeed. Brand, gallery and job are locked
 * in this order, which is that of crawls and merges.
 */
@Injectable()
export class RecordDecisions {
  constructor(
    private readonly decisions: JobDecisions,
    private readonly reader: CrawlReader,
    private readonly writer: CrawlWriter,
    private readonly finder: GalleryFinderRepository,
    private readonly review: GalleryReviewRepository,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Has the crawl's pictures written over the gallery that it was skipped for, whatever its review.
   * @returns the new job
   * @throws AppError 404 `job-not-found`, `gallery-not-found`; 409 `record-not-skipped`, `gallery-deleted`,
   *   `gallery-of-another-brand`, `job-superseded`; and what the reading of the crawl says
   */
  async take(actor: Actor, id: string): Promise<UpdateRecord> {
    const job = await this.skipped(id);
    const { show, overrides } = await inWords(() => this.reader.read(job));
    const galleryId = job.galleryId ?? (await this.galleryOf(show));
    if (galleryId === undefined) throw galleryUnknown(id);
    const made = await this.transactions.run(async (tx) => {
      await inWords(() => this.writer.lock(tx, show));
      const gallery = await this.review.lock(tx, galleryId);
      if (gallery === undefined) throw galleryNotFound(galleryId);
      assertNotDeleted(gallery);
      if (gallery.brandId !== show.key.brandId) throw galleryOfAnotherBrand(galleryId);
      const again = this.again(actor, job, show, { ...overrides, decision: 'take', galleryId });
      const newId = await this.repeat(tx, job, { ...again, galleryId });
      await this.log(tx, actor, id, 'job.taken', `gallery ${galleryId}, by job ${newId}`);
      return newId;
    });
    return this.decisions.decided(made);
  }

  /**
   * Makes the crawl a show of its own, which differs from every show of the archive by what is given.
   * @returns the new job
   * @throws AppError 404 `job-not-found`; 400 `overrides-needed`, `overrides-invalid`; 409 `record-not-skipped`,
   *   `show-exists`, `job-superseded`; and what the reading of the crawl says
   */
  async makeOwnShow(actor: Actor, id: string, given: GivenOverrides): Promise<UpdateRecord> {
    const job = await this.skipped(id);
    if (!givesAnything(given)) throw overridesNeeded();
    const payload = await inWords(() => this.reader.payloadOf(job));
    const before = await inWords(() => overridesOf(job.overrides));
    const overrides = overridesWith(before, given, payload.kind, this.reader.currentYear());
    const { show } = await inWords(() => this.reader.read(job, payload, overrides));
    if (!hasSeason(show)) throw seasonMissing(payload);
    const made = await this.transactions.run(async (tx) => {
      await inWords(() => this.writer.lock(tx, show));
      const other = chooseGallery(show, await this.finder.lockCandidates(tx, show.key, undefined));
      if (other !== undefined) throw showExists(other, this.reader.about(show).subject);
      if (job.suspect && job.galleryId !== null) await this.writer.settleSuspect(tx, job.galleryId);
      const newId = await this.repeat(tx, job, this.again(actor, job, show, { ...overrides, decision: 'own_show' }));
      await this.log(tx, actor, id, 'job.made_own_show', `${overridesInWords(overrides)}, by job ${newId}`);
      return newId;
    });
    return this.decisions.decided(made);
  }

  /**
   * Says that a suspect crawl was the same show indeed.
   * @returns the record, suspect no more
   * @throws AppError 404 `job-not-found`, 409 `record-not-suspect`, and what the reading of the crawl says
   */
  async dismissSuspect(actor: Actor, id: string): Promise<UpdateRecord> {
    const job = await this.decisions.find(id);
    const { galleryId } = job;
    if (!job.suspect || galleryId === null) throw recordNotSuspect(id);
    const { show } = await inWords(() => this.reader.read(job));
    await this.transactions.run(async (tx) => {
      await inWords(() => this.writer.lock(tx, show));
      if ((await this.review.lock(tx, galleryId)) === undefined) throw galleryNotFound(galleryId);
      if (!(await this.decisions.clearSuspect(tx, id))) throw recordNotSuspect(id);
      await this.writer.dismissed(tx, actor.name, id, galleryId, show);
    });
    return this.decisions.decided(id);
  }

  private async skipped(id: string): Promise<DecidedJob> {
    const job = await this.decisions.find(id);
    if (!isSkippedCrawl(job)) throw recordNotSkipped(id);
    return job;
  }

  /** For rows from before, which do not say what they were skipped for. */
  private async galleryOf(show: Show): Promise<string | undefined> {
    return chooseGallery(show, await this.finder.candidates(show.key, sourcesOf(show.payload.source)[0]))?.id;
  }

  private again(actor: Actor, job: DecidedJob, show: Show, overrides: CrawlOverrides): NewJob {
    return {
      ...this.reader.about(show),
      kind: job.kind,
      payload: job.payload,
      overrides: overridesText(overrides),
      submittedBy: storable(actor.name, MAX_NAME),
    };
  }

  /** A person has looked at the record: it is suspect no more, whatever becomes of the new job. */
  private async repeat(tx: EntityManager, job: DecidedJob, again: NewJob): Promise<string> {
    const newId = await this.decisions.repeat(tx, job.id, again);
    await this.decisions.clearSuspect(tx, job.id);
    return newId;
  }

  private log(tx: EntityManager, actor: Actor, id: string, action: string, detail: string): Promise<void> {
    return this.audit.record(tx, actor, { action, entity: 'job', entityId: id, detail });
  }
}
