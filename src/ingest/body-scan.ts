import { AppError, type FieldProblem } from '../lib/app-error.js';
import { storable } from '../lib/text.js';

/** How deep arrays and objects may stand in each other, and how many values one body may hold. */
export const MAX_DEPTH = 32;
export const MAX_VALUES = 20_000;

/** An array or object that the scan stands in. */
interface Level {
  /** Keys seen so far; undefined in an array. */
  keys: Set<string> | undefined;
  /** Key or index of the value under way. */
  at: string | number;
}

const NUL = 0x00;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const FOUR_HEX = /^[0-9a-f]{4}$/i;

/**
 * Goes once through JSON text, before it is parsed, and refuses what a parser takes and nothing behind it can hold. It
 * judges no grammar: of text that is no JSON at all it may say anything, and the parser has the last word on it. Own
 * code, since every parser has lost the duplicate keys and the digits by the time it could be asked.
 * @throws AppError `body-too-complex`, `body-forbidden-key`, `schema-invalid` with the place
 */
export function scanBody(text: string): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  let values = 0;

  const countValue = (): void => {
    if (++values > MAX_VALUES) throw tooComplex(`more than ${MAX_VALUES} values`);
  };

  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i);
    switch (code) {
      case SPACE:
      case TAB:
      case LINE_FEED:
      case RETURN:
      case COLON:
        i++;
        break;
      case COMMA:
        if (typeof level?.at === 'number') level.at++;
        i++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        countValue();
        if (levels.length >= MAX_DEPTH) throw tooComplex(`more than ${MAX_DEPTH} levels`);
        level = code === OPEN_BRACE ? { keys: new Set(), at: '' } : { keys: undefined, at: 0 };
        levels.push(level);
        i++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        levels.pop();
        level = levels.at(-1);
        i++;
        break;
      case QUOTE: {
        const end = endOfString(text, i);
        const quoted = text.slice(i, end);
        if (level?.keys !== undefined && isColonNext(text, end)) {
          level.at = takeKey(quoted, level.keys, levels.slice(0, -1));
        } else {
          countValue();
          assertStorable(quoted, levels);
        }
        i = end;
        break;
      }
      case NUL:
        throw unstorable('NUL', levels);
      default: {
        countValue();
        const end = endOfScalar(text, i);
        assertExact(text.slice(i, end), levels);
        i = end;
      }
    }
  }
}

function isColonNext(text: string, start: number): boolean {
  let i = start;
  while (isSpace(text.charCodeAt(i))) i++;
  return text.charCodeAt(i) === COLON;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB;
}

/** Index behind a number or a bare word: whatever stands there up to a sign that JSON gives a meaning. */
function endOfScalar(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) return i;
    if (code === COLON || code === QUOTE || code === OPEN_BRACE || code === OPEN_BRACKET || code === NUL) return i;
  }
  return text.length;
}

/** Index behind the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i + 1;
  }
  return text.length;
}

/** @param outer the levels around the object that the key stands in */
function takeKey(quoted: string, keys: Set<string>, outer: readonly Level[]): string {
  assertStorable(quoted, outer);
  // Two spellings of one key ("a", "\u0061") are one key to the parser.
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (keys.has(key)) {
    const problem = { pointer: pointerOf([...outer, { keys, at: key }]), detail: 'is there twice' };
    throw new AppError(
      'body-forbidden-key',
      `A key may stand once in an object, and ${problem.pointer} is there twice.`,
      {
        status: 422,
        errors: [problem],
      },
    );
  }
  keys.add(key);
  return key;
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

/**
 * Refuses NUL, written out or escaped, and escaped halves of surrogate pairs. Raw halves cannot be here: the text was
 * decoded from UTF-8, which has none.
 */
function assertStorable(quoted: string, levels: readonly Level[]): void {
  if (quoted.includes('\0')) throw unstorable('NUL', levels);
  let expectsLow = false;
  for (let i = quoted.indexOf('\\'); i >= 0; i = quoted.indexOf('\\', i)) {
    const isUnicode = quoted.charCodeAt(i + 1) === LETTER_U;
    const digits = isUnicode ? quoted.slice(i + 2, i + 6) : '';
    const unit = FOUR_HEX.test(digits) ? Number.parseInt(digits, 16) : -1;
    i += isUnicode ? 6 : 2;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (unit === 0) throw unstorable('NUL', levels);
    if (isLow !== expectsLow) throw unstorable('half of a surrogate pair', levels);
    expectsLow = unit >= 0xd800 && unit <= 0xdbff;
    if (expectsLow && quoted.charCodeAt(i) !== BACKSLASH) throw unstorable('half of a surrogate pair', levels);
  }
}

/** Refuses a number that would be another one after parsing: whole and beyond 2^53, or too great for a double. */
function assertExact(token: string, levels: readonly Level[]): void {
  // "Infinity" and "0x10" are numbers to Number and none to the parser.
  if (!/^-?\d/.test(token)) return;
  const value = Number(token);
  const isWrittenOut = !/[eE]/.test(token);
  if (Number.isNaN(value)) return;
  if (Number.isFinite(value) && !(isWrittenOut && Number.isInteger(value) && !Number.isSafeInteger(value))) return;
  throw badValue('is a number that cannot be kept exactly; send long numbers as strings', levels);
}

function unstorable(what: string, levels: readonly Level[]): AppError {
  return badValue(`holds ${what}, which cannot be stored`, levels);
}

function badValue(detail: string, levels: readonly Level[]): AppError {
  const problem: FieldProblem = { pointer: pointerOf(levels), detail };
  return new AppError('schema-invalid', `${problem.pointer || 'The body'} ${detail}.`, {
    status: 422,
    errors: [problem],
  });
}

function tooComplex(what: string): AppError {
  return new AppError(
    'body-too-complex',
    `The body has ${what}; ${MAX_DEPTH} levels and ${MAX_VALUES} values are allowed. Send one show a message.`,
    { status: 422 },
  );
}

/** JSON pointer (RFC 6901), cut where a hostile key would make it endless. */
function pointerOf(levels: readonly Level[]): string {
  return levels.map(({ at }) => `/${storable(String(at), 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
