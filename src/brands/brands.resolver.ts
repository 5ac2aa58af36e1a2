import { Args, ArgsType, Field, ID, Query, Resolver } from '@nestjs/graphql';
import { Requires } from '../auth/access.decorators.js';
import { AppError } from '../lib/app-error.js';
import { decodeCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import type { Brand } from './brand.entity.js';
import { BrandType } from './brand.type.js';
import { BrandsService } from './brands.service.js';

const BrandConnection = Connection(BrandType);

@ArgsType()
export class BrandsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Part of a name, slug or alias, in any spelling' })
  search?: string | null;
}

@ArgsType()
export class BrandArgs {
  @Field(() => ID, { nullable: true })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Case matters' })
  hashid?: string | null;
}

/** The brands. What a brand shows beside its row is in the fields' resolvers, here and in the rooms above. */
@Resolver()
export class BrandsResolver {
  constructor(private readonly brands: BrandsService) {}

  @Query(() => BrandConnection, { name: 'brands', description: 'All brands, in the order of their slugs' })
  @Requires('viewer')
  async list(@Args() args: BrandsArgs): Promise<ConnectionOf<Brand>> {
    const afterSlug = args.after ? decodeCursor(args.after, 1)[0] : undefined;
    const page = await this.brands.page(pageSizeOf(args), afterSlug, args.search);
    return connectionOf(page, (brand) => [brand.slug], args.after);
  }

  @Query(() => BrandType, { nullable: true, description: 'One brand, by its id or its hashid; given both, by both' })
  @Requires('viewer')
  async brand(@Args() args: BrandArgs): Promise<Brand | null> {
    if (args.id || args.hashid) return (await this.brands.row(args)) ?? null;
    throw new AppError('brand-not-named', 'Which brand? Give its id or its hashid.', { status: 400 });
  }
}
