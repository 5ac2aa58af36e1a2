import type { ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext, type GqlContextType } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import type { Actor } from './actor.js';

/** Who a request comes from, and by what it is known. */
export interface Identity {
  actor: Actor;
  by: 'session' | 'token' | 'preset';
  /** The session's id, where it is known by one. */
  sessionId?: string;
  /** The user behind the preset token, asked for only by what wants to know who acts. */
  user?: () => Promise<Actor>;
}

export type ActorsRequest = FastifyRequest & { actor?: Actor; identity?: Identity };

/** The HTTP request behind a REST route or a GraphQL field. */
export function requestOf(context: ExecutionContext): ActorsRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<GraphqlContext>().req
    : context.switchToHttp().getRequest<ActorsRequest>();
}
