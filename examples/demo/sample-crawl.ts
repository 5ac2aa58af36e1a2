/** A picture as a crawler sends it. */
export interface SentPicture {
  url: string;
  caption?: string;
  kind?: string;
}

/** An intake body. */
export interface Message {
  type: 'runway.show' | 'street.gallery';
  timestamp: string;
  data: Record<string, unknown> & { images: SentPicture[] };
}

/** A show of the sample crawl: what its page says, and how the archive has to read that. */
export interface SampleShow {
  /** Undefined for street style. */
  brand: string | undefined;
  /** What this crawler calls the brand, when that is not its name. */
  sentAs?: string;
  /** Folder of its pictures on the origin, and its id on the crawled site. */
  folder: string;
  /** The page's own words. */
  season?: string;
  title: string;
  /** Further fields of `data`. */
  more?: Record<string, unknown>;
  looks: number;
  /** Captions of the covers of other shows, which the page has beside this one. */
  covers?: string[];
  /** The archive's reading, as the update records show it. */
  reads: string;
}

/** Invented, each with a trap that real names have: accents, brackets, digits, Chinese, a market or a category in a name. */
export const BRANDS = [
  { name: 'Maison Éclair', aliases: ['Eclair Paris'] },
  { name: '(SUB)TEXTILE' },
  { name: 'Yunxiu Studio', name_zh: '云岫', aliases: ['云岫工作室'] },
  { name: 'Łucja Wrzos' },
  { name: 'Nørgaard & Lyng', slug: 'norgaard-lyng' },
  { name: '88%WOOL-' },
  { name: 'Tokyo Marlowe' },
  { name: 'Marble Couture' },
  { name: 'Casa Bellaluna' },
];

/** Season strings as fashion sites of several languages write them. All the pictures are the origin's. */
export const SHOWS = {
  crawledTwice: {
    brand: 'Maison Éclair',
    folder: 'maison-eclair-fall-2026',
    season: 'Fall 2026 Ready-to-Wear',
    title: 'Maison Éclair Fall 2026 Ready-to-Wear, Paris',
    looks: 8,
    covers: ['Fall 2026 Ready-to-Wear', 'Spring 2026 Ready-to-Wear', 'Resort 2026'],
    reads: '2026 秋冬 · 高级成衣 · 巴黎',
  },
  french: {
    brand: 'Maison Éclair',
    sentAs: 'Eclair Paris',
    folder: 'maison-eclair-couture-ete-2026',
    season: 'Haute Couture Printemps-Été 2026',
    title: 'Maison Éclair : le défilé Haute Couture Printemps-Été 2026',
    looks: 6,
    reads: '2026 春夏 · 高级定制',
  },
  guessed: {
    brand: '(SUB)TEXTILE',
    folder: 'subtextile-spring-2026',
    season: 'Copenhagen Spring 2026',
    title: '(SUB)TEXTILE Copenhagen Spring 2026',
    looks: 5,
    reads: '2026 春夏 · 高级成衣 · 哥本哈根',
  },
  chinese: {
    brand: 'Yunxiu Studio',
    sentAs: '云岫',
    folder: 'yunxiu-2026-fall',
    season: '2026秋冬上海时装周',
    title: '云岫 2026秋冬高级成衣系列',
    looks: 6,
    reads: '2026 秋冬 · 高级成衣 · 上海',
  },
  chineseCouture: {
    brand: 'Yunxiu Studio',
    folder: 'yunxiu-2026-haute',
    season: '2026春夏高级定制',
    title: '云岫工作室 2026春夏高级定制系列',
    looks: 5,
    reads: '2026 春夏 · 高级定制',
  },
  shakyHost: {
    brand: 'Łucja Wrzos',
    folder: 'lucja-wrzos-pre-fall-2026',
    season: 'Pre-Fall 2026',
    title: 'Łucja Wrzos Pre-Fall 2026 Ready-to-Wear',
    looks: 5,
    reads: '2026 早秋 · 高级成衣',
  },
  brokenHost: {
    brand: 'Nørgaard & Lyng',
    folder: 'norgaard-lyng-menswear-fall-2026',
    season: 'Fall 2026 Menswear',
    title: 'Nørgaard & Lyng Fall 2026 Menswear',
    looks: 5,
    reads: '2026 秋冬 · 男装',
  },
  mendedHost: {
    brand: 'Nørgaard & Lyng',
    sentAs: 'norgaard-lyng',
    folder: 'norgaard-lyng-coed-spring-2027',
    season: 'Spring/Summer 2027 Co-ed',
    title: 'Nørgaard & Lyng S/S 2027 Co-ed, Copenhagen',
    looks: 4,
    reads: '2027 春夏 · 男女同场 · 哥本哈根',
  },
  partial: {
    brand: 'Tokyo Marlowe',
    folder: 'tokyo-marlowe-uomo-2026',
    season: 'Primavera/Estate 2026 Uomo',
    title: 'Tokyo Marlowe, Milano Moda Uomo Primavera/Estate 2026',
    looks: 6,
    more: { expected_images: 6 },
    reads: '2026 春夏 · 男装 · 米兰',
  },
  deleted: {
    brand: '88%WOOL-',
    folder: '88-wool-automne-2026',
    season: 'Automne-Hiver 2026 – Prêt-à-porter',
    title: '88%WOOL- : collection Automne-Hiver 2026',
    looks: 4,
    reads: '2026 秋冬 · 高级成衣',
  },
  rejected: {
    brand: 'Casa Bellaluna',
    folder: 'casa-bellaluna-alta-moda-2026',
    season: 'Alta Moda Autunno/Inverno 2026',
    title: 'Casa Bellaluna Alta Moda Autunno/Inverno 2026',
    looks: 4,
    reads: '2026 秋冬 · 高级定制',
  },
  cruise: {
    brand: 'Casa Bellaluna',
    folder: 'casa-bellaluna-crociera-2027',
    season: 'Crociera 2027',
    title: 'Casa Bellaluna, la collezione Crociera 2027 donna',
    looks: 4,
    reads: '2027 早春 · 高级成衣',
  },
  nameTrap: {
    brand: 'Marble Couture',
    folder: 'marble-rtw-spring-2026',
    season: 'Spring 2026 Ready-to-Wear',
    title: 'Marble Couture Spring 2026 Ready-to-Wear, New York',
    looks: 6,
    reads: '2026 春夏 · 高级成衣 · 纽约',
  },
  bridal: {
    brand: 'Marble Couture',
    sentAs: 'marble couture',
    folder: 'marble-bridal-spring-2027',
    season: 'Bridal Spring 2027',
    title: 'Marble Couture Bridal Spring 2027',
    looks: 4,
    reads: '2027 春夏 · 婚纱',
  },
  street: {
    brand: undefined,
    folder: 'street-paris-day-3',
    season: 'Fall 2026',
    title: 'Street Style: Paris Fashion Week Fall 2026, Day 3',
    looks: 6,
    more: { market: 'Paris', audience: 'women', day: 3, photographer: 'Noor Ambrose' },
    reads: '2026 秋冬 · 街拍 · 巴黎',
  },
} satisfies Record<string, SampleShow>;

// What picture servers send; a gallery is a mixture.
const EXTENSIONS = ['jpg', 'webp', 'jpg', 'png'];

/** A picture's place on the origin. @param look from 1 */
export function lookPath(show: SampleShow, look: number): string {
  return `/${show.folder}/look-${look}.${EXTENSIONS[look % EXTENSIONS.length] ?? 'jpg'}`;
}

/**
 * The intake body that a crawler would post for a show.
 * @param pictureUrl the address of a path on the origin
 */
export function messageOf(show: SampleShow, pictureUrl: (path: string) => string): Message {
  const { brand, sentAs = brand, season, title, folder, more, looks, covers = [] } = show;
  const street = brand === undefined;
  const images = Array.from({ length: looks }, (_, index): SentPicture => {
    const url = pictureUrl(lookPath(show, index + 1));
    return street ? { url, kind: 'look' } : { url, caption: `Look ${index + 1}` };
  });
  const others = covers.map((caption, index): SentPicture => {
    return { url: pictureUrl(`/covers/${folder}-${index + 1}.jpg`), caption };
  });
  return {
    type: street ? 'street.gallery' : 'runway.show',
    timestamp: new Date().toISOString(),
    data: {
      ...(street ? {} : { brand: sentAs }),
      ...(season === undefined ? {} : { season }),
      title,
      source: { site: 'runway.example', external_id: folder, url: `https://runway.example/galleries/${folder}` },
      images: [...images, ...others],
      ...more,
    },
  };
}
