import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { CappedCount } from '../jobs/update-records.service.js';
import { CappedCountType } from '../platform/graphql/capped-count.type.js';
import type { BrandConflict } from './brand-references.js';
import { BrandType } from './brand.type.js';

@ObjectType('BrandMergeConflict', { description: 'A show that both brands have, so that they cannot be merged' })
export class BrandMergeConflictType implements BrandConflict {
  @Field({ description: 'Its season, category and market, as people read them' })
  label!: string;

  @Field(() => ID, { description: 'The gallery of the brand that would become a part of the other' })
  galleryId!: string;

  @Field(() => ID, { description: 'The gallery of the brand that stays' })
  otherGalleryId!: string;
}

@ObjectType('BrandMerge', { description: 'What merging two brands did, or would do' })
export class BrandMergeType {
  @Field({ description: 'Whether it was done: false for a dry run' })
  done!: boolean;

  @Field(() => BrandType, { description: 'The brand that becomes a part of the other' })
  brand!: BrandType;

  @Field(() => BrandType, { description: 'The brand that stays' })
  survivor!: BrandType;

  @Field(() => Int, { description: 'Galleries that move, those in the trash too' })
  galleries!: number;

  @Field(() => CappedCountType, {
    description: 'Update records that move: the newest at once, a long history within minutes',
  })
  records!: CappedCount;

  @Field(() => [BrandMergeConflictType], {
    description:
      'What stands in the way, a hundred at most; the mutation fails with shows-conflict while there are any',
  })
  conflicts!: BrandConflict[];
}
