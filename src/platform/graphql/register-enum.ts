import { registerEnumType } from '@nestjs/graphql';

/**
 * Makes a GraphQL enum of a list of words. Its values are the very words that the rows hold, so that the database, the
 * REST answers and GraphQL speak one vocabulary.
 * @returns what `@Field(() => …)` wants to see
 */
export function registerEnum<V extends string>(name: string, words: readonly V[], description: string): Record<V, V> {
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<V, V>;
  registerEnumType(values, { name, description });
  return values;
}
