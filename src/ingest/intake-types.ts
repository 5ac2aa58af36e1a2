import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService } from '@nestjs/core';
import { AppError } from '../lib/app-error.js';
import { IntakeQuery, type IntakeQueryHandler, type IntakeQueryOptions } from '../platform/intake/intake-query.js';
import { IntakeType, type IntakeTypeHandler, type IntakeTypeOptions } from '../platform/intake/intake-type.js';

export interface KnownIntakeType extends IntakeTypeOptions {
  handler: IntakeTypeHandler;
}

export interface KnownIntakeQuery extends IntakeQueryOptions {
  handler: IntakeQueryHandler;
}

/** Where messages go. */
export const MESSAGE_PATH = '/ingest';
/** Where questions are asked. */
export const QUESTION_PATHS = ['/ingest/status', '/ingest/known', '/ingest/brands'] as const;

type Owned<K> = K & { owner: string };

/** Every `@IntakeType` and `@IntakeQuery` of the application, by the type it owns. */
@Injectable()
export class IntakeTypes implements OnModuleInit {
  private readonly messages = new Map<string, Owned<KnownIntakeType>>();
  private readonly questions = new Map<string, Owned<KnownIntakeQuery>>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error, so that the process does not start, when two own one type, or an owner is none or has no door */
  onModuleInit(): void {
    for (const found of this.owners(IntakeType, 'IntakeType', ['normalise', 'brandOf', 'describe'])) {
      if (isQuestionPath(found.path))
        throw new Error(`${found.owner} wants messages at ${found.path}, which takes questions`);
      this.messages.set(found.type, found as Owned<KnownIntakeType>);
    }
    for (const found of this.owners(IntakeQuery, 'IntakeQuery', ['answer'])) {
      if (!isQuestionPath(found.path)) {
        throw new Error(
          `${found.owner} wants questions at ${found.path}. They are asked at ${QUESTION_PATHS.join(', ')}.`,
        );
      }
      this.questions.set(found.type, found as Owned<KnownIntakeQuery>);
    }
  }

  /** Everything that is taken at a path, in the order of its names. */
  at(path: string): { messages: KnownIntakeType[]; questions: KnownIntakeQuery[] } {
    return { messages: sortedAt(this.messages, path), questions: sortedAt(this.questions, path) };
  }

  /** Kinds of the jobs that messages become. */
  get kinds(): string[] {
    return [...new Set([...this.messages.values()].map(({ kind }) => kind))];
  }

  /** @throws AppError 422 `type-unknown`, `type-not-here` */
  message(type: string, path: string): KnownIntakeType {
    return this.find(this.messages, type, path);
  }

  /** @throws AppError 422 `type-unknown`, `type-not-here` */
  question(type: string, path: string): KnownIntakeQuery {
    return this.find(this.questions, type, path);
  }

  private find<K extends { path: string }>(own: ReadonlyMap<string, K>, type: string, path: string): K {
    const known = this.known(type);
    if (known === undefined) {
      const here = [...this.messages.values(), ...this.questions.values()].filter((other) => other.path === path);
      throw new AppError(
        'type-unknown',
        `There is no message type "${type.slice(0, 100)}". Known here: ${here.map((other) => other.type).join(', ')}.`,
        { status: 422, errors: [{ pointer: '/type', detail: 'is not a known type' }] },
      );
    }
    const found = own.get(type);
    if (found?.path === path) return found;
    throw new AppError('type-not-here', `Messages of type "${type}" go to ${known.path} and not to ${path}.`, {
      status: 422,
      errors: [{ pointer: '/type', detail: `belongs to ${known.path}` }],
    });
  }

  private known(type: string): Owned<KnownIntakeType | KnownIntakeQuery> | undefined {
    return this.messages.get(type) ?? this.questions.get(type);
  }

  private *owners<O extends { type: string; path: string }>(
    decorator: DiscoverableDecorator<O>,
    name: string,
    methods: readonly string[],
  ): Generator<O & { owner: string; handler: object }> {
    for (const wrapper of this.discovery.getProviders({ metadataKey: decorator.KEY })) {
      const options = this.discovery.getMetadataByDecorator(decorator, wrapper);
      const handler = wrapper.instance as Record<string, unknown> | undefined;
      if (options === undefined || handler === undefined) continue;
      const owner = String(wrapper.name);
      const lacking = methods.find((method) => typeof handler[method] !== 'function');
      if (lacking !== undefined) {
        throw new Error(`${owner} says @${name}({ type: '${options.type}' }) and has no method ${lacking}()`);
      }
      const other = this.known(options.type);
      if (other !== undefined && other.handler !== wrapper.instance) {
        throw new Error(`${other.owner} and ${owner} both own the type '${options.type}'. A type has one owner.`);
      }
      yield { ...options, owner, handler };
    }
  }
}

function sortedAt<K extends { type: string; path: string }>(all: ReadonlyMap<string, K>, path: string): K[] {
  return [...all.values()].filter((one) => one.path === path).sort((a, b) => (a.type < b.type ? -1 : 1));
}

function isQuestionPath(path: string): boolean {
  return QUESTION_PATHS.some((other) => other === path);
}
