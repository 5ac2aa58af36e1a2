import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AppError } from '../lib/app-error.js';
import { IntakeType, type IntakeTypeHandler, type IntakeTypeOptions } from '../platform/intake/intake-type.js';

export interface KnownIntakeType extends IntakeTypeOptions {
  handler: IntakeTypeHandler;
}

/** Every `@IntakeType` of the application, by the type it owns. */
@Injectable()
export class IntakeTypes implements OnModuleInit {
  private readonly types = new Map<string, KnownIntakeType & { owner: string }>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error, so that the process does not start, when two own one type or an owner is none */
  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders({ metadataKey: IntakeType.KEY })) {
      const options = this.discovery.getMetadataByDecorator(IntakeType, wrapper);
      const handler = wrapper.instance as Partial<IntakeTypeHandler> | undefined;
      if (options === undefined || handler === undefined) continue;
      const owner = String(wrapper.name);
      for (const method of ['normalise', 'brandOf', 'describe'] as const) {
        if (typeof handler[method] !== 'function') {
          throw new Error(`${owner} says @IntakeType({ type: '${options.type}' }) and has no method ${method}()`);
        }
      }
      const other = this.types.get(options.type);
      if (other !== undefined && other.handler !== handler) {
        throw new Error(
          `${other.owner} and ${owner} both say @IntakeType({ type: '${options.type}' }). A type has one owner.`,
        );
      }
      this.types.set(options.type, { ...options, handler: handler as IntakeTypeHandler, owner });
    }
  }

  /** @throws AppError 422 `type-unknown`, `type-not-here` */
  find(type: string, path: string): KnownIntakeType {
    const found = this.types.get(type);
    if (found === undefined) {
      const here = [...this.types.values()].filter((known) => known.path === path).map((known) => known.type);
      throw new AppError(
        'type-unknown',
        `There is no message type "${type.slice(0, 100)}". Known here: ${here.join(', ')}.`,
        {
          status: 422,
          errors: [{ pointer: '/type', detail: 'is not a known type' }],
        },
      );
    }
    if (found.path !== path) {
      throw new AppError('type-not-here', `Messages of type "${type}" go to ${found.path} and not to ${path}.`, {
        status: 422,
        errors: [{ pointer: '/type', detail: `belongs to ${found.path}` }],
      });
    }
    return found;
  }
}
