import { Args, ArgsType, Field, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { decimalId } from '../lib/decimal-id.js';
import { decodeIdCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import { CurrentActor, Requires } from './access.decorators.js';
import type { Actor, ActorRole } from './actor.js';
import { type AdminEventView, AuditLog } from './audit-log.service.js';
import { AdminEventType, CreateUserInput, RoleEnum, UserType, UserWithPasswordType } from './user.type.js';
import { UsersService, type UserView, type UserWithPassword } from './users.service.js';

const AdminEventConnection = Connection(AdminEventType);
const USER_ID = { type: () => ID, description: 'The user' };

@ArgsType()
export class AdminEventsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only what was done to things of this kind: brand, user' })
  entity?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only what was done to the one with this id; with entity only' })
  entityId?: string | null;
}

/** What operators do about users, and who did what. */
@Resolver()
@Requires('operator')
export class UsersResolver {
  constructor(
    private readonly service: UsersService,
    private readonly audit: AuditLog,
  ) {}

  @Query(() => [UserType], { description: 'Everybody who may or might use the admin, by name' })
  users(): Promise<UserView[]> {
    return this.service.list();
  }

  @Query(() => AdminEventConnection, { description: 'What was done in the admin, newest first' })
  async adminEvents(@Args() args: AdminEventsArgs): Promise<ConnectionOf<AdminEventView>> {
    const after = args.after ? decodeIdCursor(args.after) : undefined;
    const filter = { entity: args.entity ?? undefined, entityId: args.entityId ?? undefined };
    return connectionOf(await this.audit.page(pageSizeOf(args), after, filter), ({ id }) => [id], args.after);
  }

  @Mutation(() => UserWithPasswordType, { description: 'Makes a user, with a password that is shown once' })
  createUser(
    @Args('input', { description: 'Who it is' }) { name, role, password }: CreateUserInput,
    @CurrentActor() actor: Actor,
  ): Promise<UserWithPassword> {
    return this.service.create(actor, name, role, password ?? undefined);
  }

  @Mutation(() => UserType, {
    description: 'Gives a user another role, which holds at once. The last operator stays one',
  })
  setUserRole(
    @Args('id', USER_ID) id: string,
    @Args('role', { type: () => RoleEnum, description: 'What they may do from now on' }) role: ActorRole,
    @CurrentActor() actor: Actor,
  ): Promise<UserView> {
    return this.service.setRole(actor, decimalId(id), role);
  }

  @Mutation(() => UserType, { description: 'Signs a user out everywhere and lets them in no more, tokens included' })
  disableUser(@Args('id', USER_ID) id: string, @CurrentActor() actor: Actor): Promise<UserView> {
    return this.service.setEnabled(actor, decimalId(id), false);
  }

  @Mutation(() => UserType, { description: 'Lets a user in again, with the password and the tokens they had' })
  enableUser(@Args('id', USER_ID) id: string, @CurrentActor() actor: Actor): Promise<UserView> {
    return this.service.setEnabled(actor, decimalId(id), true);
  }

  @Mutation(() => UserWithPasswordType, {
    description: 'Makes a new password, shown once, and signs the user out everywhere',
  })
  resetUserPassword(@Args('id', USER_ID) id: string, @CurrentActor() actor: Actor): Promise<UserWithPassword> {
    return this.service.resetPassword(actor, decimalId(id));
  }
}
