import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import { ACTOR_ROLES, type ActorRole } from './actor.js';

export const RoleEnum = registerEnum(
  'Role',
  ACTOR_ROLES,
  'What somebody may do; each role may do what the ones before it may',
  {
    viewer: 'Looks at everything and changes nothing but their own account',
    editor: 'Decides on brands, galleries and records',
    operator: 'Crawlers, jobs in bulk, pausing, users, and forgetting shows',
  },
);

@ObjectType('Me', { description: 'Whoever is asking' })
export class MeType {
  @Field(() => ID, { description: 'The user’s; 0 for the ADMIN_TOKEN while there is no operator' })
  id!: string;

  @Field({ description: 'As it is shown' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What they may do' })
  role!: ActorRole;
}

@ObjectType('User', { description: 'Somebody who may use the admin. Users are disabled and never deleted' })
export class UserType {
  @Field(() => ID, { description: 'Its number' })
  id!: string;

  @Field({ description: 'What they sign in with; case does not matter there' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What they may do' })
  role!: ActorRole;

  @Field({ description: 'Whether they may sign in' })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'When the user was made' })
  createdAt!: number;

  @Field(() => DateTime, {
    nullable: true,
    description: 'The last sign of life in a live session or by a token, to the minute; null when there is none',
  })
  lastSeenAt!: number | null;
}

@ObjectType('UserWithPassword', { description: 'A user, and the password that was made for them' })
export class UserWithPasswordType {
  @Field(() => UserType, { description: 'The user' })
  user!: UserType;

  @Field(() => String, { nullable: true, description: 'Shown this once and never again; null when it was given' })
  password!: string | null;
}

@InputType({ description: 'A user that is to be made' })
export class CreateUserInput {
  @Field({ description: '1 to 64 letters, digits, spaces and . _ - @; no two differ in case alone' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What they may do' })
  role!: ActorRole;

  @Field(() => String, { nullable: true, description: '10 to 200 characters and not the name; made when left out' })
  password?: string | null;
}

@ObjectType('Session', { description: 'A browser that you are signed in with' })
export class SessionType {
  @Field(() => ID, { description: 'Its number' })
  id!: string;

  @Field({ description: 'Where it was signed in from' })
  address!: string;

  @Field({ description: 'What the browser called itself; empty when it did not' })
  userAgent!: string;

  @Field(() => DateTime, { description: 'When it was signed in' })
  createdAt!: number;

  @Field(() => DateTime, { description: 'Its last request, to the minute' })
  lastSeenAt!: number;

  @Field(() => DateTime, { description: 'When it ends if it is not used; each use moves this to 14 days later' })
  expiresAt!: number;

  @Field({ description: 'Whether it is the one that asks' })
  current!: boolean;
}

@ObjectType('PersonalToken', { description: 'A bearer token for scripts, which may do what you may' })
export class PersonalTokenType {
  @Field(() => ID, { description: 'Its number' })
  id!: string;

  @Field({ description: 'What you call it' })
  label!: string;

  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: number;

  @Field(() => DateTime, { nullable: true, description: 'To the minute; null when it was never used' })
  lastUsedAt!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ends; null for never' })
  expiresAt!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked; null when it was not' })
  revokedAt!: number | null;

  @Field({ description: 'Whether it is neither revoked nor over' })
  live!: boolean;
}

@ObjectType('CreatedPersonalToken', { description: 'A token that was just made' })
export class CreatedPersonalTokenType {
  @Field(() => PersonalTokenType, { description: 'As it will be listed' })
  token!: PersonalTokenType;

  @Field({ description: 'What to send as "Authorization: Bearer …"; shown this once and never again' })
  secret!: string;
}

@ObjectType('AdminEvent', {
  description: 'Something that was done in the admin. What was done to a gallery is in its own history',
})
export class AdminEventType {
  @Field(() => ID, { description: 'Its number; later ones are higher' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was done' })
  at!: number;

  @Field({ description: 'The name, then, of who did it' })
  actor!: string;

  @Field(() => ID, { description: 'The user; 0 for the command line and for the ADMIN_TOKEN without an operator' })
  actorId!: string;

  @Field({ description: 'What was done: brand.merged, user.created' })
  action!: string;

  @Field({ description: 'What kind of thing it was done to: brand, job, crawler, user' })
  entity!: string;

  @Field(() => ID, { description: 'Which of them' })
  entityId!: string;

  @Field(() => String, { nullable: true, description: 'In words; null when the action says it all' })
  detail!: string | null;
}
