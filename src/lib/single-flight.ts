/**
 * Wraps a function so that it never runs beside itself: a call that comes while one is under way gets that one's
 * promise. Timers overlap themselves when their work is slow; this is what stands between them and the work.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let underway: Promise<T> | undefined;
  return () => {
    underway ??= work().finally(() => {
      underway = undefined;
    });
    return underway;
  };
}
