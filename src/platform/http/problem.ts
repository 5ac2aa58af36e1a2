import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { AppError, type FieldProblem } from '../../lib/app-error.js';
import { isUnavailable } from '../database/pg-errors.js';
import { UnknownCommitError } from '../database/transactions.js';

/** The document of RFC 9457. `instance` is the request's id, under which the log knows it too. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: FieldProblem[];
  [member: string]: unknown;
}

export interface Problem {
  status: number;
  code: string;
  headers: Record<string, string>;
  document: ProblemDocument;
  /** The error is a bug of ours: it belongs in the log, and its text not in the answer. */
  isBug: boolean;
}

export const PROBLEM_TYPE = 'application/problem+json';

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Stable codes of what the HTTP layer itself refuses. */
const CODES: Record<number, string> = {
  400: 'malformed-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  413: 'body-too-large',
  415: 'content-type-unsupported',
  429: 'rate-limited',
  431: 'headers-too-large',
};

/**
 * What any thrown value means to the one who asked.
 * @param bodyLimitBytes told to senders of longer bodies
 */
export function problemOf(error: unknown, instance: string, bodyLimitBytes: number): Problem {
  const known = asAppError(error, bodyLimitBytes);
  if (known === undefined) {
    const bug = new AppError(
      'internal',
      'This is a fault of the server. It is in its log; trying again later may help.',
      {
        status: 500,
      },
    );
    return { ...problemOfAppError(bug, instance), isBug: true };
  }
  return problemOfAppError(known, instance);
}

function problemOfAppError(error: AppError, instance: string): Problem {
  const document: ProblemDocument = {
    ...error.members,
    type: `urn:runway:problem:${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    detail: error.message,
    instance,
  };
  if (error.errors.length > 0) document.errors = error.errors;
  return { status: error.status, code: error.code, headers: error.headers, document, isBug: false };
}

function asAppError(error: unknown, bodyLimitBytes: number): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof UnknownCommitError || isUnavailable(error)) return unavailable(error);
  const status = clientStatusOf(error);
  if (status === undefined) return undefined;
  if (status === 413) return bodyTooLarge(bodyLimitBytes);
  const words = error instanceof Error && error.message !== '' ? error.message : (STATUS_CODES[status] ?? 'Refused');
  return new AppError(CODES[status] ?? kebab(STATUS_CODES[status] ?? 'refused'), words, { status, cause: error });
}

/** Status of an error that Nest or Fastify made about a request; undefined for all others. */
function clientStatusOf(error: unknown): number | undefined {
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : error instanceof Error && error.name === 'FastifyError'
        ? (error as { statusCode?: unknown }).statusCode
        : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError(
    'body-too-large',
    `The body is longer than ${limitBytes} bytes. Send less; the same again is no use.`,
    {
      status: 413,
      members: { limit_bytes: limitBytes },
    },
  );
}

export function unavailable(cause?: unknown): AppError {
  return new AppError(
    'intake-unavailable',
    'The service cannot do this just now. Send the same again, with the same id, after the time in Retry-After.',
    { status: 503, headers: { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) }, cause },
  );
}

/** A problem's code as people read it. */
export function titleOf(code: string): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function kebab(words: string): string {
  return words.toLowerCase().replace(/[^a-z]+/g, '-');
}
