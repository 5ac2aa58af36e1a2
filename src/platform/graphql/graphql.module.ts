import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { DateTime } from './date-time.scalar.js';
import { GraphqlContext } from './graphql-context.js';
import { formatGraphqlError } from './graphql-errors.js';
import { costLimit, limitRules, MAX_TOKENS } from './query-limits.js';

/**
 * `POST /graphql`, code first: the schema is what the resolvers of the other modules declare. Every root field asks for a
 * role; what a query may ask for at once is limited by depth, aliases and cost.
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
      validationRules: limitRules,
      plugins: [costLimit],
      introspection: true,
      // A name that is nearly right is not put right: who may not read the schema shall not guess it.
      hideSchemaDetailsFromClientErrors: true,
      csrfPrevention: true,
      allowBatchedHttpRequests: false,
      graphiql: false,
      // A cache of query texts sent by anybody would be memory that anybody can fill.
      persistedQueries: false,
      includeStacktraceInErrorResponses: false,
    }),
  ],
})
export class GraphqlModule {}
