import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { Term } from '../taxonomy/terms.js';
import type { GivenOverrides } from './crawl-overrides.js';
import { TermEnum } from './gallery.type.js';
import { RECORD_ACTIONS } from './record-actions.js';

export const RecordActionEnum = registerEnum(
  'RecordAction',
  RECORD_ACTIONS,
  'What an editor may make of an update record',
  {
    retry: 'It failed: try it again, a crawl with overrides if need be (retryUpdateRecord)',
    take: 'It was skipped: write its pictures over the gallery that the archive had (takeCrawl)',
    own_show: 'It was skipped: it is another show than the gallery that the archive had (makeOwnShow)',
    dismiss_suspect: 'It may have been another show: say that it was the same (dismissSuspect)',
  },
);

@InputType({
  description:
    'What is decided against what a crawler sent. What is left out stays as decided before, null takes it back',
})
export class RecordOverridesInput implements GivenOverrides {
  @Field(() => ID, { nullable: true, description: 'Stays until another is named; street style has none' })
  brandId?: string | null;

  @Field(() => Int, { nullable: true, description: 'Four digits, from 1980 to two years ahead' })
  year?: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'The season within the year' })
  term?: Term | null;

  @Field(() => String, { nullable: true, description: 'By its code or any of its names: couture, 高级定制' })
  category?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A city or country by its code or any of its names; "none" for a show without',
  })
  market?: string | null;
}

@ObjectType('RecordOverrides', { description: 'What editors decided against what a crawler sent; null: nothing' })
export class RecordOverridesType {
  @Field(() => ID, { nullable: true, description: 'The brand that it is of' })
  brandId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Four digits' })
  year!: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'The season within the year' })
  term!: Term | null;

  @Field(() => String, { nullable: true, description: 'Its code' })
  category!: string | null;

  @Field(() => String, { nullable: true, description: 'Its code; "none": decided that there is none' })
  market!: string | null;
}
