import { BRIDAL, COED, COUTURE, MENSWEAR, RTW, STREET_STYLE, type Category } from './categories.js';
import type { Term } from './terms.js';

/**
 * The words a season is read by, as data: no expression, only words, so that a row can be added by someone who reads
 * shows and not code. A word is compared without case and accents and with any separator between its parts, so
 * `prêt-à-porter` also stands for `PRET A PORTER` and `pret_a_porter`; it counts only as whole words (`womenswear` does not
 * hold `menswear`), except in Chinese, where it counts wherever it stands and the longest word at a place wins.
 */
export interface CategoryPattern {
  readonly category: Category;
  readonly lang: string;
  readonly words: readonly string[];
  /** A men and a women marker in one text make a co-ed show. */
  readonly marks?: 'men' | 'women';
}

/**
 * Rank is order: of two categories in one text, the upper row wins. So street style outranks everything ("street style
 * outside the fall 2026 menswear shows"), couture outranks men and women, and co-ed stands above the two it is made of.
 */
export const CATEGORY_PATTERNS: readonly CategoryPattern[] = [
  {
    category: STREET_STYLE,
    lang: 'en, it',
    words: ['street style', 'street styles', 'streetstyle', 'street snap', 'street snaps'],
  },
  { category: STREET_STYLE, lang: 'zh', words: ['街拍'] },
  { category: STREET_STYLE, lang: 'fr', words: ['style de rue', 'looks de rue'] },

  { category: BRIDAL, lang: 'en', words: ['bridal'] },
  { category: BRIDAL, lang: 'zh', words: ['婚纱', '婚紗'] },
  { category: BRIDAL, lang: 'fr, it', words: ['mariée', 'robes de mariée', 'sposa'] },

  { category: COUTURE, lang: 'en, fr', words: ['haute couture', 'couture'] },
  {
    category: COUTURE,
    lang: 'zh',
    words: ['高级定制', '高級訂製', '高级订制', '高級定製', '高級定制', '高定', '高订', '高訂'],
  },
  { category: COUTURE, lang: 'it', words: ['alta moda', 'alta sartoria'] },

  { category: COED, lang: 'en, zh', words: ['co-ed', 'coed', '男女', '男女同场', '男女同場'] },

  { category: MENSWEAR, lang: 'en', marks: 'men', words: ['menswear', "men's", 'men', 'mens', "men's wear"] },
  { category: MENSWEAR, lang: 'zh', marks: 'men', words: ['男装', '男裝'] },
  {
    category: MENSWEAR,
    lang: 'fr',
    marks: 'men',
    words: ['homme', 'hommes', 'masculin', 'masculine', 'mode masculine'],
  },
  { category: MENSWEAR, lang: 'it', marks: 'men', words: ['uomo', 'moda uomo', 'maschile'] },

  { category: RTW, lang: 'en', words: ['ready-to-wear', 'readytowear', 'RTW'] },
  { category: RTW, lang: 'en', marks: 'women', words: ['womenswear', "women's", 'women', 'womens', "women's wear"] },
  { category: RTW, lang: 'fr, it', words: ['prêt-à-porter'] },
  { category: RTW, lang: 'zh', words: ['高级成衣', '高級成衣', '成衣'] },
  { category: RTW, lang: 'zh', marks: 'women', words: ['女装', '女裝'] },
  // `feminine` alone is an English adjective; beside "men's" it would make a co-ed show of "a feminine take on men's".
  {
    category: RTW,
    lang: 'fr, it',
    marks: 'women',
    words: ['femme', 'femmes', 'féminin', 'mode féminine', 'donna', 'moda donna', 'femminile'],
  },
];

export interface TermPattern {
  readonly term: Term;
  readonly lang: string;
  readonly words: readonly string[];
  /** Counts only with a number of two or four digits beside it (`beside`), or with two digits written on to it (`glued`). */
  readonly digits?: 'beside' | 'glued';
  /** Counts only where this Chinese word comes at most four characters later. */
  readonly before?: string;
}

export const TERM_PATTERNS: readonly TermPattern[] = [
  { term: 'pre_fall', lang: 'en', words: ['pre-fall', 'prefall', 'pre-autumn'] },
  { term: 'pre_fall', lang: 'zh', words: ['早秋', '手工坊'] },
  { term: 'pre_fall', lang: 'fr, it', words: ['pré-automne', 'pre-autunno', "métiers d'art", 'métiers dart'] },

  { term: 'resort', lang: 'en', words: ['resort', 'cruise', 'pre-spring', 'prespring'] },
  { term: 'resort', lang: 'zh', words: ['早春'] },
  { term: 'resort', lang: 'zh', words: ['度假'], before: '系列' },
  { term: 'resort', lang: 'fr, it', words: ['croisière', 'crociera', 'pré-printemps', 'pre-primavera'] },

  { term: 'spring', lang: 'en', words: ['spring', 'summer', 'S/S'] },
  { term: 'spring', lang: 'en', words: ['SS'], digits: 'beside' },
  { term: 'spring', lang: 'zh', words: ['春夏', '春季'] },
  { term: 'spring', lang: 'fr, it', words: ['printemps', 'été', 'primavera', 'estate'] },
  { term: 'spring', lang: 'fr, it', words: ['PE', 'P/E'], digits: 'beside' },

  { term: 'fall', lang: 'en', words: ['fall', 'autumn', 'winter', 'F/W', 'FW', 'A/W', 'AW'] },
  { term: 'fall', lang: 'zh', words: ['秋冬', '秋季'] },
  { term: 'fall', lang: 'fr, it', words: ['automne', 'hiver', 'autunno', 'inverno'] },
  { term: 'fall', lang: 'fr, it', words: ['A/H', 'A/I'], digits: 'beside' },
  { term: 'fall', lang: 'fr, it', words: ['AH', 'AI'], digits: 'glued' },
];

/**
 * Names that hold such a word and turn up in texts about others: a venue, a house, a guest. They are taken out like the
 * brand's own names. Only names that were met or are certain to come belong here.
 */
export const OTHER_NAMES: readonly string[] = [
  'Spring Studios',
  'Spring Place',
  'London College of Fashion',
  'Donna Karan',
  "L'Oréal Paris",
  'Paris Hilton',
  'Paris Jackson',
  'Sydney Sweeney',
  'Florence Pugh',
  '巴黎世家',
  '巴黎欧莱雅',
  '欧莱雅巴黎',
];

/** After "Spring 24" these make the number a count and no year. */
export const COUNTED_THINGS: readonly string[] =
  'looks look photos pictures images trends shows designers brands hours days best most of'.split(' ');
