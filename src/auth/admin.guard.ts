import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';
import { AppError } from '../lib/app-error.js';
import { Public, Requires } from './access.decorators.js';
import { mayActAs } from './actor.js';
import { Credentials } from './credentials.js';
import { type ActorsRequest, type Identity, requestOf } from './request-of.js';

/**
 * Stands before every route and every root field: what says neither `@Requires` nor `@Public` is closed, so that a
 * forgotten decorator shows at once and never as a hole.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    // The nearer decorator decides: a public method of a guarded class is public, and the other way round.
    for (const place of places) {
      // Nothing of GraphQL is open, whatever a resolver says of itself.
      if (this.reflector.get(Public, place) && context.getType<GqlContextType>() !== 'graphql') {
        const request = requestOf(context);
        // Some open pages show more to whoever is known. What is posted openly is proven by other means, and a made-up
        // token must not cost it a statement.
        if (request.method === 'GET') await this.credentials.recognise(request);
        return true;
      }
      const role = this.reflector.get(Requires, place);
      if (role === undefined) continue;
      const request = requestOf(context);
      const identity = await this.credentials.recognise(request);
      if (identity === undefined) throw unauthenticated(request);
      if (context.getType() === 'http') assertNotForged(request, identity);
      if (mayActAs(identity.actor, role)) return true;
      throw new AppError('forbidden', `This needs the role "${role}", and yours is "${identity.actor.role}".`, {
        status: 403,
      });
    }
    throw new AppError('forbidden', 'This is closed: it does not say who may use it.', { status: 403 });
  }
}

/** How the answer to nobody sounds. */
export function unauthenticated(request: ActorsRequest): AppError {
  return new AppError(
    'unauthenticated',
    request.headers.authorization === undefined
      ? 'Sign in first, or send the header "Authorization: Bearer …" with a personal token or the ADMIN_TOKEN of this server.'
      : 'The token in the Authorization header is none of this server, or no longer: it may have ended, or its user is disabled.',
    { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

/**
 * A browser sends the cookie with what other sites make it send, too. What they cannot make it send unasked is JSON.
 * GraphQL has a guard of its own kind against this.
 */
function assertNotForged({ method, headers }: ActorsRequest, { by }: Identity): void {
  if (by !== 'session' || method === 'GET' || method === 'HEAD') return;
  if (/^application\/json\b/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('content-type-unsupported', 'Send this with the content-type application/json.', { status: 415 });
}
