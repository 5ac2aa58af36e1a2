import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { DateTime } from './date-time.scalar.js';
import { GraphqlContext } from './graphql-context.js';
import { formatGraphqlError } from './graphql-errors.js';

// Larger than the largest query of the admin by far; the parser stops there, before anybody has shown a token.
const MAX_TOKENS = 5_000;

/**
 * `POST /graphql`, code first: the schema is what the resolvers of the other modules declare. Reading the schema is
 * open; every root field asks for a role.
 */
@Module({
  imports: [
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      path: '/graphql',
      autoSchemaFile: true,
      sortSchema: true,
      buildSchemaOptions: { scalarsMap: [{ type: Date, scalar: DateTime }] },
      context: (request: FastifyRequest) => new GraphqlContext(request),
      formatError: formatGraphqlError,
      autoTransformHttpErrors: false,
      // Otherwise Nest logs what a field throws on purpose as if it were a bug.
      fieldResolverEnhancers: ['filters'],
      parseOptions: { maxTokens: MAX_TOKENS },
      introspection: true,
      csrfPrevention: true,
      graphiql: false,
      // A cache of query texts sent by anybody would be memory that anybody can fill.
      persistedQueries: false,
      includeStacktraceInErrorResponses: false,
    }),
  ],
})
export class GraphqlModule {}
