import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';

@ObjectType('UnknownBrand', { description: 'A name of a brand for which crawlers were turned away' })
export class UnknownBrandType {
  @Field({ description: 'As the crawlers send it: a name, or a hashid or id if they send no name; empty if nothing' })
  brand!: string;

  @Field(() => [String], {
    description:
      'Why: brand-unknown, brand-ambiguous (a name of several brands), brand-mismatch (names and ids disagree)',
  })
  codes!: string[];

  @Field(() => [String], { description: 'The crawlers that sent it' })
  crawlers!: string[];

  @Field({ description: 'Title of what was turned away last' })
  lastTitle!: string;

  @Field(() => Int, { description: 'How many messages were turned away' })
  count!: number;

  @Field(() => DateTime, { description: 'When it was turned away first' })
  firstSeenAt!: number;

  @Field(() => DateTime, { description: 'When it was turned away last' })
  lastSeenAt!: number;
}

@InputType({ description: 'How an unknown brand is made, where that differs from what the crawlers call it' })
export class MakeUnknownBrandInput {
  @Field(() => String, { nullable: true, description: 'Its right name; what the crawlers call it becomes an alias' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'The name in Chinese' })
  nameZh?: string | null;

  @Field(() => String, { nullable: true, description: 'Its address; made of the name when left out' })
  slug?: string | null;
}
