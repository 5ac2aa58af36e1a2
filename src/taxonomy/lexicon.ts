import { BREAK, tokenize, type Token } from './tokens.js';

export interface Hit<T> {
  readonly value: T;
  /** The tokens it covers, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Inside a CJK run: the characters it covers. Otherwise the whole of the token. */
  readonly start: number;
  readonly end: number;
}

interface Phrase<T> {
  readonly parts: readonly string[];
  readonly value: T;
}

/**
 * A list of words and phrases, and where they stand in a text. Looked up by first word (in CJK runs by first character),
 * so that the time is that of the text's length, whatever it holds; a list of expressions would have to be proven so.
 */
export class Lexicon<T> {
  private readonly byWord = new Map<string, Phrase<T>[]>();
  private readonly byCharacter = new Map<string, { text: string; value: T }[]>();

  constructor(entries: Iterable<readonly [string, T]>) {
    for (const [text, value] of entries) this.add(tokenize(text), value);
    for (const list of this.byWord.values()) list.sort((a, b) => b.parts.length - a.parts.length);
    for (const list of this.byCharacter.values()) list.sort((a, b) => b.text.length - a.text.length);
  }

  /** Every hit from left to right, the longest at each place; hits do not overlap. */
  find(tokens: readonly Token[]): Hit<T>[] {
    const hits: Hit<T>[] = [];
    for (let at = 0; at < tokens.length;) {
      const token = tokens[at]!;
      const phrase = this.byWord
        .get(token.text)
        ?.find(({ parts }) => parts.every((part, offset) => tokens[at + offset]?.text === part));
      if (phrase) {
        const to = at + phrase.parts.length;
        hits.push({ value: phrase.value, from: at, to, start: 0, end: token.text.length });
        at = to;
        continue;
      }
      if (token.kind === 'cjk') this.findInRun(token.text, at, hits);
      at += 1;
    }
    return hits;
  }

  /** The one thing that the whole text says, or undefined: "Fall/Winter" is fall, "Fall and Spring" is nothing. */
  whole(text: string): T | undefined {
    const tokens = tokenize(text);
    const hits = this.find(tokens);
    const first = hits[0];
    if (!first || hits.some(({ value }) => value !== first.value)) return undefined;
    return coversAll(tokens, hits) ? first.value : undefined;
  }

  /** The text without what it lists, a break in each place. */
  takeOut(tokens: readonly Token[]): Token[] {
    const rest: Token[] = [];
    let at = 0;
    let from = 0;
    const copyUpTo = (index: number, character: number): void => {
      for (; at < index; at += 1, from = 0) rest.push(cut(tokens[at]!, from));
      if (character > from) rest.push(cut(tokens[at]!, from, character));
    };
    for (const hit of this.find(tokens)) {
      copyUpTo(hit.from, hit.start);
      rest.push(BREAK);
      const last = tokens[hit.to - 1]!;
      const isPartOfRun = hit.to === hit.from + 1 && hit.end < last.text.length;
      at = isPartOfRun ? hit.from : hit.to;
      from = isPartOfRun ? hit.end : 0;
    }
    copyUpTo(tokens.length, 0);
    return rest;
  }

  private add(tokens: readonly Token[], value: T): void {
    const first = tokens[0];
    if (!first) return;
    // One character alone would be found in the middle of other words, so it has to be the whole run.
    if (tokens.length === 1 && first.kind === 'cjk' && first.text.length > 1) {
      push(this.byCharacter, first.text.charAt(0), { text: first.text, value });
    } else {
      push(this.byWord, first.text, { parts: tokens.map(({ text }) => text), value });
    }
  }

  private findInRun(run: string, at: number, hits: Hit<T>[]): void {
    for (let start = 0; start < run.length;) {
      const word = this.byCharacter.get(run.charAt(start))?.find(({ text }) => run.startsWith(text, start));
      if (word) hits.push({ value: word.value, from: at, to: at + 1, start, end: start + word.text.length });
      start += word ? word.text.length : 1;
    }
  }
}

/** Whether nothing of the text is left beside the hits. */
export function coversAll(tokens: readonly Token[], hits: readonly Hit<unknown>[]): boolean {
  const covered = new Array<number>(tokens.length).fill(0);
  for (const hit of hits) {
    for (let at = hit.from; at < hit.to; at += 1) {
      covered[at]! += hit.to - hit.from > 1 ? tokens[at]!.text.length : hit.end - hit.start;
    }
  }
  return tokens.every((token, at) => covered[at]! >= token.text.length);
}

function cut(token: Token, from: number, to: number = token.text.length): Token {
  if (from === 0 && to === token.text.length) return token;
  return { kind: token.kind, text: token.text.slice(from, to), gap: from === 0 ? token.gap : '' };
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
