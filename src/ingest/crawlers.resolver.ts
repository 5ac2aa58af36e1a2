import { Args, ArgsType, Field, Float, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { AppError } from '../lib/app-error.js';
import { decimalId } from '../lib/decimal-id.js';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { CrawlerAnswers, type HourlyAnswer } from './crawler-answers.service.js';
import {
  CrawlerType,
  HourlyAnswersType,
  NewCrawlerSecretType,
  type RevokedSecrets,
  RevokedSecretsEnum,
} from './crawler.type.js';
import { CrawlersService, type CrawlerView, type MadeSecret, type WhichSecrets } from './crawlers.service.js';

const NAME = { description: 'The crawler’s name' };

@ArgsType()
export class AnswersPerHourArgs {
  @Field(() => DateTime, { description: 'Begin; its whole hour belongs to it' })
  from!: Date;

  @Field(() => DateTime, { description: 'End, 31 days later at most; the hour that is under way then belongs to it' })
  to!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'Only this crawler; when left out, all together, and whoever could not prove to be one',
  })
  name?: string | null;
}

@ArgsType()
export class RevokeSecretsArgs {
  @Field(() => String, NAME)
  name!: string;

  @Field(() => RevokedSecretsEnum, { nullable: true, description: 'Several of them; either this or secretId' })
  which?: RevokedSecrets | null;

  @Field(() => ID, { nullable: true, description: 'This one alone' })
  secretId?: string | null;
}

/** The crawlers, and who may post. */
@Resolver()
export class CrawlersResolver {
  constructor(
    private readonly crawlers: CrawlersService,
    private readonly answers: CrawlerAnswers,
  ) {}

  @Query(() => [CrawlerType], { name: 'crawlers', description: 'Every crawler, by name' })
  @Requires('viewer')
  list(): Promise<CrawlerView[]> {
    return this.crawlers.list();
  }

  @Query(() => [HourlyAnswersType], {
    description:
      'How the intake answered, by hour and answer, oldest first; hours and answers without any are left out',
  })
  @Requires('viewer')
  crawlerAnswersPerHour(@Args() { from, to, name }: AnswersPerHourArgs): Promise<HourlyAnswer[]> {
    return this.answers.perHour(from, to, name);
  }

  @Mutation(() => NewCrawlerSecretType, { description: 'Makes a crawler, with its first secret' })
  @Requires('operator')
  async createCrawler(
    @Args('name', { description: '1 to 64 of A-Z a-z 0-9 . _ - and first a letter or a digit' }) name: string,
    @CurrentActor() actor: Actor,
  ): Promise<NewCrawlerSecretType> {
    return shownOnce(await this.crawlers.create(actor, name));
  }

  @Mutation(() => NewCrawlerSecretType, {
    description: 'Gives a crawler a new secret, three live ones at most. Those that it has go on for a while',
  })
  @Requires('operator')
  async rotateCrawlerSecret(
    @Args('name', NAME) name: string,
    @Args('overlapHours', {
      type: () => Float,
      defaultValue: 24,
      description: 'How long its present secrets go on, in hours: 0 to 2160. One that ends sooner keeps its end',
    })
    overlapHours: number,
    @CurrentActor() actor: Actor,
  ): Promise<NewCrawlerSecretType> {
    return shownOnce(await this.crawlers.rotate(actor, name, overlapHours * 3_600));
  }

  @Mutation(() => CrawlerType, { description: 'Takes secrets away for good, within 5 s in every process' })
  @Requires('operator')
  async revokeCrawlerSecrets(@Args() args: RevokeSecretsArgs, @CurrentActor() actor: Actor): Promise<CrawlerView> {
    await this.crawlers.revoke(actor, args.name, whichOf(args));
    return this.crawlers.byName(args.name);
  }

  @Mutation(() => CrawlerType, { description: 'Lets a crawler in or shuts it out, within 5 s in every process' })
  @Requires('operator')
  async switchCrawler(
    @Args('name', NAME) name: string,
    @Args('enabled', { description: 'false: whatever it sends is answered 403' }) enabled: boolean,
    @CurrentActor() actor: Actor,
  ): Promise<CrawlerView> {
    await this.crawlers.setEnabled(actor, name, enabled);
    return this.crawlers.byName(name);
  }
}

function shownOnce({ id, secret, crawler }: MadeSecret): NewCrawlerSecretType {
  return { secretId: id, secret, crawler };
}

/** Nothing is the default: nobody shall shut a crawler out by what they forgot to say. */
function whichOf({ which, secretId }: RevokeSecretsArgs): WhichSecrets {
  if (secretId && !which) return { id: decimalId(secretId) };
  if (which && !secretId) return which;
  throw new AppError('secrets-not-chosen', 'Say either which secrets are to go (all, or old), or the id of one.', {
    status: 400,
  });
}
