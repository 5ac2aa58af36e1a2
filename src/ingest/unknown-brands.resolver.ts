import { Args, ArgsType, Context, Field, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { BrandType } from '../brands/brand.type.js';
import { decimalId } from '../lib/decimal-id.js';
import { decodeCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import { MakeUnknownBrandInput, UnknownBrandType } from './unknown-brand.type.js';
import { type UnknownBrand, UnknownBrands } from './unknown-brands.service.js';

const UnknownBrandConnection = Connection(UnknownBrandType);
const NAME = { description: 'The name as the list has it' };

@ArgsType()
export class UnknownBrandsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only what this crawler sent' })
  crawler?: string | null;
}

/** Brands that the door does not know: what it turned away, and what editors make of it. */
@Resolver(() => UnknownBrandType)
export class UnknownBrandsResolver {
  constructor(private readonly unknown: UnknownBrands) {}

  @Query(() => UnknownBrandConnection, { description: 'What was turned away for its brand, most recent first' })
  @Requires('viewer')
  async unknownBrands(@Args() args: UnknownBrandsArgs): Promise<ConnectionOf<UnknownBrand>> {
    const after = args.after ? decodeCursor(args.after, 2, 1) : undefined;
    const page = await this.unknown.page(pageSizeOf(args), after, args.crawler);
    return connectionOf(page, ({ lastSeenAt, brand }) => [String(lastSeenAt), brand], args.after);
  }

  @ResolveField(() => [BrandType], { description: 'Brands that may be meant, best first, five at most' })
  async near(@Parent() { brand }: UnknownBrandType, @Context() context: GraphqlContext): Promise<BrandType[]> {
    return (await context.loader('UnknownBrand.near', (names) => this.unknown.nearOf(names)).load(brand)) ?? [];
  }

  @Mutation(() => BrandType, { description: 'Makes it a brand; crawlers that come again are let in' })
  @Requires('editor')
  makeUnknownBrand(
    @Args('brand', NAME) brand: string,
    @Args('input', { nullable: true, description: 'Where it is to be called otherwise' })
    input: MakeUnknownBrandInput,
    @CurrentActor() actor: Actor,
  ): Promise<BrandType> {
    return this.unknown.make(actor, brand, { ...input, name: input?.name ?? brand });
  }

  @Mutation(() => BrandType, { description: 'Makes it an alias of a brand; crawlers that come again are let in' })
  @Requires('editor')
  aliasUnknownBrand(
    @Args('brand', NAME) brand: string,
    @Args('brandId', { type: () => ID, description: 'The brand that it means' }) brandId: string,
    @CurrentActor() actor: Actor,
  ): Promise<BrandType> {
    return this.unknown.alias(actor, brand, decimalId(brandId));
  }

  @Mutation(() => Boolean, { description: 'Takes it off the list, until it is turned away again' })
  @Requires('editor')
  async dismissUnknownBrand(@Args('brand', NAME) brand: string, @CurrentActor() actor: Actor): Promise<boolean> {
    return (await this.unknown.dismiss(actor, brand)) > 0;
  }
}
