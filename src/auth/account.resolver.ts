import { Args, Context, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { decimalId } from '../lib/decimal-id.js';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { CurrentActor, CurrentSession, Requires } from './access.decorators.js';
import { Account, type SessionView, type TokenView } from './account.service.js';
import type { Actor } from './actor.js';
import { CreatedPersonalTokenType, MeType, PersonalTokenType, SessionType } from './user.type.js';

type Shown = SessionView & { current: boolean };

/** What everybody may do with their own account. */
@Resolver()
@Requires('viewer')
export class AccountResolver {
  constructor(private readonly account: Account) {}

  @Query(() => MeType, { description: 'Whoever is asking' })
  me(@CurrentActor() actor: Actor): Actor {
    return actor;
  }

  @Query(() => [SessionType], { description: 'Where you are signed in, the last used first' })
  async sessions(@CurrentActor() actor: Actor, @CurrentSession() current: string | undefined): Promise<Shown[]> {
    return (await this.account.sessionsOf(actor)).map((session) => shown(session, current));
  }

  @Query(() => [PersonalTokenType], { description: 'Your tokens, newest first, those that are over too' })
  personalTokens(@CurrentActor() actor: Actor): Promise<TokenView[]> {
    return this.account.tokensOf(actor);
  }

  @Mutation(() => MeType, { description: 'Changes your password, and signs you out everywhere but here' })
  changePassword(
    @Args('current', { description: 'The password that you have' }) current: string,
    @Args('next', { description: '10 to 200 characters, and not your name' }) next: string,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string | undefined,
    @Context() { req }: GraphqlContext,
  ): Promise<Actor> {
    return this.account.changePassword(actor, current, next, { address: req.ip, sessionId });
  }

  @Mutation(() => SessionType, { description: 'Signs you out in one browser, and answers its session as it was' })
  async endSession(
    @Args('id', { type: () => ID, description: 'The session' }) id: string,
    @CurrentActor() actor: Actor,
    @CurrentSession() current: string | undefined,
  ): Promise<Shown> {
    return shown(await this.account.endSession(actor, decimalId(id)), current);
  }

  @Mutation(() => Int, { description: 'Signs you out in every browser, this one too, and tells how many that were' })
  signOutEverywhere(@CurrentActor() actor: Actor): Promise<number> {
    return this.account.signOutEverywhere(actor);
  }

  @Mutation(() => CreatedPersonalTokenType, { description: 'Makes a bearer token, which is shown once' })
  createPersonalToken(
    @Args('label', { description: 'What you will know it by, at most 100 characters' }) label: string,
    @Args('expiresAt', { type: () => DateTime, nullable: true, description: 'When it ends; never when left out' })
    expiresAt: Date | null,
    @CurrentActor() actor: Actor,
  ): Promise<{ token: TokenView; secret: string }> {
    return this.account.createToken(actor, label, expiresAt);
  }

  @Mutation(() => PersonalTokenType, { description: 'Takes a token away, for good and at once' })
  revokePersonalToken(
    @Args('id', { type: () => ID, description: 'The token' }) id: string,
    @CurrentActor() actor: Actor,
  ): Promise<TokenView> {
    return this.account.revokeToken(actor, decimalId(id));
  }
}

function shown(session: SessionView, current: string | undefined): Shown {
  return { ...session, current: session.id === current };
}
