import { Inject } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import {
  IntakeType,
  type BrandReference,
  type Described,
  type IntakeTypeHandler,
  type KnownBrand,
  type Normalised,
} from '../platform/intake/intake-type.js';
import { RUNWAY_SHOW_DOCS } from './crawl-payload.docs.js';
import { readRunwayShow, type CrawlPayload } from './crawl-payload.js';
import { hasSeason, keyText, readShow, seasonText, subjectOf } from './show.js';

/** A runway show, as crawlers send it. */
@IntakeType({ type: 'runway.show', path: '/ingest', kind: 'crawl', docs: RUNWAY_SHOW_DOCS })
export class RunwayIntakeType implements IntakeTypeHandler<CrawlPayload> {
  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  normalise(data: unknown): Normalised<CrawlPayload> {
    return readRunwayShow(data, this.clock.now().getUTCFullYear());
  }

  brandOf(value: CrawlPayload): BrandReference {
    return value.brand;
  }

  describe(value: CrawlPayload, brand: KnownBrand | undefined): Described {
    const show = readShow(value, brand, this.clock.now().getUTCFullYear());
    if (!hasSeason(show)) {
      throw new AppError(
        'season-unparsed',
        `No year and season in "${seasonText(value)}". Send season as the page has it ("Fall 2026 Menswear"), or year and term.`,
        { status: 422, errors: [{ pointer: '/data/season', detail: 'names no year and season' }] },
      );
    }
    const subject = subjectOf(show, this.config.jobs.notesLocale);
    return { subject, subjectKey: keyText(show.key), warnings: show.warnings };
  }
}
