import { Injectable } from '@nestjs/common';
import { AppError } from '../lib/app-error.js';
import { storable } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import type { Actor } from './actor.js';
import { AuditLog } from './audit-log.service.js';
import { isToken, newToken, tokenHash } from './opaque-token.js';
import { isPassword } from './passwords.js';
import { SignInLimit } from './sign-in-limit.service.js';
import { userNameKey } from './user-name.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UsersRepository } from './users.repository.js';

/** Where somebody signs in from, for people to see in their list of sessions. */
export interface Whereabouts {
  address: string;
  userAgent: string;
}

const MAX_USER_AGENT = 300;

/** Names and passwords become sessions, and sessions end. */
@Injectable()
export class SignIn {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: UserSessionsRepository,
    private readonly limit: SignInLimit,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @returns the new session's token, and whose it is
   * @throws AppError 401 `login-failed`: the same, after the same work, whatever was wrong; 429 `rate-limited`
   */
  async signIn(name: string, password: string, from: Whereabouts): Promise<{ token: string; actor: Actor }> {
    await this.limit.take(name, from.address);
    const user = await this.users.byKey(userNameKey(name));
    const isRight = await isPassword(password, user?.passwordHash);
    if (user === undefined || !isRight || !user.enabled) throw loginFailed();
    const actor: Actor = { id: user.id, name: user.name, role: user.role };
    const token = newToken();
    const made = await this.transactions.run(async (tx) => {
      const session = await this.sessions.insert(tx, {
        userId: user.id,
        passwordHash: user.passwordHash,
        tokenSha256: tokenHash(token),
        address: from.address,
        userAgent: storable(from.userAgent, MAX_USER_AGENT),
      });
      if (session === undefined) return false;
      await this.limit.giveBack(tx, name, from.address);
      await this.audit.record(tx, actor, { action: 'user.signed-in', entity: 'user', entityId: user.id });
      return true;
    });
    // Between the look at the password and the session it was changed, or the user disabled.
    if (!made) throw loginFailed();
    return { token, actor };
  }

  /** Ends the session of a cookie, if it is one. */
  async signOut(token: string): Promise<void> {
    if (isToken(token)) await this.sessions.endByToken(tokenHash(token));
  }
}

function loginFailed(): AppError {
  return new AppError(
    'login-failed',
    'Name or password is not right. Try again, or ask an operator for a new password.',
    {
      status: 401,
    },
  );
}
