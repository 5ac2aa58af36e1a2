import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { getVariableValues, GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { AppError } from '../../lib/app-error.js';
import { costOf } from './query-cost.js';

/** Fields within fields, those of connections too; each spread of a fragment counts as one. */
export const MAX_DEPTH = 12;
export const MAX_ALIASES = 30;
/** Objects in an answer, as {@link costOf} reckons them. */
export const MAX_COST = 10_000;

/** The parser stops there, before anybody has shown a token. */
export const MAX_TOKENS = 5_000;

/**
 * Nothing is said by the rules themselves, whose words are those of a syntax error: each refusal is ours, once.
 * Fragments are counted once and remembered, so that a query of fragments within fragments costs no more than its length.
 */
export const limitRules: ValidationRule[] = [
  maxDepthRule({
    n: MAX_DEPTH,
    propagateOnRejection: false,
    onReject: [
      refuseWith('query-too-deep', `Fields may be nested ${MAX_DEPTH} deep. Ask for the rest in a second query.`),
    ],
  }),
  maxAliasesRule({
    n: MAX_ALIASES,
    propagateOnRejection: false,
    onReject: [refuseWith('too-many-aliases', `A query may have ${MAX_ALIASES} aliases. Ask for the rest in another.`)],
  }),
];

function refuseWith(code: string, message: string): (context: ValidationContext | null) => void {
  return (context) => context?.reportError(refusal(code, message));
}

/** Weighs a query by what it asks for before any of it is answered; variables may hold page sizes, so no earlier. */
export const costLimit: ApolloServerPlugin = {
  requestDidStart: (): Promise<GraphQLRequestListener<object>> =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        const variables = request.variables ?? {};
        // Wrong variables, or several operations and none named, are told in GraphQL's own words a moment later.
        if (operation === undefined) return Promise.resolve();
        if (getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors) return Promise.resolve();
        const cost = weigh({ schema, query: document, operationName: operation.name?.value, variables });
        if (cost <= MAX_COST) return Promise.resolve();
        const asked = Number.isFinite(cost) ? `may answer ${cost} objects` : 'is too long to be weighed';
        throw refusal(
          'query-too-costly',
          `This query ${asked}, and ${MAX_COST} are allowed. Ask for smaller pages, or for less of each entry.`,
          { limit: MAX_COST, ...(Number.isFinite(cost) ? { cost } : {}) },
        );
      },
    }),
};

function weigh(asked: Parameters<typeof costOf>[0]): number {
  try {
    return costOf(asked);
  } catch (error) {
    if (error instanceof GraphQLError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function refusal(code: string, message: string, members: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, {
    originalError: new AppError(code, message, { status: 400, members }),
    extensions: { http: { status: 400 } },
  });
}
