/** The longest wait between two attempts, in seconds. */
const CAP_SECONDS = 600;

/**
 * Seconds to wait after the n-th attempt failed: 30, 60, 120 … and never more than 600. Exact, without jitter: an editor
 * who reads "next attempt in 60 s" can rely on it, and the claim's own spread keeps workers apart.
 * @param attempt number of the attempt that failed, from 1
 * @param baseSeconds wait after the first attempt
 */
export function retryBackoff(attempt: number, baseSeconds = 30): number {
  return Math.min(baseSeconds * 2 ** (Math.max(1, attempt) - 1), CAP_SECONDS);
}
