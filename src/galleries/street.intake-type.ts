import { Inject } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { IntakeType, type Described, type IntakeTypeHandler, type Normalised } from '../platform/intake/intake-type.js';
import { STREET_GALLERY_DOCS } from './crawl-payload.docs.js';
import { readStreetGallery, type CrawlPayload } from './crawl-payload.js';
import { keyText, readShow, subjectOf } from './show.js';

/** A street-style gallery, as crawlers send it: it belongs to no brand, and may lack a season. */
@IntakeType({ type: 'street.gallery', path: '/ingest', kind: 'crawl', docs: STREET_GALLERY_DOCS })
export class StreetIntakeType implements IntakeTypeHandler<CrawlPayload> {
  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  normalise(data: unknown): Normalised<CrawlPayload> {
    return readStreetGallery(data, this.clock.now().getUTCFullYear());
  }

  brandOf(_value: CrawlPayload): undefined {
    return undefined;
  }

  describe(value: CrawlPayload): Described {
    const show = readShow(value, undefined, this.clock.now().getUTCFullYear());
    const unread = show.key.year === null || show.key.term === null ? ['/data/season: no year and season found'] : [];
    const subject = subjectOf(show, this.config.jobs.notesLocale);
    return { subject, subjectKey: keyText(show.key), warnings: [...show.warnings, ...unread] };
  }
}
