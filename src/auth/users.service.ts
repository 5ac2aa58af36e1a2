import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../lib/app-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import { type Actor, type ActorRole, COMMAND_LINE } from './actor.js';
import { AuditLog } from './audit-log.service.js';
import { assertPassword, hashPassword, makePassword } from './passwords.js';
import { userNameKey, userNameOf } from './user-name.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { type UserSecrets, UsersRepository, type UserView } from './users.repository.js';

export type { UserView } from './users.repository.js';

/** A user, and a password that was made for them; nobody is shown it again. */
export interface UserWithPassword {
  user: UserView;
  /** Null where it was given and not made. */
  password: string | null;
}

const FIRST_USER = 'admin';

/** Something that is done to a locked user, locked together with the enabled operators. */
type Change = (tx: EntityManager, user: UserSecrets, locked: readonly UserSecrets[]) => Promise<void>;

/** Who may use the admin, and as what; for operators and the command line. */
@Injectable()
export class UsersService implements OnModuleInit {
  private readonly logger = new Logger('Users');

  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: UserSessionsRepository,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Makes the operator of the embedded default; elsewhere it says how to make one. */
  async onModuleInit(): Promise<void> {
    if (!this.config.roles.has('admin') || (await this.users.any())) return;
    const { adminPassword } = this.config.secrets;
    if (adminPassword === undefined) {
      this.logger.log('There is no user yet. Make one with: npm run admin -- create-user NAME --role operator');
      return;
    }
    await this.add(COMMAND_LINE, FIRST_USER, 'operator', adminPassword);
  }

  list(): Promise<UserView[]> {
    return this.users.list();
  }

  /**
   * @param password made when left out
   * @throws AppError 422 `user-name-invalid`, `user-exists`, `password-too-weak`
   */
  async create(actor: Actor, name: string, role: ActorRole, password?: string): Promise<UserWithPassword> {
    const user = await this.add(actor, name, role, password ?? makePassword);
    if (user !== undefined) return user;
    throw new AppError('user-exists', `There is a user "${name.trim()}" already. Take another name.`, { status: 422 });
  }

  /** @throws AppError 404 `user-unknown`, 409 `last-operator` */
  setRole(actor: Actor, id: string, role: ActorRole): Promise<UserView> {
    return this.change(id, async (tx, user, locked) => {
      if (user.role === role) return;
      if (role !== 'operator') assertNotTheLast(user, locked);
      await this.users.setRole(tx, id, role);
      await this.record(tx, actor, user, 'role-changed', `${user.role} → ${role}`);
    });
  }

  /** Who is disabled is signed out everywhere, and their tokens rest. @throws AppError 404 `user-unknown`, 409 `last-operator` */
  setEnabled(actor: Actor, id: string, enabled: boolean): Promise<UserView> {
    return this.change(id, async (tx, user, locked) => {
      if (user.enabled === enabled) return;
      if (!enabled) {
        assertNotTheLast(user, locked);
        await this.sessions.endAllOf(tx, id);
      }
      await this.users.setEnabled(tx, id, enabled);
      await this.record(tx, actor, user, enabled ? 'enabled' : 'disabled');
    });
  }

  /** Ends every session of the user. @param given made when left out @throws AppError 404 `user-unknown`, 422 `password-too-weak` */
  async resetPassword(actor: Actor, id: string, given?: string): Promise<UserWithPassword> {
    const password = given ?? makePassword();
    const passwordHash = await hashPassword(password);
    const user = await this.change(id, async (tx, found) => {
      assertPassword(password, found.name);
      await this.users.setPassword(tx, id, passwordHash);
      await this.sessions.endAllOf(tx, id);
      await this.record(tx, actor, found, 'password-reset');
    });
    return { user, password: given === undefined ? password : null };
  }

  /** @throws AppError 404 `user-unknown` */
  async idOf(name: string): Promise<string> {
    const user = await this.users.byKey(userNameKey(name));
    if (user !== undefined) return user.id;
    throw new AppError('user-unknown', `There is no user "${name}".`, { status: 404 });
  }

  private async add(
    actor: Actor,
    given: string,
    role: ActorRole,
    from: string | (() => string),
  ): Promise<UserWithPassword | undefined> {
    const name = userNameOf(given);
    const password = typeof from === 'string' ? from : from();
    assertPassword(password, name);
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const id = await this.users.insert(tx, { name, nameKey: userNameKey(name), role, passwordHash });
      const user = id === undefined ? undefined : await this.users.view(tx, id);
      if (user === undefined) return undefined;
      await this.record(tx, actor, user, 'created', role);
      return { user, password: typeof from === 'string' ? null : password };
    });
  }

  private change(id: string, work: Change): Promise<UserView> {
    return this.transactions.run(async (tx) => {
      const locked = await this.users.lockWithOperators(tx, id);
      const found = locked.find((user) => user.id === id);
      if (found !== undefined) await work(tx, found, locked);
      const user = await this.users.view(tx, id);
      if (user !== undefined) return user;
      throw new AppError('user-unknown', 'There is no such user.', { status: 404 });
    });
  }

  private record(
    tx: EntityManager,
    actor: Actor,
    { id, name }: Pick<UserView, 'id' | 'name'>,
    what: string,
    how?: string,
  ): Promise<void> {
    const detail = how === undefined ? name : `${name}: ${how}`;
    return this.audit.record(tx, actor, { action: `user.${what}`, entity: 'user', entityId: id, detail });
  }
}

/** Nobody could ever make an operator again. */
function assertNotTheLast(user: UserSecrets, locked: readonly UserSecrets[]): void {
  const operators = locked.filter(({ role, enabled }) => role === 'operator' && enabled);
  if (!operators.includes(user) || operators.length > 1) return;
  throw new AppError('last-operator', 'This is the only operator. Make another user operator first.', { status: 409 });
}
