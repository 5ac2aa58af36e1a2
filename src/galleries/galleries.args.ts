import { ArgsType, Field, ID, Int } from '@nestjs/graphql';
import { decimalId } from '../lib/decimal-id.js';
import { decodeCursor } from '../lib/keyset-cursor.js';
import { PageArgs } from '../platform/graphql/page-args.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { Term } from '../taxonomy/terms.js';
import type { GalleryStatus } from './crawl-decision.js';
import type { GalleryFlag } from './gallery-flags.js';
import { GALLERY_BUDGETS, GALLERY_SORTS, type GalleryFilter, type GallerySort } from './gallery-list.repository.js';
import { GalleryFlagEnum, GalleryKindEnum, GalleryStatusEnum, TermEnum } from './gallery.type.js';

export const GallerySortEnum = registerEnum('GallerySort', GALLERY_SORTS, 'The order of galleries', {
  newest: 'Those that were made last come first',
  oldest: 'Those that were made first come first',
  updated: 'Those that something was done to last come first',
});

/** What the list says of its bounds, for the description of the query. */
export const LIST_BOUNDS =
  `A page looks through ${GALLERY_BUDGETS.rows.toLocaleString('en')} galleries at most (${GALLERY_BUDGETS.pictures} with the ` +
  'flag shared_pictures), and may end before it is full, or be empty: as long as hasNextPage is true, endCursor goes on';

@ArgsType()
export class GalleriesArgs extends PageArgs {
  @Field(() => GalleryStatusEnum, { nullable: true, description: 'Only galleries that stand so in review' })
  status?: GalleryStatus | null;

  @Field(() => GalleryKindEnum, { nullable: true, description: 'Only shows, or only street style' })
  kind?: GalleryKind | null;

  @Field(() => ID, { nullable: true, description: 'Only galleries of this brand' })
  brandId?: string | null;

  @Field(() => Int, { nullable: true, description: 'Only galleries of this year' })
  year?: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'Only galleries of this season within a year' })
  term?: Term | null;

  @Field(() => String, { nullable: true, description: 'Only galleries of this category, by its code' })
  category?: string | null;

  @Field(() => String, { nullable: true, description: 'Only galleries of this city or country, by its code' })
  market?: string | null;

  @Field(() => [GalleryFlagEnum], { nullable: true, description: 'Only galleries that have all of these flags' })
  flags?: GalleryFlag[] | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'The trash, instead of all that is not in it. What was forgotten is in neither',
  })
  deleted!: boolean;

  @Field(() => GallerySortEnum, { defaultValue: 'newest', description: 'A cursor belongs to the order it came from' })
  sort!: GallerySort;
}

/** @throws AppError 400 `id-invalid` */
export function galleryFilterOf(args: GalleriesArgs): GalleryFilter {
  const { status, kind, brandId, year, term, category, market, flags, deleted } = args;
  return {
    status: status ?? undefined,
    kind: kind ?? undefined,
    brandId: brandId ? decimalId(brandId) : undefined,
    year: year ?? undefined,
    term: term ?? undefined,
    category: category ?? undefined,
    market: market ?? undefined,
    flags: flags ?? undefined,
    deleted,
  };
}

/** @throws AppError 400 `cursor-invalid` */
export function galleryAfterOf({ after, sort }: GalleriesArgs): string[] | undefined {
  if (!after) return undefined;
  const parts = sort === 'updated' ? 2 : 1;
  return decodeCursor(after, parts, parts);
}
