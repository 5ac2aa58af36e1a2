import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../lib/app-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Public, Requires } from './access.decorators.js';
import { type Actor, mayActAs } from './actor.js';
import { type ActorsRequest, requestOf } from './request-of.js';

/**
 * Stands before every route and every root field: what says neither `@Requires` nor `@Public` is closed, so that a
 * forgotten decorator shows at once and never as a hole. Until there are users, the bearer of ADMIN_TOKEN is the operator.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) config: Config,
  ) {
    this.expected = digest(config.secrets.adminToken);
  }

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    // The nearer decorator decides: a public method of a guarded class is public, and the other way round.
    for (const place of places) {
      if (this.reflector.get(Public, place)) {
        // Open to everybody, and some routes show more to whoever is known.
        this.recognise(requestOf(context));
        return true;
      }
      const role = this.reflector.get(Requires, place);
      if (role === undefined) continue;
      const actor = this.authenticate(context);
      if (mayActAs(actor, role)) return true;
      throw new AppError('forbidden', `This needs the role "${role}", and yours is "${actor.role}".`, { status: 403 });
    }
    throw new AppError('forbidden', 'This is closed: it does not say who may use it.', { status: 403 });
  }

  private recognise(request: ActorsRequest): Actor | undefined {
    const token = bearerOf(request);
    if (token === undefined || !timingSafeEqual(digest(token), this.expected)) return undefined;
    return (request.actor = { id: '0', name: 'admin', role: 'operator' });
  }

  private authenticate(context: ExecutionContext): Actor {
    const request = requestOf(context);
    const actor = this.recognise(request);
    if (actor !== undefined) return actor;
    throw new AppError(
      'unauthenticated',
      bearerOf(request) === undefined
        ? 'Send the header "Authorization: Bearer …" with the ADMIN_TOKEN of this server.'
        : 'The token in the Authorization header is not the ADMIN_TOKEN of this server.',
      { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }
}

function bearerOf(request: ActorsRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Both sides become equally long, as the comparison in constant time needs them. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
