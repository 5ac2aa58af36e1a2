/** A piece of a prepared text. `break` stands where something was taken out, so that no phrase is read across the hole. */
export interface Token {
  readonly kind: 'word' | 'number' | 'cjk' | 'break';
  /** Lower case, no accents. A run of Chinese, Japanese or Korean characters is one token. */
  readonly text: string;
  /** What stood between it and the token before. */
  readonly gap: string;
}

export const BREAK: Token = { kind: 'break', text: '', gap: '' };

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';

const STARTS_CJK = new RegExp(`^[${CJK}]`, 'u');

// S/S, F/W, P/E and their kin are one word; any other slash separates.
const TOKEN = new RegExp(`(?<!\\p{L})[spfa]/[sweih](?!\\p{L})|[0-9]+|[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{M}])+`, 'gu');

// Bounded: an opening mark without its end must not make the search walk to the end of the text each time.
const QUOTED = /"[^"]{1,80}"|«[^»]{1,80}»|「[^」]{1,80}」|『[^』]{1,80}』|《[^》]{1,80}》|〈[^〉]{1,80}〉/gu;

/**
 * NFKC, lower case, no Latin accents, straight quotes, plain hyphens, single spaces. Only the marks U+0300–036F go: those
 * of other scripts (a Japanese dakuten) change the letter.
 */
export function prepare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u00ad\u200c\u200d]/gu, '')
    .normalize('NFC')
    .replace(/[‘’‚‛′]/gu, "'")
    .replace(/[“”„‟]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/\s+/gu, ' ');
}

export function tokenize(text: string): Token[] {
  const prepared = prepare(text);
  const tokens: Token[] = [];
  let end = 0;
  for (const match of prepared.matchAll(TOKEN)) {
    const found = match[0];
    tokens.push({ kind: kindOf(found), text: found, gap: prepared.slice(end, match.index) });
    end = match.index + found.length;
  }
  return tokens;
}

/**
 * What is said, and what is only quoted in it. A collection's theme stands in quotation marks and often names a city or
 * a season that is not its own (“巴黎大都会”). A text that is quoted as a whole quotes nothing.
 */
export function tokenizeApart(text: string): { said: Token[]; quoted: Token[] } {
  const prepared = prepare(text);
  const said = join(prepared.split(QUOTED).map(tokenize));
  if (said.every((token) => token.kind === 'break')) return { said: tokenize(prepared), quoted: [] };
  return { said, quoted: join((prepared.match(QUOTED) ?? []).map(tokenize)) };
}

function join(groups: readonly Token[][]): Token[] {
  return groups.flatMap((group, index) => (index === 0 ? group : [BREAK, ...group]));
}

function kindOf(text: string): Token['kind'] {
  if (/^[0-9]/u.test(text)) return 'number';
  return STARTS_CJK.test(text) ? 'cjk' : 'word';
}
