interface Waiting<I, O> {
  item: I;
  resolve: (value: O) => void;
  reject: (reason: unknown) => void;
}

/**
 * Collects what arrives while the last batch is being written and writes it together: one commit for many. The first
 * item of a quiet time goes at once, so nobody waits for company.
 * `write` returns one result per item, in order; a result that is an Error rejects that item alone. When `write` itself
 * throws, the whole batch is rejected: it is for `write` to try items alone where that helps.
 */
export class Batcher<I, O> {
  private queue: Waiting<I, O>[] = [];
  private running = 0;

  constructor(
    private readonly write: (items: I[]) => Promise<(O | Error)[]>,
    private readonly options: { maxItems: number; concurrency: number },
  ) {}

  add(item: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      // Deferred by one turn, so that what one network read brought in shares the first batch.
      setImmediate(() => this.flush());
    });
  }

  get waiting(): number {
    return this.queue.length;
  }

  private flush(): void {
    while (this.queue.length > 0 && this.running < this.options.concurrency) {
      const batch = this.queue.splice(0, this.options.maxItems);
      this.running++;
      void this.writeBatch(batch).finally(() => {
        this.running--;
        this.flush();
      });
    }
  }

  private async writeBatch(batch: Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.write(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, index) => {
        const result = results[index];
        if (result instanceof Error) waiting.reject(result);
        else waiting.resolve(result as O);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}
