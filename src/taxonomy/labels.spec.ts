import { describe, expect, it } from '@jest/globals';
import { seasonLabel } from './labels.js';

describe('the label of a season', () => {
  const season = { year: 2026, term: 'fall', category: 'rtw', market: 'paris' } as const;

  it('is written the way each language writes it', () => {
    expect(seasonLabel(season, 'zh-CN')).toBe('2026 秋冬 · 高级成衣 · 巴黎');
    expect(seasonLabel(season, 'en')).toBe('Fall 2026 · Ready-to-wear · Paris');
  });

  it('leaves out what is not known', () => {
    expect(seasonLabel({ ...season, market: null }, 'en')).toBe('Fall 2026 · Ready-to-wear');
    expect(seasonLabel({ ...season, term: null, category: null }, 'zh-CN')).toBe('2026 · 巴黎');
    expect(seasonLabel({ ...season, year: null, market: null }, 'en')).toBe('Fall · Ready-to-wear');
  });

  it('says so when nothing is known', () => {
    const nothing = { year: null, term: null, category: null, market: null };
    expect(seasonLabel(nothing, 'zh-CN')).toBe('季度未知');
    expect(seasonLabel(nothing, 'en')).toBe('season unknown');
  });

  it('shows a code that no table knows as it is', () => {
    expect(seasonLabel({ ...season, category: 'swimwear', market: 'atlantis' }, 'en')).toBe(
      'Fall 2026 · swimwear · atlantis',
    );
  });
});
