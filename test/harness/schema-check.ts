import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../src/lib/json-schema.js';

/** What is wrong with a value, by a schema; nothing when it fits. */
export type Check = (value: unknown) => string[];

/**
 * A public validator over one of our schemas.
 * @param document where references lead to
 * @param strict whether objects may have only the members that are described
 */
export function checkOf(schema: JsonSchema, { document = {}, strict = false } = {}): Check {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const root = { ...document, ...schema };
  const validate = ajv.compile((strict ? closed(root) : root) as object);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const whole = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return 'properties' in whole ? { ...whole, additionalProperties: false } : whole;
}
