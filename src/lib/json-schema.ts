/** JSON Schema (2020-12), as far as the house writes it. */
export interface JsonSchema {
  $ref?: string;
  /** A schema with a title is listed by it, and referred to elsewhere. */
  title?: string;
  description?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
}

export const ID: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };
export const TIME: JsonSchema = { type: 'string', format: 'date-time', description: 'ISO 8601, UTC' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

export function text(description?: string): JsonSchema {
  return { type: 'string', ...(description !== undefined && { description }) };
}

export function listOf(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string' || schema.title !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/** An answer's object, which always has all its members. The type that it is written for must have the same ones. */
export function answerOf<T>(title: string, properties: { [Name in keyof Required<T>]: JsonSchema }): JsonSchema {
  return { title, type: 'object', properties, required: Object.keys(properties) };
}
