import { addressBlock } from './address-block.js';

const WINDOW_SECONDS = 60;
const MAX_ADDRESSES = 10_000;

interface Window {
  startedAt: number;
  count: number;
}

/**
 * Counts refused signatures per address and minute, in this process only. Not for fairness but for cost: whoever guesses
 * secrets makes us compute a MAC for each guess.
 */
export class UnauthorizedLimit {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxPerWindow: number) {}

  /** Seconds until the address may try again; 0 when it may now. */
  waitOf(address: string, nowSeconds: number): number {
    const window = this.windows.get(addressBlock(address));
    if (window === undefined || window.count < this.maxPerWindow) return 0;
    return Math.max(0, window.startedAt + WINDOW_SECONDS - nowSeconds);
  }

  count(address: string, nowSeconds: number): void {
    const block = addressBlock(address);
    const window = this.windows.get(block);
    if (window !== undefined && nowSeconds < window.startedAt + WINDOW_SECONDS) {
      window.count++;
      return;
    }
    this.windows.delete(block);
    this.windows.set(block, { startedAt: nowSeconds, count: 1 });
    // The map keeps the order of insertion, so its first is the oldest window.
    const oldest = this.windows.keys().next().value;
    if (this.windows.size > MAX_ADDRESSES && oldest !== undefined) this.windows.delete(oldest);
  }
}
