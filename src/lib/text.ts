// PostgreSQL's text cannot hold NUL, and a lone surrogate has no UTF-8: either makes an INSERT fail long after the fact.
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Whether the text holds NUL or a lone surrogate, which no column can store. */
export function hasUnstorable(text: string): boolean {
  return text.search(UNSTORABLE) >= 0;
}

/**
 * Makes any text storable and short enough to be read: NUL and lone surrogates become U+FFFD, and what is longer than
 * `limit` UTF-16 units is cut, never inside a pair, with an ellipsis.
 */
export function storable(text: string, limit = 4000): string {
  const clean = text.replace(UNSTORABLE, '\uFFFD');
  if (clean.length <= limit) return clean;
  const cut = clean.slice(0, limit - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** What an unknown thrown value says, as text that can be stored. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return storable(error.errors.map(messageOf).join('; '));
  return storable(error instanceof Error ? error.message || error.name : textOf(error));
}

/** An object without a prototype has no text, and String() throws: the report of an error must not be one itself. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
