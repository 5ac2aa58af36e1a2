/** A brand as the command lists it; as JSON it can be imported again. */
export interface ListedBrand {
  id: string;
  hashid: string;
  name: string;
  name_zh: string | null;
  slug: string;
  status: string;
  aliases: string[];
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/gu;

/** The brands as lines of a table, with a head. Terminals show a CJK character two columns wide. */
export function brandTable(brands: readonly ListedBrand[]): string[] {
  const rows = [
    ['id', 'hashid', 'name', 'Chinese', 'slug', 'status', 'aliases'],
    ...brands.map((brand) => [
      brand.id,
      brand.hashid,
      brand.name,
      brand.name_zh ?? '',
      brand.slug,
      brand.status,
      brand.aliases.join(', '),
    ]),
  ];
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

function widthOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0);
}
