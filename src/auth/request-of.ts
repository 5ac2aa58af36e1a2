import type { ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext, type GqlContextType } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import type { Actor } from './actor.js';

export type ActorsRequest = FastifyRequest & { actor?: Actor };

/** The HTTP request behind a REST route or a GraphQL field. */
export function requestOf(context: ExecutionContext): ActorsRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<GraphqlContext>().req
    : context.switchToHttp().getRequest<ActorsRequest>();
}
