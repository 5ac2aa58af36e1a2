import { STATUS_CODES } from 'node:http';
import { answerOf, ID, type JsonSchema, listOf, text } from '../../lib/json-schema.js';
import type { FieldProblem } from '../../lib/app-error.js';
import { PROBLEM_TYPE, titleOf } from '../../platform/http/problem.js';
import { WINDOW_SECONDS } from '../signed-head.js';
import { DOOR_PROBLEMS, type DoorProblem, remedyOf } from './door-problems.js';

/** What every operation of the door has in common: its headers, its signature, and the problems that it answers with. */

export const SIGNATURE_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'webhook-signature',
  description: '1 to 5 entries `v1,` and base64 of HMAC-SHA256, one space between them; one of them has to be right',
};

export const DOOR_PARAMETERS = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The same on each try of one message, another for each message',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
    example: 'msg_01JTESTVECTOR000000000001',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: `Unix seconds, fresh on each try; ${WINDOW_SECONDS} s off either way are allowed`,
    schema: { type: 'string', pattern: '^[0-9]{10}$' },
    example: '1767323045',
  },
  Crawler: {
    name: 'x-ingest-crawler',
    in: 'header',
    required: false,
    description: 'The crawler’s name; needed once many secrets are live. Not signed: it says whose secrets to try',
    schema: { type: 'string' },
    example: 'dev',
  },
};

const FIELD_PROBLEM = answerOf<FieldProblem>('FieldProblem', {
  pointer: text('JSON pointer (RFC 6901) into the body'),
  detail: text('What is wrong there'),
});

/** Every member that any problem of the door has. */
export const PROBLEM: JsonSchema = {
  title: 'Problem',
  description: 'RFC 9457. More codes and members may come.',
  type: 'object',
  properties: {
    type: { type: 'string', pattern: '^urn:runway:problem:[a-z0-9-]+$' },
    title: text('The code in words'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text('What to do, in plain words'),
    instance: text('The request’s id, under which the log knows it'),
    errors: listOf(FIELD_PROBLEM),
    limit_bytes: { type: 'integer', description: 'Of body-too-large' },
    near: listOf(text(), 'Of brand-unknown: names that may be meant'),
    brands: listOf(
      answerOf<{ id: string; name: string }>('NamedBrand', { id: ID, name: text() }),
      'Of brand-ambiguous: those that have the name',
    ),
    job_id: { ...ID, description: 'Of message-id-reused: the first message’s job' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
};

const HEADERS: Readonly<Record<number, object>> = {
  401: { Date: { description: 'The server’s time', schema: { type: 'string' } } },
  405: { Allow: { description: 'The methods that the address takes', schema: { type: 'string' } } },
  429: { 'Retry-After': retryAfter() },
  503: { 'Retry-After': retryAfter() },
};

/** One response for each status; of 422 two, since a question is never refused for its brand. */
export function problemResponses(): Record<string, ReturnType<typeof responseOf>> {
  const statuses = [...new Set(DOOR_PROBLEMS.map(({ status }) => status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.flatMap((status) => {
      const problems = DOOR_PROBLEMS.filter((problem) => problem.status === status);
      const ofQuestions = problems.filter(({ ofMessagesOnly }) => !ofMessagesOnly);
      const name = `Problem${status}`;
      if (ofQuestions.length === problems.length) return [[name, responseOf(status, problems)]];
      return [
        [name, responseOf(status, problems)],
        [`${name}Question`, responseOf(status, ofQuestions)],
      ];
    }),
  );
}

function responseOf(status: number, problems: readonly DoorProblem[]) {
  const headers = HEADERS[status];
  return {
    description: `${STATUS_CODES[status] ?? ''}: ${remedyOf(status)}. ${problems.map(({ code }) => `\`${code}\``).join(', ')}`,
    ...(headers && { headers }),
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          problems.map((problem) => [
            problem.code,
            { summary: `${remedyOf(status)}: ${problem.words}`, value: exampleOf(problem) },
          ]),
        ),
      },
    },
  };
}

function exampleOf({ code, status, words, members }: DoorProblem): object {
  return {
    type: `urn:runway:problem:${code}`,
    title: titleOf(code),
    status,
    detail: words,
    instance: '5f0c6c1e-6c0e-4f4b-9f0f-0d8a3c1b2a90',
    ...members,
  };
}

function retryAfter(): object {
  return { description: 'Whole seconds to wait', schema: { type: 'string', pattern: '^[0-9]+$' } };
}
