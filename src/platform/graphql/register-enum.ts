import { registerEnumType } from '@nestjs/graphql';

/**
 * Makes a GraphQL enum of a list of words. Its values are the very words that the rows hold, so that the database, the
 * REST answers and GraphQL speak one vocabulary.
 * @param meanings what each word says
 * @returns what `@Field(() => …)` wants to see
 */
export function registerEnum<V extends string>(
  name: string,
  words: readonly V[],
  description: string,
  meanings: Partial<Record<V, string>> = {},
): Record<V, V> {
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<V, V>;
  const valuesMap: Partial<Record<V, { description: string }>> = {};
  for (const word of words) {
    const meaning = meanings[word];
    if (meaning !== undefined) valuesMap[word] = { description: meaning };
  }
  registerEnumType(values, { name, description, valuesMap });
  return values;
}
