export type PictureKind = 'look' | 'detail' | 'beauty' | 'backstage' | 'front_row' | 'atmosphere' | 'other';

export interface CaptionReading {
  kind: PictureKind;
  /** The look's label as people write it: `7`, `12A`. Null for a look without a number, and for whatever is no look. */
  look: string | null;
}

// In this order, since "Detail Look 3" and "前排造型" name a look in passing: the number there counts details or guests.
const KINDS: readonly (readonly [Exclude<PictureKind, 'look' | 'other'>, RegExp])[] = [
  ['detail', /\bdetails?\b|细节|細節|局部|特写|特寫/],
  ['beauty', /\b(?:beauty|make-?up|hair)\b|妆|妝|美容|发型|髮型/],
  ['backstage', /\bback-?\s?stage\b|\bbehind the scenes\b|后台|後台|後臺|幕后|幕後/],
  ['front_row', /\bfront-?\s?row\b|前排|头排|頭排/],
  ['atmosphere', /\b(?:atmosphere|ambian?ce|venue|set design)\b|氛围|氛圍|现场|現場|场景|場景/],
];

const LABEL = String.raw`0*(\d+)[-\s]?([a-z](?![a-z]))?`;
const ATTACHED_LABEL = String.raw`0*(\d+)([a-z](?![a-z]))?`;
const NUMBERED_LOOKS: readonly RegExp[] = [
  new RegExp(String.raw`\blook\s*(?:no\.?|nr\.?|number|#|:|-)?\s*${ATTACHED_LABEL}`),
  new RegExp(String.raw`(?:造型|套装|套裝)\s*(?:#|:|-)?\s*${ATTACHED_LABEL}`),
  new RegExp(String.raw`第?\s*${LABEL}\s*(?:套|号|號|个|個)?\s*(?:造型|look)`),
  new RegExp(String.raw`第\s*${LABEL}\s*(?:套|号|號)`),
];
const BARE_LOOK = /\blooks?\b|造型/;

/** What a picture shows, out of its caption in English or Chinese; the file's name is never asked, it lies. */
export function readCaption(caption: string): CaptionReading {
  const text = caption.normalize('NFKC').toLowerCase();
  const named = KINDS.find(([, pattern]) => pattern.test(text));
  if (named) return { kind: named[0], look: null };
  for (const pattern of NUMBERED_LOOKS) {
    const [, digits, letter = ''] = pattern.exec(text) ?? [];
    if (digits !== undefined) return { kind: 'look', look: digits + letter.toUpperCase() };
  }
  return { kind: BARE_LOOK.test(text) ? 'look' : 'other', look: null };
}
