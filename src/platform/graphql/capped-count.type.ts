import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('CappedCount', {
  description: 'A count that stops counting: no history is counted to its end for a number',
})
export class CappedCountType {
  @Field(() => Int, { description: 'As far as it was counted' })
  count!: number;

  @Field({ description: 'There are more than that: show it as "1,000+"' })
  capped!: boolean;
}
