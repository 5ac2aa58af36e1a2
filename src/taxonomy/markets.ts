export interface MarketRow {
  /** Kebab-case; stored, part of a show's natural key: never renamed. */
  readonly code: string;
  readonly kind: 'city' | 'country';
  readonly zh: string;
  readonly en: string;
  /** Other spellings and languages; code and labels are known by themselves. Case, accents and hyphens do not matter. */
  readonly aliases: readonly string[];
}

/**
 * Where collections are shown. A country is never folded into its capital, nor the other way: `mexico` and `mexico-city`,
 * `ukraine` and `kyiv` are different shows in the sources.
 *
 * Left out on purpose: countries that a text names for other reasons than a fashion week (France, Italy, the United
 * Kingdom, the United States: "made in Italy"), those that are first names (Georgia, Jordan), `LFW` (London, Lagos or
 * Lakmé) and the Italian `Seul`, which is a French word.
 */
export const MARKETS: readonly MarketRow[] = [
  city('paris', '巴黎', 'Paris', 'Parigi', 'PFW'),
  city('milan', '米兰', 'Milan', 'Milano', '米蘭'),
  city('london', '伦敦', 'London', 'Londres', 'Londra', '倫敦'),
  city('new-york', '纽约', 'New York', 'New York City', 'NYC', 'NYFW', 'Nueva York', '紐約'),
  city('tokyo', '东京', 'Tokyo', 'Tokio', '東京'),
  city('copenhagen', '哥本哈根', 'Copenhagen', 'Copenhague', 'Copenaghen', 'København', 'CPHFW'),
  city('berlin', '柏林', 'Berlin', 'Berlino'),
  city('lagos', '拉各斯', 'Lagos'),
  city('madrid', '马德里', 'Madrid', '馬德里'),
  city('barcelona', '巴塞罗那', 'Barcelona', 'Barcelone', 'Barcellona', '巴塞隆納'),
  city('seoul', '首尔', 'Seoul', '首爾', '汉城'),
  city('shanghai', '上海', 'Shanghai'),
  city('beijing', '北京', 'Beijing', 'Peking', 'Pékin', 'Pechino'),
  city('shenzhen', '深圳', 'Shenzhen'),
  city('guangzhou', '广州', 'Guangzhou', '廣州'),
  city('hangzhou', '杭州', 'Hangzhou'),
  city('chengdu', '成都', 'Chengdu'),
  city('hong-kong', '香港', 'Hong Kong', 'HongKong'),
  city('taipei', '台北', 'Taipei', '臺北'),
  city('kyoto', '京都', 'Kyoto'),
  city('kyiv', '基辅', 'Kyiv', 'Kiev', 'Kiew', '基輔'),
  city('tbilisi', '第比利斯', 'Tbilisi', 'Tiflis'),
  city('moscow', '莫斯科', 'Moscow', 'Moscou', 'Mosca', 'Moskva'),
  city(
    'st-petersburg',
    '圣彼得堡',
    'St. Petersburg',
    'Saint Petersburg',
    'Saint-Pétersbourg',
    'San Pietroburgo',
    '聖彼得堡',
  ),
  city('sao-paulo', '圣保罗', 'São Paulo', 'Sao Paolo', 'San Paolo', 'SPFW', '聖保羅'),
  city('rio', '里约热内卢', 'Rio de Janeiro', '里约', '里約', '里約熱內盧'),
  city('buenos-aires', '布宜诺斯艾利斯', 'Buenos Aires'),
  city('bogota', '波哥大', 'Bogotá'),
  city('stockholm', '斯德哥尔摩', 'Stockholm', 'Stoccolma', '斯德哥爾摩'),
  city('oslo', '奥斯陆', 'Oslo', '奧斯陸'),
  city('helsinki', '赫尔辛基', 'Helsinki', '赫爾辛基'),
  city('reykjavik', '雷克雅未克', 'Reykjavík'),
  city('istanbul', '伊斯坦布尔', 'Istanbul', '伊斯坦堡'),
  city('dubai', '迪拜', 'Dubai', 'Dubaï', '杜拜'),
  city('riyadh', '利雅得', 'Riyadh', 'Riyad'),
  city('doha', '多哈', 'Doha'),
  city('beirut', '贝鲁特', 'Beirut', 'Beyrouth', '貝魯特'),
  city('tel-aviv', '特拉维夫', 'Tel Aviv', '特拉維夫'),
  city('mumbai', '孟买', 'Mumbai', 'Bombay', '孟買'),
  city('delhi', '德里', 'Delhi', 'New Delhi', '新德里'),
  city('jakarta', '雅加达', 'Jakarta', '雅加達'),
  city('singapore', '新加坡', 'Singapore', 'Singapour'),
  city('bangkok', '曼谷', 'Bangkok'),
  city('manila', '马尼拉', 'Manila', '馬尼拉'),
  city('sydney', '悉尼', 'Sydney', '雪梨'),
  city('melbourne', '墨尔本', 'Melbourne', '墨爾本'),
  city('mexico-city', '墨西哥城', 'Mexico City', 'Ciudad de México', 'Città del Messico', 'CDMX'),
  city('los-angeles', '洛杉矶', 'Los Angeles', '洛杉磯'),
  city('miami', '迈阿密', 'Miami', '邁阿密'),
  city('florence', '佛罗伦萨', 'Florence', 'Firenze', '佛羅倫斯'),
  city('rome', '罗马', 'Rome', 'Roma', '羅馬'),
  city('venice', '威尼斯', 'Venice', 'Venise', 'Venezia'),
  city('monte-carlo', '蒙特卡洛', 'Monte-Carlo', 'Monaco', '摩纳哥'),
  city('lisbon', '里斯本', 'Lisbon', 'Lisbonne', 'Lisbona', 'Lisboa'),
  city('porto', '波尔图', 'Porto'),
  city('antwerp', '安特卫普', 'Antwerp', 'Anvers', 'Anversa', 'Antwerpen'),
  city('amsterdam', '阿姆斯特丹', 'Amsterdam'),
  city('vienna', '维也纳', 'Vienna', 'Vienne', 'Wien', '維也納'),
  city('budapest', '布达佩斯', 'Budapest'),
  city('prague', '布拉格', 'Prague', 'Praga'),
  city('warsaw', '华沙', 'Warsaw', 'Varsovie', 'Varsavia', '華沙'),
  city('athens', '雅典', 'Athens', 'Athènes', 'Atene'),
  city('almaty', '阿拉木图', 'Almaty'),
  city('casablanca', '卡萨布兰卡', 'Casablanca'),
  city('marrakech', '马拉喀什', 'Marrakech', 'Marrakesh'),
  city('cairo', '开罗', 'Cairo', 'Le Caire', '開羅'),
  city('dakar', '达喀尔', 'Dakar'),
  city('accra', '阿克拉', 'Accra'),
  city('nairobi', '内罗毕', 'Nairobi'),
  city('johannesburg', '约翰内斯堡', 'Johannesburg'),
  city('cape-town', '开普敦', 'Cape Town', '開普敦'),

  country('australia', '澳大利亚', 'Australia', 'Australie', '澳洲', '澳大利亞'),
  country('spain', '西班牙', 'Spain', 'Espagne', 'Spagna', 'España'),
  country('portugal', '葡萄牙', 'Portugal', 'Portogallo'),
  country('mexico', '墨西哥', 'Mexico', 'México', 'Mexique', 'Messico'),
  country('russia', '俄罗斯', 'Russia', 'Russie', '俄羅斯'),
  country('ukraine', '乌克兰', 'Ukraine', 'Ucraina', '烏克蘭'),
  country('romania', '罗马尼亚', 'Romania', 'Roumanie', '羅馬尼亞'),
  country('india', '印度', 'India', 'Inde'),
  country('pakistan', '巴基斯坦', 'Pakistan'),
  country('indonesia', '印度尼西亚', 'Indonesia', 'Indonésie', '印尼', '印度尼西亞'),
  country('vietnam', '越南', 'Vietnam', 'Viet Nam'),
  country('china', '中国', 'China', 'Chine', 'Cina', '中國'),
  country('japan', '日本', 'Japan', 'Japon', 'Giappone'),
  country('brazil', '巴西', 'Brazil', 'Brasil', 'Brésil', 'Brasile'),
  country('colombia', '哥伦比亚', 'Colombia', 'Colombie', '哥倫比亞'),
  country('nigeria', '尼日利亚', 'Nigeria', 'Nigéria', '尼日利亞'),
  country('kenya', '肯尼亚', 'Kenya', '肯尼亞'),
  country('south-africa', '南非', 'South Africa', 'Afrique du Sud', 'Sudafrica'),
];

/** What sources write where a market is asked for and there is none. */
export const NO_MARKET: readonly string[] = ['none', 'all', 'null', 'n/a', '全部', '无'];

/** A magazine's edition is not where a show took place: "Vogue India", "Elle México". */
export const PUBLICATIONS: readonly string[] = ['vogue', 'elle', 'bazaar', 'officiel', 'gq', 'grazia', 'glamour'];

export function findMarket(code: string): MarketRow | undefined {
  return MARKETS.find((row) => row.code === code);
}

function city(code: string, zh: string, en: string, ...aliases: string[]): MarketRow {
  return { code, kind: 'city', zh, en, aliases };
}

function country(code: string, zh: string, en: string, ...aliases: string[]): MarketRow {
  return { code, kind: 'country', zh, en, aliases };
}
