/**
 * The four terms a collection is shown for. Resort and pre-fall are terms and never categories. The order is the order
 * in which a text is asked for them: `pre-fall` holds `fall`, 早秋 holds 秋 and 早春 holds 春, so the longer word comes first.
 */
export const TERMS = ['pre_fall', 'resort', 'spring', 'fall'] as const;

export type Term = (typeof TERMS)[number];

export const TERM_LABELS: Readonly<Record<Term, { readonly zh: string; readonly en: string }>> = {
  spring: { zh: '春夏', en: 'Spring' },
  fall: { zh: '秋冬', en: 'Fall' },
  resort: { zh: '早春', en: 'Resort' },
  pre_fall: { zh: '早秋', en: 'Pre-Fall' },
};

export function isTerm(value: unknown): value is Term {
  return typeof value === 'string' && (TERMS as readonly string[]).includes(value);
}
