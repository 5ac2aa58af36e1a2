import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isListType,
} from 'graphql';
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity';
import { MAX_PAGE } from './page-args.js';

/** What a list without a page size is taken to hold. */
const USUAL_LIST = 10;

export interface AskedQuery {
  schema: GraphQLSchema;
  query: DocumentNode;
  operationName?: string | undefined;
  variables: Record<string, unknown>;
}

/**
 * What a query may cost at most: one for each object that may be answered, as many as the page sizes and the ids in its
 * arguments say, ten for a list without either. What a single value costs more than others, its field says by
 * `complexity`. Reading the schema costs nothing: it is in memory.
 * @throws GraphQLError when there is too much to add up
 */
export function costOf(asked: AskedQuery): number {
  return getComplexity({ ...asked, estimators: [cost] });
}

const cost: ComplexityEstimator = ({ field, args, childComplexity, type }) => {
  if (isIntrospectionType(getNamedType(field.type))) return 0;
  const own = ownCost(field, type);
  const { first } = args as { first?: unknown };
  if (typeof first === 'number') return own + within(first) * childComplexity;
  return size(field, args, type) * (own + childComplexity);
};

function ownCost({ name, type, extensions }: GraphQLField<unknown, unknown>, parent: GraphQLNamedType): number {
  const { complexity } = extensions as { complexity?: unknown };
  if (typeof complexity === 'number') return complexity;
  // They are how a page is told, and no entries of it.
  if (isConnection(parent) && (name === 'edges' || name === 'pageInfo')) return 0;
  return isCompositeType(getNamedType(type)) ? 1 : 0;
}

function size(field: GraphQLField<unknown, unknown>, args: Record<string, unknown>, parent: GraphQLNamedType): number {
  // The page's size was counted with the connection.
  if (!isListType(getNullableType(field.type)) || isConnection(parent)) return 1;
  const { ids } = args;
  return Array.isArray(ids) ? within(ids.length) : USUAL_LIST;
}

/** Pages and bulks that are too long are refused in words of their own, so they need no price. */
function within(asked: number): number {
  return Math.min(Math.max(asked, 0), MAX_PAGE);
}

function isConnection({ name }: GraphQLNamedType): boolean {
  return name.endsWith('Connection');
}
