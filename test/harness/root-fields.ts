import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLInputType,
  type IntrospectionQuery,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  getNamedType,
} from 'graphql';
import type { TestApp } from './app.js';
import { askGraphql } from './graphql.js';

export interface RootField {
  operation: 'query' | 'mutation';
  name: string;
  /** `Query.brands`: as test/snapshots/roles.json lists it. */
  key: string;
  /** The field with made-up arguments, right enough to be let through by the schema. */
  call: string;
}

/** Every query and mutation that the application's schema has. */
export async function rootFields(app: Pick<TestApp, 'url'>): Promise<RootField[]> {
  const { data } = await askGraphql<IntrospectionQuery>(app, getIntrospectionQuery());
  if (data === null) throw new Error('The schema could not be read');
  const schema = buildClientSchema(data);
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  return (['query', 'mutation'] as const).flatMap((operation) =>
    Object.values(roots[operation]?.getFields() ?? {}).map(({ name, args, type }) => {
      const given = args.filter(isRequiredArgument).map((arg) => `${arg.name}: ${sampleOf(arg.type)}`);
      const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
      const call = `${operation} { ${name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selection} }`;
      return { operation, name, key: `${operation === 'query' ? 'Query' : 'Mutation'}.${name}`, call };
    }),
  );
}

const SAMPLES: Record<string, string> = { Int: '1', Float: '1', Boolean: 'true', DateTime: '"2026-11-30T08:00:00Z"' };

function sampleOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleOf(type.ofType);
  if (isListType(type)) return `[${sampleOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${sampleOf(field.type)}`).join(', ')} }`;
  }
  return SAMPLES[type.name] ?? '"1"';
}
