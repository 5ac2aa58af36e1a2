import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import { BRAND_STATUSES, type BrandStatus } from './brand.entity.js';

export const BrandStatusEnum = registerEnum('BrandStatus', BRAND_STATUSES, 'Whether a brand stands for itself', {
  active: 'It does',
  merged: 'It became a part of another one, where its id, its hashid and its names lead now',
});

@ObjectType('BrandAlias', { description: 'A name that a brand goes by' })
export class BrandAliasType {
  @Field({ description: 'The name as it is written' })
  alias!: string;

  @Field({ description: 'Where it comes from: name, name_zh, slug or alias' })
  source!: string;
}

@ObjectType('Brand', { description: 'A fashion house' })
export class BrandType {
  @Field(() => ID, { description: 'Its number, which stays; crawlers know it by its hashid' })
  id!: string;

  @Field({ description: 'As it is shown' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The name in Chinese' })
  nameZh!: string | null;

  @Field({ description: 'Its name as a part of addresses; no two brands have the same' })
  slug!: string;

  @Field(() => BrandStatusEnum, { description: 'Whether it stands for itself' })
  status!: BrandStatus;

  @Field(() => ID, { nullable: true, description: 'Id of the brand that this one became a part of' })
  mergedInto!: string | null;

  @Field(() => Int, { description: 'Grows with every change; updateBrand wants to know which one was looked at' })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: number;

  @Field(() => DateTime, { description: 'When its name, address or state last changed' })
  updatedAt!: number;
}

@ObjectType('SharedName', { description: 'A name that two brands go by, so that by it alone neither is meant' })
export class SharedNameType {
  @Field({ description: 'As this brand writes it' })
  alias!: string;

  otherId!: string;
}
