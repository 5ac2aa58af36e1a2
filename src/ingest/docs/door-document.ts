import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../lib/json-schema.js';
import type { IntakeDocs, IntakeQueryDocs } from '../../platform/intake/intake-docs.js';
import { MAX_DEPTH, MAX_VALUES } from '../body-scan.js';
import { INTAKE_ANSWER, INTAKE_ANSWER_EXAMPLE } from '../intake-answer.js';
import { DOOR_PARAMETERS, PROBLEM, problemResponses, SIGNATURE_SCHEME } from './door-parts.js';

/** A type of message or question, as far as it is to be shown. */
export interface DocumentedType {
  type: string;
  docs?: IntakeDocs | IntakeQueryDocs;
}

/** A path, what is taken there, and how it is answered when all is well. */
export interface DocumentedPath {
  path: string;
  asks: boolean;
  types: readonly DocumentedType[];
}

export interface DoorDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: readonly object[];
  security: readonly object[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, { post: Operation }>>;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    responses: Readonly<Record<string, ResponseObject>>;
    parameters: object;
    securitySchemes: object;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  parameters: readonly object[];
  requestBody: { required: true; content: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, ResponseObject | { $ref: string }>>;
}

export interface ResponseObject {
  description: string;
  headers?: object;
  content: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  schema: JsonSchema;
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
}

/** Of the contract, and not of the program: raised when a crawler has to know. */
const CONTRACT_VERSION = '1.0.0';
const EXAMPLE_TIME = '2026-03-02T08:00:00Z';
const OPEN_DATA: JsonSchema = { type: 'object', description: 'The owner of this type does not describe it' };

/**
 * The door's contract as OpenAPI 3.1, made of the very limits, types and tables that the door goes by. Own code, and not
 * @nestjs/swagger: that reads classes with decorators, and here bodies are read by ShapeReader, so there would be classes
 * that nothing but the documentation uses.
 * @throws Error when two schemas have one title
 */
export function doorDocument(paths: readonly DocumentedPath[], bodyLimitBytes: number): DoorDocument {
  const schemas: Record<string, JsonSchema> = {};
  const operations = paths.map(({ path, asks, types }) => {
    const list = (schema: JsonSchema): JsonSchema => listed(schema, schemas);
    return [path, { post: operationOf(path, asks, types, list) }] as const;
  });
  listed(PROBLEM, schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: 'runway-ingest: the crawler’s door',
      version: CONTRACT_VERSION,
      summary: 'Signed posts of runway shows and street-style galleries.',
      description: aboutTheDoor(bodyLimitBytes),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ signature: [] }],
    tags: [
      { name: 'messages', description: 'What is put into the archive’s queue, and answered 202 once it is there' },
      { name: 'questions', description: 'What is asked: nothing is kept, and the same again is answered anew' },
    ],
    paths: Object.fromEntries(operations),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: problemResponses(),
      parameters: DOOR_PARAMETERS,
      securitySchemes: { signature: SIGNATURE_SCHEME },
    },
  };
}

function operationOf(
  path: string,
  asks: boolean,
  types: readonly DocumentedType[],
  list: (schema: JsonSchema) => JsonSchema,
): Operation {
  const bodies = types.map((type) => list(envelopeOf(type)));
  const mapping = Object.fromEntries(types.map(({ type }, place) => [type, bodies[place]?.$ref ?? '']));
  const schema: JsonSchema =
    bodies.length === 1 && bodies[0] !== undefined
      ? bodies[0]
      : { oneOf: bodies, discriminator: { propertyName: 'type', mapping } };
  const examples = types.flatMap(({ type, docs }) =>
    docs === undefined ? [] : [[type, { summary: docs.summary, value: messageOf(type, docs.example) }] as const],
  );
  return {
    operationId: asks ? `ask${nameOf(path)}` : 'submit',
    summary: asks ? (types[0]?.docs?.summary ?? path) : 'Submit a message',
    description: `Types taken here: ${types.map(({ type }) => `\`${type}\``).join(', ')}.`,
    tags: [asks ? 'questions' : 'messages'],
    parameters: Object.keys(DOOR_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
    },
    responses: {
      ...(asks ? answersOf(types, list) : { 202: accepted(list) }),
      ...Object.fromEntries(
        Object.keys(problemResponses())
          .filter((name) => name !== (asks ? 'Problem422' : 'Problem422Question'))
          .map((name) => [/\d+/.exec(name)?.[0] ?? '', { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

function accepted(list: (schema: JsonSchema) => JsonSchema): ResponseObject {
  return {
    description: 'Message and job are committed: forget the message. A duplicate is answered as it was the first time.',
    content: {
      'application/json': {
        schema: list(INTAKE_ANSWER),
        examples: { accepted: { summary: 'Taken', value: INTAKE_ANSWER_EXAMPLE } },
      },
    },
  };
}

function answersOf(
  types: readonly DocumentedType[],
  list: (schema: JsonSchema) => JsonSchema,
): Record<string, ResponseObject> {
  const documented = types.flatMap(({ type, docs }) =>
    docs !== undefined && 'answer' in docs ? [{ type, docs, schema: list(docs.answer) }] : [],
  );
  const [only] = documented;
  const examples = documented.map(({ type, docs }) => [type, { summary: docs.summary, value: docs.answerExample }]);
  const schema = only !== undefined && types.length === 1 ? only.schema : { type: 'object' };
  return {
    200: {
      description: 'The answer',
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) as MediaType['examples'] } },
    },
  };
}

/** The signed body of a type. */
function envelopeOf({ type, docs }: DocumentedType): JsonSchema {
  return {
    title: type,
    ...(docs && { description: docs.summary }),
    type: 'object',
    properties: {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it was written; ISO 8601' },
      data: docs?.data ?? OPEN_DATA,
    },
    required: ['type', 'timestamp', 'data'],
  };
}

function messageOf(type: string, data: object): object {
  return { type, timestamp: EXAMPLE_TIME, data };
}

/** `/ingest/status` → `Status` */
function nameOf(path: string): string {
  const word = path.split('/').at(-1) ?? '';
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Puts every schema with a title into the list, and a reference where it stood. */
function listed(schema: JsonSchema, list: Record<string, JsonSchema>): JsonSchema {
  const each = (inner: readonly JsonSchema[]): JsonSchema[] => inner.map((one) => listed(one, list));
  const { title, ...rest } = schema;
  const whole: JsonSchema = {
    ...rest,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, listed(one, list)])),
    }),
    ...(schema.items && { items: listed(schema.items, list) }),
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: each(schema.oneOf) }),
    ...(schema.allOf && { allOf: each(schema.allOf) }),
  };
  if (title === undefined) return whole;
  if (list[title] !== undefined && !isDeepStrictEqual(list[title], whole)) {
    throw new Error(`Two schemas of the door's documentation are called "${title}". Give one another title.`);
  }
  list[title] = whole;
  return { $ref: `#/components/schemas/${title}` };
}

function aboutTheDoor(bodyLimitBytes: number): string {
  return [
    'A body is signed as Standard Webhooks are: base64 of HMAC-SHA256 over `id.timestamp.body`, the body being the very ' +
      'bytes that are sent, with the key behind `whsec_` of the secret, decoded from base64. Any library of theirs does it.',
    `A body is JSON in UTF-8, not packed, of at most ${bodyLimitBytes} bytes, ${MAX_DEPTH} levels and ${MAX_VALUES} values. ` +
      'A key stands once in an object. Numbers beyond 2^53, NUL and lone surrogates are refused. Member names are matched ' +
      'exactly: one that differs by its letters’ case is ignored, and the warning names the one that may be meant.',
    'Everything but 200 and 202 is a problem document. `type` is `urn:runway:problem:` and a code; the status says whether ' +
      'to retry or to fix. Retry 408, 425, 429, 5xx and no answer at all, with the same `webhook-id` and a new timestamp, ' +
      'after `Retry-After`. Fix all others: the same again is no use.',
  ].join('\n\n');
}
