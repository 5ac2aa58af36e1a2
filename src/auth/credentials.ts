import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { Actor } from './actor.js';
import { isToken, PERSONAL_PREFIX, tokenHash } from './opaque-token.js';
import type { ActorsRequest, Identity } from './request-of.js';
import { type Known, UserSessionsRepository } from './user-sessions.repository.js';
import { UserTokensRepository } from './user-tokens.repository.js';
import { UsersRepository } from './users.repository.js';

export const SESSION_COOKIE = 'runway_session';

/** Of the preset token while there is no operator. */
const PRESET: Actor = { id: '0', name: 'admin', role: 'operator' };

/**
 * Who a request comes from: a personal or the preset bearer token, else a session's cookie. Asked of the database with
 * every request, so that a user who was disabled or got another role is so in every process at once.
 */
@Injectable()
export class Credentials {
  private readonly preset: Buffer;
  /** Root fields of one request ask together. */
  private readonly asked = new WeakMap<FastifyRequest, Promise<Identity | undefined>>();

  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: UserSessionsRepository,
    private readonly tokens: UserTokensRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.preset = digest(config.secrets.adminToken);
  }

  /** @returns undefined for nobody that is known. Whoever sends a header is judged by that, whatever cookie comes with it. */
  async recognise(request: ActorsRequest): Promise<Identity | undefined> {
    const asked = this.asked.get(request) ?? this.identify(request);
    this.asked.set(request, asked);
    const identity = await asked;
    if (identity !== undefined) Object.assign(request, { identity, actor: identity.actor });
    return identity;
  }

  private async identify(request: ActorsRequest): Promise<Identity | undefined> {
    if (request.headers.authorization !== undefined) return this.byHeader(bearerOf(request) ?? '');
    const cookie = request.cookies?.[SESSION_COOKIE] ?? '';
    const known = isToken(cookie) ? await this.sessions.use(tokenHash(cookie)) : undefined;
    return known && { actor: actorOf(known), by: 'session', sessionId: known.id };
  }

  private async byHeader(token: string): Promise<Identity | undefined> {
    if (timingSafeEqual(digest(token), this.preset)) {
      return { actor: PRESET, by: 'preset', user: () => this.firstOperator() };
    }
    if (!token.startsWith(PERSONAL_PREFIX)) return undefined;
    const secret = token.slice(PERSONAL_PREFIX.length);
    const known = isToken(secret) ? await this.tokens.use(tokenHash(secret)) : undefined;
    return known && { actor: actorOf(known), by: 'token' };
  }

  private async firstOperator(): Promise<Actor> {
    const user = await this.users.firstOperator();
    return user === undefined ? PRESET : { ...user, role: 'operator' };
  }
}

export function bearerOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function actorOf({ userId, name, role }: Known): Actor {
  return { id: userId, name, role };
}

/** Both sides become equally long, as the comparison in constant time needs them. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
