import { createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../lib/app-error.js';
import type { Actor, ActorRole } from './actor.js';
import { requestOf } from './request-of.js';

/** The least role that a root query, a mutation or a route asks for. On a class it holds for all its methods. */
export const Requires = Reflector.createDecorator<ActorRole>();

const marker = Reflector.createDecorator<true>();

/** Open to everybody, or guarded by something other than the admin's door, such as a crawler's signature. */
export const Public = Object.assign(() => marker(true), { KEY: marker.KEY });

/** The {@link Actor} that the guard let in. */
export const CurrentActor = createParamDecorator(async (_: unknown, context): Promise<Actor> => {
  const { identity } = requestOf(context);
  if (identity !== undefined) return identity.user === undefined ? identity.actor : identity.user();
  throw new AppError('unauthenticated', 'Nobody is signed in here.', { status: 401 });
});

/** Id of the session that the request belongs to; undefined where it came with a token. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context): string | undefined => requestOf(context).identity?.sessionId,
);
