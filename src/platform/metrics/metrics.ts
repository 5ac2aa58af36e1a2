import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** What the process counts, for whoever watches it. Rooms make their own counters here and only count. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  counter<L extends string>(name: string, help: string, labels: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  /** @param read asked each time that the metrics are read */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
