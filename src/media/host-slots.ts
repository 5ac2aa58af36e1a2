import PQueue from 'p-queue';

/** Lets only so many requests at a time go to one host from this process; hosts do not wait for each other. */
export class HostSlots {
  private readonly queues = new Map<string, PQueue>();

  constructor(private readonly perHost: number) {}

  /** Rejects with the signal's reason as soon as it aborts, in the queue or at work. */
  async run<T>(host: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const queue = this.queues.get(host) ?? new PQueue({ concurrency: this.perHost });
    this.queues.set(host, queue);
    try {
      return await queue.add(work, { signal });
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.queues.delete(host);
    }
  }
}
