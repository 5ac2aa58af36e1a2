import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { JobHandler, type JobHandlerContract, type JobHandlerOptions } from './job-handler.js';

interface Registered {
  options: JobHandlerOptions;
  handler: JobHandlerContract;
}

/** Every `@JobHandler` of the application, found by Nest's own discovery: a module adds one by being imported. */
@Injectable()
export class HandlerRegistry implements OnModuleInit {
  private readonly byKind = new Map<string, Registered>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two providers handle one kind, naming both */
  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders({ metadataKey: JobHandler.KEY })) {
      const options = this.discovery.getMetadataByDecorator(JobHandler, wrapper);
      if (options === undefined) continue;
      const handler = wrapper.instance as JobHandlerContract;
      const other = this.byKind.get(options.kind)?.handler;
      if (other === handler) continue;
      if (other !== undefined) {
        throw new Error(
          `Two handlers for jobs of kind "${options.kind}": ${other.constructor.name} and ${handler.constructor.name}. ` +
            'Take @JobHandler off one of them, or give it a kind of its own.',
        );
      }
      this.byKind.set(options.kind, { options, handler });
    }
  }

  /** Kinds that this process can work on; others are left alone, whatever state they are in. */
  get kinds(): string[] {
    return [...this.byKind.keys()].sort();
  }

  handlerOf(kind: string): JobHandlerContract {
    return this.of(kind).handler;
  }

  /** @throws Error when a handler ends a job with an outcome that it did not declare */
  assertOutcome(kind: string, outcome: string): void {
    const { options, handler } = this.of(kind);
    if (options.outcomes.includes(outcome)) return;
    throw new Error(
      `${handler.constructor.name} ended a job as "${outcome}", which its @JobHandler does not list: add it to "outcomes".`,
    );
  }

  private of(kind: string): Registered {
    const found = this.byKind.get(kind);
    if (found === undefined) throw new Error(`No @JobHandler for jobs of kind "${kind}"`);
    return found;
  }
}
