import { findCategory } from './categories.js';
import { findMarket } from './markets.js';
import { type Term, TERM_LABELS } from './terms.js';

export type LabelLocale = 'zh-CN' | 'en';

export interface SeasonParts {
  readonly year: number | null;
  readonly term: Term | null;
  readonly category: string | null;
  readonly market: string | null;
}

/**
 * A season as people read it: "2026 秋冬 · 高级成衣 · 巴黎", "Fall 2026 · Ready-to-wear · Paris". A missing part is left
 * out; a code that no table knows any more is shown as it is, rather than hidden. `readSeason` reads a label back.
 */
export function seasonLabel({ year, term, category, market }: SeasonParts, locale: LabelLocale): string {
  const when = locale === 'en' ? [term && termLabel(term, locale), year] : [year, term && termLabel(term, locale)];
  const parts = [
    when.filter((part) => part !== null).join(' '),
    category && categoryLabel(category, locale),
    market && marketLabel(market, locale),
  ].filter(Boolean);
  if (parts.length === 0) return locale === 'en' ? 'season unknown' : '季度未知';
  return parts.join(' · ');
}

export function termLabel(term: Term, locale: LabelLocale): string {
  return TERM_LABELS[term][languageOf(locale)];
}

export function categoryLabel(code: string, locale: LabelLocale): string {
  return findCategory(code)?.[languageOf(locale)] ?? code;
}

export function marketLabel(code: string, locale: LabelLocale): string {
  return findMarket(code)?.[languageOf(locale)] ?? code;
}

function languageOf(locale: LabelLocale): 'zh' | 'en' {
  return locale === 'en' ? 'en' : 'zh';
}
