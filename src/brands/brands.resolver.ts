import { Args, ArgsType, Field, ID, Query, Resolver } from '@nestjs/graphql';
import { Requires } from '../auth/access.decorators.js';
import { AppError } from '../lib/app-error.js';
import { decodeCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { Brand, BrandStatus } from './brand.entity.js';
import { BrandStatusEnum, BrandType } from './brand.type.js';
import { type BrandSort, BrandsService } from './brands.service.js';

const BrandConnection = Connection(BrandType);
const BrandSortEnum = registerEnum('BrandSort', ['slug', 'newest'] satisfies BrandSort[], 'The order of brands', {
  slug: 'By slug, from a to z: the order of names as good as can be in any script',
  newest: 'Those that were made last come first',
});

@ArgsType()
export class BrandsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Part of a name, Chinese name, slug or alias, whatever its case, accents and punctuation; its words in any order. ' +
      'Or a whole hashid, which finds its brand even when that is merged: see status and mergedInto',
  })
  search?: string | null;

  @Field(() => [BrandStatusEnum], {
    nullable: true,
    description: 'Only brands in one of these states; when left out, active ones',
  })
  status?: BrandStatus[] | null;

  @Field(() => BrandSortEnum, { defaultValue: 'slug', description: 'A cursor belongs to the order it came from' })
  sort!: BrandSort;
}

@ArgsType()
export class BrandArgs {
  @Field(() => ID, { nullable: true, description: 'Its number' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Case matters' })
  hashid?: string | null;
}

/** The brands. What a brand shows beside its row is in the fields' resolvers, here and in the rooms above. */
@Resolver()
export class BrandsResolver {
  constructor(private readonly brands: BrandsService) {}

  @Query(() => BrandConnection, { name: 'brands', description: 'Brands, in the order of their slugs or newest first' })
  @Requires('viewer')
  async list(@Args() args: BrandsArgs): Promise<ConnectionOf<Brand>> {
    const { sort, search, status } = args;
    const after = args.after ? afterOf(args.after, sort) : undefined;
    const page = await this.brands.page({
      first: pageSizeOf(args),
      sort,
      after,
      search,
      statuses: status ?? undefined,
    });
    return connectionOf(page, (brand) => keyOf(brand, sort), args.after);
  }

  @Query(() => BrandType, { nullable: true, description: 'One brand, by its id or its hashid; given both, by both' })
  @Requires('viewer')
  async brand(@Args() args: BrandArgs): Promise<Brand | null> {
    if (args.id || args.hashid) return (await this.brands.row(args)) ?? null;
    throw new AppError('brand-not-named', 'Which brand? Give its id or its hashid.', { status: 400 });
  }
}

function keyOf(brand: Brand, sort: BrandSort): string[] {
  return sort === 'newest' ? [String(brand.createdAt), brand.id] : [brand.slug];
}

function afterOf(cursor: string, sort: BrandSort): string[] {
  return sort === 'newest' ? decodeCursor(cursor, 2, 2) : decodeCursor(cursor, 1);
}
