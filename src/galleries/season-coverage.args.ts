import { ArgsType, Field, ID, InputType, Int } from '@nestjs/graphql';
import { AppError } from '../lib/app-error.js';
import { decimalId } from '../lib/decimal-id.js';
import { PageArgs } from '../platform/graphql/page-args.js';
import { isCategoryOf } from '../taxonomy/categories.js';
import type { Term } from '../taxonomy/terms.js';
import { FIRST_YEAR } from '../taxonomy/years.js';
import { TermEnum } from './gallery.type.js';
import type { CoverageState, Season } from './season-coverage.js';
import type { CoverageAsked } from './season-coverage.service.js';
import { CoverageStateEnum } from './season-coverage.type.js';

const MAX_SEASONS = 6;
const MAX_CATEGORIES = 5;
const MAX_BRANDS = 100;
const LAST_YEAR = 2100;
const USUAL_CATEGORIES = ['rtw', 'menswear', 'couture'];

const SEASONS = `1 to ${MAX_SEASONS} different seasons`;
const CATEGORIES = `1 to ${MAX_CATEGORIES} different categories of shows; when left out, ${USUAL_CATEGORIES.join(', ')}`;
const BRANDS = `Only these brands, ${MAX_BRANDS} at most; not together with search`;
const SEARCH = 'Only brands with this in a name, as in brands(search)';

@InputType({ description: 'A season: a year and its term' })
export class SeasonInput implements Season {
  @Field(() => Int, { description: `${FIRST_YEAR} to ${LAST_YEAR}` })
  year!: number;

  @Field(() => TermEnum, { description: 'The season within the year' })
  term!: Term;
}

interface AskedArgs {
  seasons: readonly Season[];
  categories?: readonly string[] | null;
  brandIds?: readonly string[] | null;
  search?: string | null;
  state?: readonly CoverageState[] | null;
}

@ArgsType()
export class SeasonCoverageArgs extends PageArgs implements AskedArgs {
  @Field(() => [SeasonInput], { description: SEASONS })
  seasons!: SeasonInput[];

  @Field(() => [String], { nullable: true, description: CATEGORIES })
  categories?: string[] | null;

  @Field(() => [ID], { nullable: true, description: BRANDS })
  brandIds?: string[] | null;

  @Field(() => String, { nullable: true, description: SEARCH })
  search?: string | null;

  @Field(() => [CoverageStateEnum], {
    nullable: true,
    description: 'Only brands that have one of these states in some cell; their other cells are shown as well',
  })
  state?: CoverageState[] | null;
}

@ArgsType()
export class SeasonCoverageSummaryArgs implements AskedArgs {
  @Field(() => [SeasonInput], { description: SEASONS })
  seasons!: SeasonInput[];

  @Field(() => [String], { nullable: true, description: CATEGORIES })
  categories?: string[] | null;

  @Field(() => [ID], { nullable: true, description: BRANDS })
  brandIds?: string[] | null;

  @Field(() => String, { nullable: true, description: SEARCH })
  search?: string | null;
}

/** @throws AppError 400 `seasons-invalid`, `categories-invalid`, `too-many-ids`, `id-invalid`, `brands-chosen-twice` */
export function coverageAsked({ seasons, categories, brandIds, search, state }: AskedArgs): CoverageAsked {
  if (brandIds && search) {
    throw refused('brands-chosen-twice', 'Choose brands either by their ids or by a search.');
  }
  if (brandIds && brandIds.length > MAX_BRANDS) {
    throw refused('too-many-ids', `Ask for ${MAX_BRANDS} brands at most.`);
  }
  return {
    seasons: readSeasons(seasons),
    categories: readCategories(categories ?? USUAL_CATEGORIES),
    brandIds: brandIds?.map((id) => decimalId(id)),
    search: search ?? undefined,
    states: state ?? undefined,
  };
}

function readSeasons(seasons: readonly Season[]): Season[] {
  const isFine = seasons.every(({ year }) => year >= FIRST_YEAR && year <= LAST_YEAR);
  const different = new Set(seasons.map(({ year, term }) => `${year} ${term}`)).size;
  if (isFine && isWithin(seasons.length, different, MAX_SEASONS))
    return seasons.map(({ year, term }) => ({ year, term }));
  throw refused('seasons-invalid', `Ask for ${SEASONS}, of the years ${FIRST_YEAR} to ${LAST_YEAR}.`);
}

function readCategories(categories: readonly string[]): readonly string[] {
  const isFine = categories.every((code) => isCategoryOf('runway', code));
  if (isFine && isWithin(categories.length, new Set(categories).size, MAX_CATEGORIES)) return categories;
  throw refused('categories-invalid', `Ask for 1 to ${MAX_CATEGORIES} different categories that shows have here.`);
}

function isWithin(count: number, different: number, most: number): boolean {
  return count >= 1 && count <= most && different === count;
}

function refused(code: string, message: string): AppError {
  return new AppError(code, message, { status: 400 });
}
