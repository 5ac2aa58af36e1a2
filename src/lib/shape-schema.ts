import { type JsonSchema, orNull } from './json-schema.js';
import type { TextRule } from './shape-reader.js';

/**
 * What ShapeReader takes, as JSON Schema: a function for each of its readings, with the same arguments, so that a limit is
 * written once and both are given it. Where a reading says "not given", null is said here; that a blank text is not
 * given either stays in the words.
 */
export const taken = {
  text({ max, cut }: TextRule, description: string): JsonSchema {
    if (cut)
      return { type: ['string', 'null'], description: `${description}; cut to ${max} characters, with a warning` };
    return { type: ['string', 'null'], maxLength: max, description };
  },

  integer(minimum: number, maximum: number, description: string): JsonSchema {
    return { type: ['integer', 'null'], minimum, maximum, description };
  },

  choice(choices: readonly string[], description: string): JsonSchema {
    return { type: ['string', 'null'], enum: [...choices, null], description };
  },

  url(max: number, description: string): JsonSchema {
    return { ...orNull(taken.address(max)), description };
  },

  /** An address that must be there. */
  address(maxLength: number): JsonSchema {
    return {
      type: 'string',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
      maxLength,
      description: 'http or https, without user and password',
    };
  },

  day(description: string): JsonSchema {
    return { type: ['string', 'null'], format: 'date', description };
  },

  list(minItems: number, maxItems: number, items: JsonSchema, description: string): JsonSchema {
    const type = minItems === 0 ? (['array', 'null'] as const) : 'array';
    return { type, minItems, maxItems, items, description };
  },
};
