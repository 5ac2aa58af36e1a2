import { Field, InputType, Int } from '@nestjs/graphql';
import type { Term } from '../taxonomy/terms.js';
import { TermEnum } from './gallery.type.js';

@InputType({ description: 'Which show a gallery is. What is left out stays as it is' })
export class ChangeGalleryInput {
  @Field(() => Int, { nullable: true, description: 'null takes it away, which only street style can do without' })
  year?: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'null takes it away, which only street style can do without' })
  term?: Term | null;

  @Field(() => String, {
    nullable: true,
    description: 'By its code or any of its names. Given as it is, it confirms a guess',
  })
  category?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'City or country, by its code or any of its names; null takes it away',
  })
  market?: string | null;
}
