import { Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { BrandType } from '../brands/brand.type.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { BrandGalleriesRepository, type BrandShows } from './brand-galleries.repository.js';

/** What a brand has in the archive; both numbers share a statement. */
@Resolver(() => BrandType)
export class BrandGalleryFieldsResolver {
  constructor(private readonly galleries: BrandGalleriesRepository) {}

  @ResolveField(() => Int, { description: 'Its shows, whatever their review; those in the trash are not counted' })
  async showCount(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<number> {
    return (await this.shows(context).load(brand.id))?.all ?? 0;
  }

  @ResolveField(() => Int, { description: 'Its shows that wait for a review' })
  async pendingCount(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<number> {
    return (await this.shows(context).load(brand.id))?.pending ?? 0;
  }

  private shows(context: GraphqlContext): ReturnType<typeof context.loader<BrandShows>> {
    return context.loader('Brand.shows', (ids) => this.galleries.showsOf(ids));
  }
}
