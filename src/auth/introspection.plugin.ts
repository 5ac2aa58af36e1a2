import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { GraphQLError, Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { unauthenticated } from './admin.guard.js';
import { Credentials } from './credentials.js';

/**
 * The schema is for whoever is signed in, in every installation: it tells what can be done here, and strangers need not
 * know. The guard stands before root fields only, and GraphQL answers these two by itself.
 */
@Plugin()
export class IntrospectionPlugin implements ApolloServerPlugin<GraphqlContext> {
  constructor(private readonly credentials: Credentials) {}

  requestDidStart(): Promise<GraphQLRequestListener<GraphqlContext>> {
    return Promise.resolve({
      didResolveOperation: async ({ document, operation, contextValue: { req } }) => {
        if (operation === undefined) return;
        const fragments = new Map(
          document.definitions.flatMap((part) =>
            part.kind === Kind.FRAGMENT_DEFINITION ? [[part.name.value, part] as const] : [],
          ),
        );
        const asked = rootFieldsOf(operation.selectionSet, fragments);
        if (!asked.some(({ name }) => name.value === '__schema' || name.value === '__type')) return;
        if ((await this.credentials.recognise(req)) !== undefined) return;
        const { code, message, status } = unauthenticated(req);
        throw new GraphQLError(message, { extensions: { code, http: { status } } });
      },
    });
  }
}

function rootFieldsOf(
  { selections }: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  seen = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFieldsOf(selection.selectionSet, fragments, seen);
    const name = selection.name.value;
    const fragment = fragments.get(name);
    if (fragment === undefined || seen.has(name)) return [];
    return rootFieldsOf(fragment.selectionSet, fragments, seen.add(name));
  });
}
