import { Inject } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BrandsService } from '../brands/brands.service.js';
import { JobError } from '../jobs/job-error.js';
import {
  JobHandler,
  type ClaimedJob,
  type GatherContext,
  type JobHandlerContract,
  type Settlement,
} from '../jobs/job-handler.js';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { KnownBrand } from '../platform/intake/intake-type.js';
import { chooseGallery, decide, isSuspect, type Decision, type FoundGallery } from './crawl-decision.js';
import { crawlNotes, type CrawlNotes } from './crawl-notes.js';
import type { CrawlPayload } from './crawl-payload.js';
import { sourcesOf } from './crawl-source.js';
import { CrawlWriter } from './crawl-writer.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import { PictureGatherer } from './picture-gatherer.js';
import { selectPictures, type Selection } from './picture-selection.js';
import { closeVerdict, judgePictures, type Verdict } from './picture-verdict.js';
import { assertSeason, keyText, readShow, subjectOf, type Show } from './show.js';
import { crawlOf } from './stored-payload.js';

/** What a crawl came to before the archive is written. */
export type CrawlPlan =
  | { step: 'nothing' }
  | { step: 'skip'; show: Show; selection: Selection }
  | { step: 'write'; show: Show; selection: Selection; verdict: Verdict };

type Skip = Extract<Decision, { action: 'skip_existing' | 'skip_deleted' }>;

/**
 * What a crawl means: which show it is, whether the archive has it already, and what becomes of its pictures. The
 * category is settled before anything is looked up, since without it different shows share a key.
 */
@JobHandler({ kind: 'crawl', outcomes: ['created', 'reused_rejected', 'skipped_existing', 'skipped_deleted', 'noop'] })
export class CrawlHandler implements JobHandlerContract<CrawlPlan> {
  private readonly notes: CrawlNotes;

  constructor(
    private readonly brands: BrandsService,
    private readonly finder: GalleryFinderRepository,
    private readonly pictures: PictureGatherer,
    private readonly writer: CrawlWriter,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.notes = crawlNotes(config.jobs.notesLocale);
  }

  async gather(job: ClaimedJob, context: GatherContext): Promise<CrawlPlan> {
    const year = this.clock.now().getUTCFullYear();
    const payload = crawlOf(job.payload, year);
    if (payload.images.length === 0) return { step: 'nothing' };
    const brand = payload.kind === 'street' ? undefined : await this.brandOf(job, payload);
    const show = readShow(payload, brand, year);
    assertSeason(show);
    const selection = selectPictures(show, brand?.names ?? [], year);
    const decision = decideOn(show, await this.finder.candidates(show.key, sourceOf(show)));
    if (decision.action !== 'create' && decision.action !== 'overwrite') return { step: 'skip', show, selection };
    const slots = await this.pictures.gather(job, payload.kind, selection.pictures, context);
    const judged = judgePictures(selection, slots);
    const verdict = job.isLastAttempt ? closeVerdict(judged) : judged;
    if (verdict.verdict !== 'enough') throw missingPictures(verdict);
    return { step: 'write', show, selection, verdict };
  }

  async commit(plan: CrawlPlan, tx: EntityManager, job: ClaimedJob): Promise<Settlement> {
    if (plan.step === 'nothing') return { outcome: 'noop', note: this.notes.emptyPayload() };
    const { show, selection } = plan;
    await this.writer.lock(tx, show);
    const decision = decideOn(show, await this.finder.lockCandidates(tx, show.key, sourceOf(show)));
    if (decision.action === 'skip_existing' || decision.action === 'skip_deleted') {
      // Also when another crawl of the show was quicker: what this one stored is then nobody's, and swept up.
      return { ...this.about(show), ...(await this.skipped(tx, decision, show, selection)) };
    }
    if (plan.step === 'skip') {
      throw JobError.transient(
        'archive_changed',
        'The gallery that made this crawl needless is gone; it is tried again.',
      );
    }
    const content = { show, pictures: plan.verdict.pictures, cover: plan.verdict.cover };
    if (decision.action === 'create') {
      const galleryId = await this.writer.create(tx, job, job.submittedBy, content);
      return { ...this.about(show), outcome: 'created', note: this.notes.created(plan.verdict.tally), galleryId };
    }
    const { id: galleryId } = decision.gallery;
    await this.writer.overwrite(tx, job, job.submittedBy, galleryId, content);
    return {
      ...this.about(show),
      outcome: 'reused_rejected',
      note: this.notes.reusedRejected(plan.verdict.tally),
      galleryId,
    };
  }

  /** The door found the brand and the job's row has it; only rows from before have nothing but their payload's word. */
  private async brandOf(job: ClaimedJob, payload: CrawlPayload): Promise<KnownBrand> {
    if (job.brandId !== '0') {
      const brand = await this.brands.byId(job.brandId);
      if (brand !== undefined) return brand;
      throw JobError.permanent('brand_not_found', `The brand ${job.brandId} is not in the archive any more.`);
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

  private async skipped(
    tx: EntityManager,
    { action, gallery }: Skip,
    show: Show,
    selection: Selection,
  ): Promise<Settlement> {
    if (action === 'skip_deleted') {
      const day = new Date(gallery.deletedAt * 1000).toISOString().slice(0, 10);
      return { outcome: 'skipped_deleted', note: this.notes.skippedDeleted(day), galleryId: gallery.id };
    }
    const identities = selection.pictures.map((picture) => picture.identity);
    const suspect = isSuspect(show, gallery, await this.finder.sharedPictures(tx, gallery.id, identities));
    const note = this.notes.skippedExisting(gallery.status, show.payload.images.length, gallery.pictureCount, suspect);
    return { outcome: 'skipped_existing', note, galleryId: gallery.id, suspect };
  }

  /** What the row may not know yet, or knew from a reading of its own. */
  private about(show: Show): Pick<Settlement, 'brandId' | 'brandless' | 'subject' | 'subjectKey'> {
    const { key, payload } = show;
    const subject = subjectOf(show, this.config.jobs.notesLocale);
    return { brandId: key.brandId, brandless: payload.kind === 'street', subject, subjectKey: keyText(key) };
  }
}

function sourceOf({ payload }: Show): string | undefined {
  return sourcesOf(payload.source)[0];
}

function decideOn(show: Show, found: readonly FoundGallery[]): Decision {
  return decide(chooseGallery(show, found));
}

/** While some may still come, the job is tried again for them; what came is kept. */
function missingPictures({ verdict, waiting, tally, pictures, cover }: Verdict): JobError {
  if (verdict === 'open') {
    const codes = [...new Set(waiting.map((slot) => slot.errorCode ?? 'not_fetched'))].join(', ');
    return JobError.transient(
      'pictures_missing',
      `${waiting.length} of ${tally.wanted} pictures could not be fetched yet (${codes}); ${tally.stored} are stored.`,
    );
  }
  const coverFailed = pictures.find((picture) => picture.position === cover)?.failure;
  const why = coverFailed ? `the cover is missing (${coverFailed})` : 'a gallery needs 80 %';
  const named = tally.failures.slice(0, 8).join(', ');
  return JobError.permanent(
    'too_few_pictures',
    `Only ${tally.stored} of ${tally.wanted} pictures could be fetched; ${why}. Missing: ${named}.`,
  );
}
