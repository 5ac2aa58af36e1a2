import { unwrapResolverError } from '@apollo/server/errors';
import { Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError } from '../../lib/app-error.js';
import { messageOf } from '../../lib/text.js';
import { isUnavailable } from '../database/pg-errors.js';

const logger = new Logger('GraphQL');
const OUR_FAULT = 'INTERNAL_SERVER_ERROR';

/**
 * Every GraphQL error has a stable kebab code in `extensions.code`. What the house threw on purpose is shown whole; of
 * what it did not expect, neither text nor stack leaves the process.
 */
export function formatGraphqlError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const error = meantBy(thrown);
  const { locations, path } = formatted;
  const where = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  if (error instanceof AppError) {
    const { code, status, errors, members, message } = error;
    return { ...where, message, extensions: { ...members, code, status, ...(errors.length > 0 ? { errors } : {}) } };
  }
  if (isUnavailable(error)) {
    logger.warn(`The database did not answer: ${messageOf(error)}`);
    const message = 'The database does not answer just now. Try again in a moment.';
    return { ...where, message, extensions: { code: 'unavailable', status: 503 } };
  }
  const code = formatted.extensions?.['code'];
  if (typeof code === 'string' && code !== OUR_FAULT) {
    // Syntax, validation, variables: GraphQL's own words about the caller's query.
    return { ...where, message: formatted.message, extensions: { code: code.toLowerCase().replaceAll('_', '-') } };
  }
  logger.error(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
  const message = 'Something went wrong on our side. The log has the details.';
  return { ...where, message, extensions: { code: 'internal', status: 500 } };
}

/** Resolvers throw what they mean, and the limits put it into an error of GraphQL. */
function meantBy(thrown: unknown): unknown {
  const error = unwrapResolverError(thrown);
  return error instanceof GraphQLError && error.originalError instanceof AppError ? error.originalError : error;
}
