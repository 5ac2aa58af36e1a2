import { answerOf, COUNT, ID, listOf, orNull, text } from '../lib/json-schema.js';
import { taken } from '../lib/shape-schema.js';
import type { IntakeQueryDocs } from '../platform/intake/intake-docs.js';
import { MAX_SHOWS } from './asked-show.js';
import { GALLERY_STATUSES, type GalleryStatus } from './crawl-decision.js';
import { BRAND_MEMBERS, SEASON_MEMBERS, SOURCE } from './crawl-payload.docs.js';
import { CRAWL_LIMITS } from './crawl-payload.js';

/** What the archive knows of a show that was asked for. */
export interface KnownShow {
  /** `none` and `rejected` are worth a crawl, the others are not. */
  state: 'none' | 'queued' | 'deleted' | GalleryStatus;
  gallery_id: string | null;
  pictures: { stored: number; missing: number } | null;
  /** The show as it was understood; null when it was not, or is known by nothing but its page. */
  subject: string | null;
  /** Why it could not be looked for. */
  problem: { code: string; detail: string } | null;
}

export interface KnownShowsAnswer {
  shows: KnownShow[];
  warnings: string[];
}

const KNOWN_SHOW = answerOf<KnownShow>('KnownShow', {
  state: {
    type: 'string',
    enum: ['none', 'queued', 'deleted', ...GALLERY_STATUSES],
    description: '`none` and `rejected` are worth a crawl, the others are not',
  },
  gallery_id: orNull(ID),
  pictures: orNull(answerOf<NonNullable<KnownShow['pictures']>>('PictureCounts', { stored: COUNT, missing: COUNT })),
  subject: orNull(text('The show as it was understood')),
  problem: orNull(
    answerOf<NonNullable<KnownShow['problem']>>('LookUpProblem', { code: text(), detail: text('What to mend') }),
  ),
});

export const KNOWN_SHOWS_DOCS: IntakeQueryDocs = {
  summary: 'What do you have already?',
  data: {
    title: 'KnownShowsQuestion',
    description:
      'Which shows need no crawl. Each is named as `runway.show` names it, or by the page that it was found on.',
    type: 'object',
    properties: {
      shows: taken.list(
        1,
        MAX_SHOWS,
        {
          anyOf: [
            {
              title: 'AskedShow',
              description: 'A brand with season, title, or year and term; or a source with a url or an external_id',
              type: 'object',
              properties: { ...BRAND_MEMBERS, ...SEASON_MEMBERS, source: orNull(SOURCE) },
            },
            taken.address(CRAWL_LIMITS.url),
          ],
        },
        'Answered in this order',
      ),
    },
    required: ['shows'],
  },
  example: {
    shows: [
      { brand: 'Maison Éclair', season: 'Fall 2026 Ready-to-Wear', market: 'Paris' },
      { source: { site: 'example.org', external_id: 'fw26-118' } },
      'https://example.org/shows/fall-2026/maison-eclair',
    ],
  },
  answer: answerOf<KnownShowsAnswer>('KnownShows', {
    shows: listOf(KNOWN_SHOW, 'In the order of the question'),
    warnings: listOf(text()),
  }),
  answerExample: {
    shows: [
      {
        state: 'published',
        gallery_id: '512',
        pictures: { stored: 42, missing: 0 },
        subject: '2026 秋冬 · 高级成衣 · 巴黎',
        problem: null,
      },
      { state: 'none', gallery_id: null, pictures: null, subject: null, problem: null },
      { state: 'none', gallery_id: null, pictures: null, subject: null, problem: null },
    ],
    warnings: [],
  },
};
