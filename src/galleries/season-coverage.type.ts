import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { BrandType } from '../brands/brand.type.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { Term } from '../taxonomy/terms.js';
import { TermEnum } from './gallery.type.js';
import { COVERAGE_STATES, EARLIER_YEARS, type CoverageState } from './season-coverage.js';

export const CoverageStateEnum = registerEnum(
  'CoverageState',
  COVERAGE_STATES,
  'What became of a brand’s show of a season and category. Where several are true, the first of these is told',
  {
    published: 'A show is published',
    pending_review: 'A show waits for a review',
    in_progress: 'There is no show yet, or only a rejected or deleted one; a crawl of it waits or runs',
    failed: 'A crawl failed, and since then no show came, was rejected or deleted',
    rejected: 'A show was sent back: the next crawl of it overwrites it',
    skipped: 'The show is deleted, and a crawl of it was turned away for that',
    deleted: 'The show is deleted, whether its files are gone or not, and no crawl of it came again',
    missing: `Nothing of it came, but the brand had such a show, published or in review, in one of the ${EARLIER_YEARS} years before`,
    none: 'Nothing of it came, nor did anything lately',
  },
);

@ObjectType('CoverageCell', { description: 'What became of one brand’s show of one season and category' })
export class CoverageCellType {
  @Field(() => Int, { description: 'As it was asked for' })
  year!: number;

  @Field(() => TermEnum, { description: 'As it was asked for' })
  term!: Term;

  @Field({ description: 'As it was asked for' })
  category!: string;

  @Field(() => CoverageStateEnum, { description: 'How far its show came' })
  state!: CoverageState;

  @Field(() => String, {
    nullable: true,
    description: 'coed when a co-ed show answers for ready-to-wear or menswear; null when the category does itself',
  })
  via!: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The gallery, the newest if there are several in this state; null when the state is not one of a gallery',
  })
  galleryId!: string | null;

  @Field(() => Int, {
    description: 'How many galleries of it are not deleted: shows in several cities, in any review state',
  })
  galleryCount!: number;

  @Field(() => ID, {
    nullable: true,
    description:
      'The update record that tells more, the newest if there are several: in_progress, failed and skipped only',
  })
  recordId!: string | null;

  @Field(() => Int, { nullable: true, description: 'For missing: the last year in which the brand had such a show' })
  lastYear!: number | null;
}

@ObjectType('BrandCoverage', { description: 'One brand in a table of brands and seasons' })
export class BrandCoverageType {
  @Field(() => BrandType, { description: 'The brand' })
  brand!: BrandType;

  @Field(() => [CoverageCellType], {
    description: 'One for each season and category, season by season in the order in which they were asked for',
  })
  cells!: CoverageCellType[];
}

@ObjectType('CoverageCount', { description: 'How many brands are in one state' })
export class CoverageCountType {
  @Field(() => CoverageStateEnum, { description: 'The state' })
  state!: CoverageState;

  @Field(() => Int, { description: 'How many brands' })
  brands!: number;
}

@ObjectType('CoverageSummary', { description: 'How far the brands’ shows of one season and category came' })
export class CoverageSummaryType {
  @Field(() => Int, { description: 'As it was asked for' })
  year!: number;

  @Field(() => TermEnum, { description: 'As it was asked for' })
  term!: Term;

  @Field({ description: 'As it was asked for' })
  category!: string;

  @Field(() => [CoverageCountType], { description: 'Every state once, those without any brand too' })
  states!: CoverageCountType[];
}
