import { Injectable } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { hasUnstorable } from '../lib/text.js';
import { Clock } from '../platform/clock/clock.js';
import { Transactions } from '../platform/database/transactions.js';
import type { Actor } from './actor.js';
import { AuditLog } from './audit-log.service.js';
import { newToken, PERSONAL_PREFIX, tokenHash } from './opaque-token.js';
import { assertPassword, hashPassword, isPassword } from './passwords.js';
import { SignInLimit } from './sign-in-limit.service.js';
import { type SessionView, UserSessionsRepository } from './user-sessions.repository.js';
import { type TokenView, UserTokensRepository } from './user-tokens.repository.js';
import { UsersRepository } from './users.repository.js';

export type { SessionView } from './user-sessions.repository.js';
export type { TokenView } from './user-tokens.repository.js';

const MAX_LABEL = 100;
const MAX_LIVE_TOKENS = 50;

/** What a user does with their own account: password, sessions, tokens. */
@Injectable()
export class Account {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: UserSessionsRepository,
    private readonly tokens: UserTokensRepository,
    private readonly limit: SignInLimit,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends all sessions but the one it is done in.
   * @param from address, since whoever found a session open may guess
   * @throws AppError 403 `password-wrong`, 422 `password-too-weak`, 429 `rate-limited`, 409 `no-account`
   */
  async changePassword(actor: Actor, current: string, next: string, from: Whence): Promise<Actor> {
    assertAccount(actor);
    assertPassword(next, actor.name);
    await this.limit.take(actor.name, from.address);
    const user = await this.users.byId(actor.id);
    const isRight = await isPassword(current, user?.passwordHash);
    const passwordHash = await hashPassword(next);
    await this.transactions.run(async (tx) => {
      const locked = isRight ? await this.users.lock(tx, actor.id) : undefined;
      // Locked and looked at again: it may have been reset meanwhile.
      if (locked === undefined || locked.passwordHash !== user?.passwordHash) {
        throw new AppError('password-wrong', 'Your present password is not right.', { status: 403 });
      }
      await this.limit.giveBack(tx, actor.name, from.address);
      await this.users.setPassword(tx, actor.id, passwordHash);
      await this.sessions.endAllOf(tx, actor.id, from.sessionId);
      await this.audit.record(tx, actor, { action: 'user.password-changed', entity: 'user', entityId: actor.id });
    });
    return actor;
  }

  async sessionsOf(actor: Actor): Promise<SessionView[]> {
    return this.sessions.listOf(actor.id);
  }

  /** @throws AppError 404 `session-unknown` */
  endSession(actor: Actor, id: string): Promise<SessionView> {
    return this.transactions.run(async (tx) => {
      const ended = await this.sessions.end(tx, actor.id, id);
      if (ended === undefined) {
        throw new AppError('session-unknown', 'You have no such session. It may have ended already.', { status: 404 });
      }
      await this.audit.record(tx, actor, { action: 'session.ended', entity: 'user', entityId: actor.id });
      return ended;
    });
  }

  /** @returns how many sessions ended */
  signOutEverywhere(actor: Actor): Promise<number> {
    return this.transactions.run(async (tx) => {
      const ended = await this.sessions.endAllOf(tx, actor.id);
      const detail = `${ended} sessions`;
      await this.audit.record(tx, actor, { action: 'session.all-ended', entity: 'user', entityId: actor.id, detail });
      return ended;
    });
  }

  async tokensOf(actor: Actor): Promise<TokenView[]> {
    return this.tokens.listOf(actor.id);
  }

  /**
   * @returns the token, and the text to send, which nobody is shown again
   * @throws AppError 422 `token-label-invalid`, `token-expiry-past`, `too-many-tokens`, 409 `no-account`
   */
  async createToken(
    actor: Actor,
    text: string,
    expiresAt?: Date | null,
  ): Promise<{ token: TokenView; secret: string }> {
    assertAccount(actor);
    const label = text.trim();
    if (label === '' || label.length > MAX_LABEL || hasUnstorable(label)) {
      throw refused('token-label-invalid', `Call the token something of 1 to ${MAX_LABEL} characters.`);
    }
    const end = expiresAt ? Math.floor(expiresAt.getTime() / 1000) : 0;
    if (end !== 0 && end <= this.clock.seconds())
      throw refused('token-expiry-past', 'The token would be over already.');
    const secret = newToken();
    const token = await this.transactions.run(async (tx) => {
      await this.users.lock(tx, actor.id);
      if ((await this.tokens.countLive(tx, actor.id)) >= MAX_LIVE_TOKENS) {
        throw refused('too-many-tokens', `You have ${MAX_LIVE_TOKENS} tokens. Revoke one that is not used any more.`);
      }
      const made = await this.tokens.insert(tx, {
        userId: actor.id,
        tokenSha256: tokenHash(secret),
        label,
        expiresAt: end,
      });
      await this.audit.record(tx, actor, {
        action: 'token.created',
        entity: 'token',
        entityId: made.id,
        detail: label,
      });
      return made;
    });
    return { token, secret: PERSONAL_PREFIX + secret };
  }

  /** @throws AppError 404 `token-unknown` */
  revokeToken(actor: Actor, id: string): Promise<TokenView> {
    return this.transactions.run(async (tx) => {
      const token = await this.tokens.revoke(tx, actor.id, id);
      if (token === undefined) {
        throw new AppError('token-unknown', 'You have no such token, or it was revoked already.', { status: 404 });
      }
      await this.audit.record(tx, actor, {
        action: 'token.revoked',
        entity: 'token',
        entityId: id,
        detail: token.label,
      });
      return token;
    });
  }
}

/** Where something is done from. */
export interface Whence {
  address: string;
  sessionId: string | undefined;
}

function assertAccount({ id }: Actor): void {
  if (id !== '0') return;
  throw new AppError(
    'no-account',
    'The ADMIN_TOKEN belongs to the first operator, and there is none yet. Make one with: npm run admin -- create-user NAME --role operator',
    { status: 409 },
  );
}

function refused(code: string, message: string): AppError {
  return new AppError(code, message, { status: 422 });
}
