import { answerOf, listOf, orNull, text } from '../lib/json-schema.js';
import { taken } from '../lib/shape-schema.js';
import type { IntakeQueryDocs } from '../platform/intake/intake-docs.js';

/** A brand as crawlers may name it. */
export interface BrandAnswer {
  hashid: string;
  name: string;
  name_zh: string | null;
  /** Every other name that it is known by, also those of brands that were merged into it. */
  aliases: string[];
}

export interface BrandListAnswer {
  brands: BrandAnswer[];
  /** Where the next page begins; null: this was the last. */
  next: string | null;
  warnings: string[];
}

export const BRAND_LIST_LIMITS = { page: 500, after: { max: 1_000 }, search: { max: 120 } } as const;

export const BRAND_LIST_DOCS: IntakeQueryDocs = {
  summary: 'Which brands are there?',
  data: {
    title: 'BrandListQuestion',
    type: 'object',
    properties: {
      first: taken.integer(1, BRAND_LIST_LIMITS.page, 'How many; 200 when not given'),
      after: taken.text(BRAND_LIST_LIMITS.after, '`next` of the page before'),
      search: taken.text(BRAND_LIST_LIMITS.search, 'Part of a name'),
    },
  },
  example: { first: 2, search: 'éclair' },
  answer: answerOf<BrandListAnswer>('BrandList', {
    brands: listOf(
      answerOf<BrandAnswer>('Brand', {
        hashid: text('To be sent as `brand_hashid`'),
        name: text(),
        name_zh: orNull(text()),
        aliases: listOf(text(), 'Every other name that it is known by'),
      }),
    ),
    next: orNull(text('To be sent as `after`; null: this was the last page')),
    warnings: listOf(text()),
  }),
  answerExample: {
    brands: [{ hashid: 'kQ3nV8xY', name: 'Maison Éclair', name_zh: '晨光之家', aliases: ['maison-eclair'] }],
    next: null,
    warnings: [],
  },
};
