import { Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { type AnswerSum, CrawlerAnswers } from './crawler-answers.service.js';
import { CrawlerAnswerType, CrawlerSecretType, CrawlerType } from './crawler.type.js';

const LAST_DAY = 'in the last 24 full hours and the current one; up to 30 s late';

/** What a crawler shows beside its row; its three numbers share a statement. */
@Resolver(() => CrawlerType)
export class CrawlerFieldsResolver {
  constructor(private readonly answers: CrawlerAnswers) {}

  @ResolveField(() => DateTime, {
    nullable: true,
    description: 'When it last sent something that one of its secrets signed, up to 30 s late; null: never',
  })
  lastSeenAt(@Parent() { secrets }: CrawlerType): number | null {
    return Math.max(0, ...secrets.map(({ lastUsedAt }) => lastUsedAt)) || null;
  }

  @ResolveField(() => Int, { description: `Messages that became jobs ${LAST_DAY}. Repeated messages are not counted` })
  async accepted24h(@Parent() { id }: CrawlerType, @Context() context: GraphqlContext): Promise<number> {
    return sumOf((await this.lastDay(context, id)).filter(({ answer }) => answer === 'accepted'));
  }

  @ResolveField(() => Int, { description: `What was refused, with a status of 400 or above, ${LAST_DAY}` })
  async refused24h(@Parent() { id }: CrawlerType, @Context() context: GraphqlContext): Promise<number> {
    return sumOf((await this.lastDay(context, id)).filter(isRefusal));
  }

  @ResolveField(() => [CrawlerAnswerType], { description: `Why it was refused ${LAST_DAY}: most frequent first` })
  async refusals24h(@Parent() { id }: CrawlerType, @Context() context: GraphqlContext): Promise<AnswerSum[]> {
    return (await this.lastDay(context, id)).filter(isRefusal);
  }

  private async lastDay(context: GraphqlContext, id: string): Promise<AnswerSum[]> {
    return (await context.loader('Crawler.lastDay', (ids) => this.answers.lastDay(ids)).load(id)) ?? [];
  }
}

/** Times that a row writes as 0 when there is none. */
@Resolver(() => CrawlerSecretType)
export class CrawlerSecretFieldsResolver {
  @ResolveField(() => DateTime, { nullable: true, description: 'When it ends, or ended; null: not by itself' })
  validUntil(@Parent() secret: CrawlerSecretType): number | null {
    return secret.validUntil || null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When it was taken away; null: it was not' })
  revokedAt(@Parent() secret: CrawlerSecretType): number | null {
    return secret.revokedAt || null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When it last signed something; null: never' })
  lastUsedAt(@Parent() secret: CrawlerSecretType): number | null {
    return secret.lastUsedAt || null;
  }
}

function isRefusal({ status }: AnswerSum): boolean {
  return status >= 400;
}

function sumOf(sums: readonly AnswerSum[]): number {
  return sums.reduce((sum, { count }) => sum + count, 0);
}
