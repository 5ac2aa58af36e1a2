import { Inject } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { IntakeQuery, type IntakeQueryHandler } from '../platform/intake/intake-query.js';
import { seasonLabel } from '../taxonomy/labels.js';
import { readAskedShows, type AskedShow } from './asked-show.js';
import { chooseGallery } from './crawl-decision.js';
import { sourcesOf } from './crawl-source.js';
import { KNOWN_SHOWS_DOCS, type KnownShow, type KnownShowsAnswer } from './known-shows.docs.js';
import { KnownShowsRepository, type KnownGallery } from './known-shows.repository.js';
import { hasSeason, keyText, readShow, seasonText, subjectOf, type Show } from './show.js';

/** What is looked for, or why nothing is. */
interface Understood {
  show?: Show;
  brandId?: string;
  source?: string | undefined;
  problem?: KnownShow['problem'];
}

/**
 * What do you have already? Shows are read and found as a crawl of them would be, so that what is said to be here is what a
 * crawl would skip. A show that is asked for by its page alone is not seen while it is only queued: a job has no page.
 */
@IntakeQuery({ type: 'show.known', path: '/ingest/known', docs: KNOWN_SHOWS_DOCS })
export class KnownShowsQuery implements IntakeQueryHandler {
  constructor(
    private readonly brands: BrandsService,
    private readonly known: KnownShowsRepository,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async answer(data: Record<string, unknown>): Promise<KnownShowsAnswer> {
    const { value: asked, warnings } = readAskedShows(data);
    const understood = await Promise.all(asked.map((one) => this.understand(one)));
    const wanted = understood.map(({ show, source, brandId }) => ({ key: show?.key, source, brandId }));
    const keys = understood.flatMap(({ show }) => (show === undefined ? [] : [keyText(show.key)]));
    const { galleries, open } = await this.transactions.runBrief(async (tx) => ({
      galleries: await this.known.find(tx, wanted),
      open: await this.queue.openSubjects(keys, tx),
    }));
    const shows = understood.map((one, place) => this.stateOf(one, galleries[place] ?? [], open));
    return { shows, warnings };
  }

  private async understand({ by, payload }: AskedShow): Promise<Understood> {
    const [source] = sourcesOf(payload.source);
    const namesBrand = Object.keys(payload.brand).length > 0;
    try {
      const brand = namesBrand ? await this.brands.find(payload.brand) : undefined;
      if (namesBrand && brand === undefined) return problem('brand-unknown', 'No brand is known by this name or id.');
      if (by === 'source' || brand === undefined) return { source, ...(brand && { brandId: brand.id }) };
      const show = readShow(payload, brand, this.clock.now().getUTCFullYear());
      if (hasSeason(show)) return { show, source, brandId: brand.id };
      return problem('season-unparsed', `No year and season in "${seasonText(payload)}".`);
    } catch (error) {
      if (error instanceof AppError && error.status === 422) return problem(error.code, error.message);
      throw error;
    }
  }

  private stateOf(one: Understood, found: readonly KnownGallery[], open: ReadonlySet<string>): KnownShow {
    const { notesLocale } = this.config.jobs;
    const { show } = one;
    if (show === undefined) {
      const galleries = new Set(found.map(({ id }) => id));
      if (galleries.size > 1) return about(undefined, null, several(galleries.size).problem);
      const [gallery] = found;
      return about(gallery, gallery === undefined ? null : seasonLabel(gallery, notesLocale), one.problem);
    }
    const chosen = chooseGallery(show, found);
    const gallery = found.find(({ id }) => id === chosen?.id);
    const answer = about(gallery, subjectOf(show, notesLocale), null);
    const isWorthACrawl = answer.state === 'none' || answer.state === 'rejected';
    return isWorthACrawl && open.has(keyText(show.key)) ? { ...answer, state: 'queued' } : answer;
  }
}

function about(
  gallery: KnownGallery | undefined,
  subject: string | null,
  problem: KnownShow['problem'] | undefined,
): KnownShow {
  if (gallery === undefined) {
    return { state: 'none', gallery_id: null, pictures: null, subject, problem: problem ?? null };
  }
  const { id, status, deletedAt, stored, missing } = gallery;
  const state = deletedAt > 0 ? 'deleted' : status;
  return { state, gallery_id: id, pictures: { stored, missing }, subject, problem: problem ?? null };
}

function several(count: number): Understood {
  return problem('source-ambiguous', `${count} shows have this page. Name the brand and the season as well.`);
}

function problem(code: string, detail: string): Understood {
  return { problem: { code, detail } };
}
