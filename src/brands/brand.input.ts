import { Field, InputType } from '@nestjs/graphql';

@InputType({ description: 'A brand that is to be made' })
export class CreateBrandInput {
  @Field({ description: 'At most 200 characters, one of them a letter or a digit' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The name in Chinese' })
  nameZh?: string | null;

  @Field(() => String, { nullable: true, description: 'Its address; made of the name when left out' })
  slug?: string | null;

  @Field(() => [String], { nullable: true, description: 'Further names that it goes by' })
  aliases?: string[] | null;
}

@InputType({ description: 'What is to be different; what is left out stays as it is' })
export class UpdateBrandInput {
  @Field(() => String, { nullable: true, description: 'The name it had goes on as an alias' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'The name in Chinese; null takes it away' })
  nameZh?: string | null;

  @Field(() => String, { nullable: true, description: 'Its address; the one it had goes on as an alias' })
  slug?: string | null;
}
