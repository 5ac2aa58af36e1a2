import { describe, expect, it } from '@jest/globals';
import { brandTable } from './brand-table.js';

describe('the table of brands', () => {
  it('stands in columns on a terminal, where a Chinese character is two wide', () => {
    const brand = { id: '1', hashid: 'aaaaaaaa', slug: 's', status: 'active', aliases: ['x', 'y'] };
    const lines = brandTable([
      { ...brand, name: '盖娅传说', name_zh: null },
      { ...brand, name: 'Heaven', name_zh: '盖娅' },
    ]);
    expect(lines).toEqual([
      'id  hashid    name      Chinese  slug  status  aliases',
      '1   aaaaaaaa  盖娅传说           s     active  x, y',
      '1   aaaaaaaa  Heaven    盖娅     s     active  x, y',
    ]);
  });
});
