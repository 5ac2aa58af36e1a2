import { Inject } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobError } from '../jobs/job-error.js';
import {
  JobHandler,
  type ClaimedJob,
  type GatherContext,
  type JobHandlerContract,
  type Settlement,
} from '../jobs/job-handler.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { chooseGallery, decide, isSuspect, type Decision, type FoundGallery, type Refusal } from './crawl-decision.js';
import { crawlNotes, type CrawlNotes } from './crawl-notes.js';
import { overridesOf, type CrawlOverrides } from './crawl-overrides.js';
import { CrawlReader } from './crawl-reader.js';
import { sourcesOf } from './crawl-source.js';
import { CrawlWriter } from './crawl-writer.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import { PictureGatherer } from './picture-gatherer.js';
import { selectPictures, type Selection } from './picture-selection.js';
import { closeVerdict, judgePictures, type Verdict } from './picture-verdict.js';
import { assertSeason, type Show } from './show.js';

/** What a crawl came to before the archive is written. */
export type CrawlPlan =
  | { step: 'nothing' }
  | { step: 'skip'; show: Show; selection: Selection }
  | { step: 'write'; show: Show; selection: Selection; verdict: Verdict };

type Skip = Extract<Decision, { action: 'skip_existing' | 'skip_deleted' }>;

/**
 * What a crawl means: which show it is, whether the archive has it already, and what becomes of its pictures. The
 * category is settled before anything is looked up, since without it different shows share a key. What a person decided
 * about the crawl comes before all of it.
 */
@JobHandler({
  kind: 'crawl',
  outcomes: ['created', 'reused_rejected', 'overwritten', 'skipped_existing', 'skipped_deleted', 'noop'],
})
export class CrawlHandler implements JobHandlerContract<CrawlPlan> {
  private readonly notes: CrawlNotes;

  constructor(
    private readonly reader: CrawlReader,
    private readonly finder: GalleryFinderRepository,
    private readonly pictures: PictureGatherer,
    private readonly writer: CrawlWriter,
    @Inject(CONFIG) config: Config,
  ) {
    this.notes = crawlNotes(config.jobs.notesLocale);
  }

  async gather(job: ClaimedJob, context: GatherContext): Promise<CrawlPlan> {
    const payload = this.reader.payloadOf(job);
    if (payload.images.length === 0) return { step: 'nothing' };
    const { show, overrides, brandNames, currentYear } = await this.reader.read(job, payload);
    assertSeason(show);
    const selection = selectPictures(show, brandNames, currentYear);
    const decision = decideOn(show, overrides, await this.candidates(show, overrides));
    if (decision.action === 'refuse') throw refused(decision.why);
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
    const overrides = overridesOf(job.overrides);
    await this.writer.lock(tx, show);
    const decision = decideOn(show, overrides, await this.candidates(show, overrides, tx));
    if (decision.action === 'refuse') throw refused(decision.why);
    if (decision.action === 'skip_existing' || decision.action === 'skip_deleted') {
      // Also when another crawl of the show was quicker: what this one stored is then nobody's, and swept up.
      return { ...this.reader.about(show), ...(await this.skipped(tx, job, decision, show, selection)) };
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
      return {
        ...this.reader.about(show),
        outcome: 'created',
        note: this.notes.created(plan.verdict.tally),
        galleryId,
      };
    }
    const { id: galleryId } = decision.gallery;
    await this.writer.overwrite(tx, job, job.submittedBy, galleryId, content);
    const ending =
      overrides.decision === 'take'
        ? { outcome: 'overwritten', note: this.notes.taken(plan.verdict.tally) }
        : { outcome: 'reused_rejected', note: this.notes.reusedRejected(plan.verdict.tally) };
    return { ...this.reader.about(show), ...ending, galleryId };
  }

  /** What may be the crawl's show; where a person decided it, what they named, and never by the page it came from. */
  private candidates(
    show: Show,
    { decision, galleryId }: CrawlOverrides,
    tx?: EntityManager,
  ): Promise<readonly FoundGallery[]> {
    if (decision === 'take' && galleryId !== undefined) {
      return tx === undefined ? this.finder.byId(galleryId) : this.finder.lockById(tx, galleryId);
    }
    const source = decision === undefined ? sourcesOf(show.payload.source)[0] : undefined;
    return tx === undefined
      ? this.finder.candidates(show.key, source)
      : this.finder.lockCandidates(tx, show.key, source);
  }

  private async skipped(
    tx: EntityManager,
    job: ClaimedJob,
    { action, gallery }: Skip,
    show: Show,
    selection: Selection,
  ): Promise<Settlement> {
    if (action === 'skip_deleted') {
      const day = new Date(gallery.deletedAt * 1000).toISOString().slice(0, 10);
      const note = this.notes.skippedDeleted(day);
      await this.writer.skipped(tx, job, gallery.id, note, false);
      return { outcome: 'skipped_deleted', note, galleryId: gallery.id };
    }
    const identities = selection.pictures.map((picture) => picture.identity);
    const suspect = isSuspect(show, gallery, await this.finder.sharedPictures(tx, gallery.id, identities));
    const note = this.notes.skippedExisting(gallery.status, show.payload.images.length, gallery.pictureCount, suspect);
    await this.writer.skipped(tx, job, gallery.id, note, suspect);
    return { outcome: 'skipped_existing', note, galleryId: gallery.id, suspect };
  }
}

function decideOn(show: Show, { decision }: CrawlOverrides, found: readonly FoundGallery[]): Decision {
  return decide(decision === 'take' ? found[0] : chooseGallery(show, found), decision);
}

/** What a person decided has been overtaken by what others did since. */
function refused(why: Refusal): JobError {
  const words: Record<Refusal, string> = {
    gallery_gone: 'The gallery that was to be overwritten is not in the archive any more.',
    gallery_deleted: 'The gallery that was to be overwritten is in the trash. Restore it first, then retry.',
    show_exists: 'The archive has a gallery of that very show, so this one cannot become a show of its own.',
  };
  return JobError.permanent(why, words[why]);
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
