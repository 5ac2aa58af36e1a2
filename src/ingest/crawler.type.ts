import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';

export const REVOKED_SECRETS = ['all', 'old'] as const;
export type RevokedSecrets = (typeof REVOKED_SECRETS)[number];

export const RevokedSecretsEnum = registerEnum('RevokedSecrets', REVOKED_SECRETS, 'Which secrets are taken away', {
  all: 'All: the crawler is shut out until it gets a new one',
  old: 'All but the newest',
});

@ObjectType('CrawlerSecret', { description: 'A secret that a crawler signs with. The secret itself is never shown' })
export class CrawlerSecretType {
  @Field(() => ID, { description: 'What it is revoked by' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: number;

  @Field({ description: 'It is taken now: neither revoked nor past its end' })
  live!: boolean;

  validUntil!: number;
  revokedAt!: number;
  lastUsedAt!: number;
}

@ObjectType('CrawlerAnswer', { description: 'How often a crawler was given one answer' })
export class CrawlerAnswerType {
  @Field({ description: 'The code of the problem that it was told: brand-unknown, rate-limited' })
  answer!: string;

  @Field(() => Int, { description: 'The HTTP status that it came with' })
  status!: number;

  @Field(() => Int, { description: 'How often' })
  count!: number;
}

@ObjectType('HourlyAnswers', { description: 'How often one answer was given in one hour' })
export class HourlyAnswersType {
  @Field(() => DateTime, { description: 'When the hour began' })
  hour!: number;

  @Field({
    description:
      'accepted (a job was made), duplicate (the message had come before), answered (a question), or a problem’s code',
  })
  answer!: string;

  @Field(() => Int, { description: 'The HTTP status that it came with; from 400 on it was refused' })
  status!: number;

  @Field(() => Int, { description: 'How often' })
  count!: number;
}

@ObjectType('Crawler', { description: 'A program that may post shows to the intake' })
export class CrawlerType {
  @Field(() => ID, { description: 'Its number' })
  id!: string;

  @Field({ description: 'What it calls itself in x-ingest-crawler; no two are called the same' })
  name!: string;

  @Field({ description: 'When false, whatever it sends is answered 403' })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: number;

  @Field(() => [CrawlerSecretType], { description: 'Oldest first; those that are not live any more too' })
  secrets!: CrawlerSecretType[];
}

@ObjectType('NewCrawlerSecret', { description: 'A secret that was just made. Show it now: it cannot be read again' })
export class NewCrawlerSecretType {
  @Field(() => CrawlerType, { description: 'Whose it is, with this secret among its own' })
  crawler!: CrawlerType;

  @Field(() => ID, { description: 'What it is revoked by' })
  secretId!: string;

  @Field({ description: 'The secret, whsec_ and base64; for the crawler’s settings and for nothing else' })
  secret!: string;
}
