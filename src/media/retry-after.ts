const DEFAULT_SECONDS = 60;
const LONGEST_SECONDS = 3600;

/**
 * How long a `Retry-After` header (RFC 9110 §10.2.3: seconds, or an HTTP date) asks to be left alone, 0 to 3600 s. What
 * cannot be read, or is not there, is a minute: a host that says no must never be asked faster.
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsUntil(text, now);
  return Math.min(LONGEST_SECONDS, Number.isNaN(seconds) ? DEFAULT_SECONDS : Math.max(0, seconds));
}

function secondsUntil(date: string, now: Date): number {
  // Date.parse takes nearly anything with a digit in it; an HTTP date begins with the day's name.
  return /^[A-Z][a-z]+,? /.test(date) ? Math.ceil((Date.parse(date) - now.getTime()) / 1000) : Number.NaN;
}
