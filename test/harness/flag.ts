/** Something that a test waits for, or makes others wait for: set once, seen by everybody. */
export class Flag<T = void> {
  readonly raised: Promise<T>;
  raise!: (value: T) => void;

  constructor() {
    this.raised = new Promise<T>((resolve) => (this.raise = resolve));
  }
}

/** Resolves with the reason when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve(signal.reason);
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason as unknown), { once: true }),
  );
}
