import { RESOLVER_NAME_METADATA, RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { ModulesContainer } from '@nestjs/core';
import { Public, Requires } from '../../src/auth/access.decorators.js';
import type { TestApp } from './app.js';

export type Declared = 'viewer' | 'editor' | 'operator' | 'public' | 'undeclared';

/** What each root field of the application says who may use it, by `Query.brands`, in the order of names. */
export function declaredRoles({ app }: Pick<TestApp, 'app'>): Record<string, Declared> {
  const declared: Record<string, Declared> = {};
  for (const { metatype } of [...app.get(ModulesContainer).values()].flatMap(({ providers }) => [
    ...providers.values(),
  ])) {
    if (typeof metatype !== 'function') continue;
    const prototype = metatype.prototype as Record<string, unknown> | undefined;
    for (const method of Object.getOwnPropertyNames(prototype ?? {})) {
      const handler = Object.getOwnPropertyDescriptor(prototype, method)?.value as unknown;
      if (typeof handler !== 'function') continue;
      const kind = Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler) as string | undefined;
      if (kind !== 'Query' && kind !== 'Mutation') continue;
      const name = (Reflect.getMetadata(RESOLVER_NAME_METADATA, handler) as string | undefined) ?? method;
      declared[`${kind}.${name}`] = roleOf(handler, metatype);
    }
  }
  return Object.fromEntries(Object.entries(declared).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function roleOf(...places: object[]): Declared {
  for (const place of places) {
    if (Reflect.getMetadata(Public.KEY, place) === true) return 'public';
    const role = Reflect.getMetadata(Requires.KEY, place) as Declared | undefined;
    if (role !== undefined) return role;
  }
  return 'undeclared';
}
