import { isISO8601 } from 'class-validator';
import { AppError, type FieldProblem } from '../lib/app-error.js';
import { unknownMember } from '../lib/shape-reader.js';
import { MAX_WARNINGS } from './intake-answer.js';

/** What every signed body is, whatever its type. */
export interface Envelope {
  type: string;
  /** When the crawler wrote it; ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
  warnings: string[];
}

const MEMBERS = new Set(['type', 'timestamp', 'data']);
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** @throws AppError `schema-invalid` naming every member that is missing or of another kind */
export function readEnvelope(body: unknown): Envelope {
  if (!isObject(body)) {
    throw invalid([{ pointer: '', detail: 'must be an object with type, timestamp and data' }]);
  }
  const { type, timestamp, data } = body;
  const problems: FieldProblem[] = [];
  if (typeof type !== 'string' || type === '') {
    problems.push({ pointer: '/type', detail: 'must be the name of a message type' });
  }
  if (typeof timestamp !== 'string' || !ISO_TIME.test(timestamp) || !isISO8601(timestamp, { strict: true })) {
    problems.push({ pointer: '/timestamp', detail: 'must be a time in ISO 8601, such as 2026-11-30T08:00:00Z' });
  }
  if (!isObject(data)) problems.push({ pointer: '/data', detail: 'must be an object' });
  if (problems.length > 0) throw invalid(problems);
  return {
    type: type as string,
    timestamp: timestamp as string,
    data: data as Record<string, unknown>,
    warnings: Object.keys(body)
      .filter((name) => !MEMBERS.has(name))
      .slice(0, MAX_WARNINGS)
      .map((name) => unknownMember('', name, MEMBERS)),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(errors: FieldProblem[]): AppError {
  const words = errors.map(({ pointer, detail }) => `${pointer || 'The body'} ${detail}`).join('; ');
  return new AppError('schema-invalid', `${words}.`, { status: 422, errors });
}
