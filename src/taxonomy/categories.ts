/** A category's code. A string and no union, because owners of an archive add their own rows to CATEGORIES. */
export type Category = string;

export type GalleryKind = 'runway' | 'street';

export interface CategoryRow {
  readonly code: Category;
  readonly zh: string;
  readonly en: string;
  /** The galleries it may stand on; a hint or a word for another kind of gallery is not taken. */
  readonly kinds: readonly GalleryKind[];
}

export const RTW: Category = 'rtw';
export const MENSWEAR: Category = 'menswear';
export const COUTURE: Category = 'couture';
export const BRIDAL: Category = 'bridal';
export const COED: Category = 'coed';
export const STREET_STYLE: Category = 'street_style';

/**
 * To add a category: a row here, and a row in patterns.ts with the words it is known by (without one it comes by hint
 * only). Street style is open to runway payloads too: pictures that came through the wrong door are then filed as what
 * they say they are, where a reviewer sees it, and not as a guessed ready-to-wear show. The other way round it is
 * closed: "menswear" in a street-style title tells outside which shows the pictures were taken.
 */
export const CATEGORIES: readonly CategoryRow[] = [
  { code: RTW, zh: '高级成衣', en: 'Ready-to-wear', kinds: ['runway'] },
  { code: MENSWEAR, zh: '男装', en: 'Menswear', kinds: ['runway'] },
  { code: COUTURE, zh: '高级定制', en: 'Couture', kinds: ['runway'] },
  { code: BRIDAL, zh: '婚纱', en: 'Bridal', kinds: ['runway'] },
  { code: COED, zh: '男女同场', en: 'Co-ed', kinds: ['runway'] },
  { code: STREET_STYLE, zh: '街拍', en: 'Street style', kinds: ['street', 'runway'] },
];

/** What a gallery is filed under when nothing names a category; always shown as guessed. */
export const DEFAULT_CATEGORY: Readonly<Record<GalleryKind, Category>> = { runway: RTW, street: STREET_STYLE };

export function findCategory(code: string): CategoryRow | undefined {
  return CATEGORIES.find((row) => row.code === code);
}

export function isCategoryOf(kind: GalleryKind, code: string): boolean {
  return findCategory(code)?.kinds.includes(kind) ?? false;
}
