import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { BrandType } from '../brands/brand.type.js';
import { BrandsService } from '../brands/brands.service.js';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { thumbnailKey } from '../media/object-key.js';
import { GalleryReadRepository, type PictureView } from './gallery-read.repository.js';
import { GalleryType, PictureType } from './gallery.type.js';

/** What a gallery shows beside its row. */
@Resolver(() => GalleryType)
export class GalleryFieldsResolver {
  constructor(
    private readonly galleries: GalleryReadRepository,
    private readonly brands: BrandsService,
  ) {}

  @ResolveField(() => BrandType, { nullable: true, description: 'None for street style' })
  async brand(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<BrandType | null> {
    if (gallery.brandId === '0') return null;
    return (await context.loader('Gallery.brand', (ids) => this.brands.rows(ids)).load(gallery.brandId)) ?? null;
  }

  @ResolveField(() => [PictureType], { description: 'In the order of their places' })
  async pictures(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<PictureView[]> {
    return (await this.picturesLoader(context).load(gallery.id)) ?? [];
  }

  @ResolveField(() => PictureType, { nullable: true })
  async cover(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<PictureView | null> {
    const pictures = await this.picturesLoader(context).load(gallery.id);
    return pictures?.find((picture) => picture.position === gallery.coverPosition) ?? null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'Since when it is in the trash' })
  deletedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.deletedAt || null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'Since when its files are gone' })
  purgedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.purgedAt || null;
  }

  @ResolveField(() => DateTime, { nullable: true })
  publishedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.publishedAt || null;
  }

  private picturesLoader(context: GraphqlContext): ReturnType<typeof context.loader<PictureView[]>> {
    return context.loader('Gallery.pictures', (ids) => this.galleries.picturesOf(ids));
  }
}

@Resolver(() => PictureType)
export class PictureFieldsResolver {
  @ResolveField(() => String, { nullable: true, description: 'Where its bytes are, on this server' })
  url(@Parent() picture: PictureType): string | null {
    return picture.state === 'stored' && picture.objectKey !== null ? `/media/${picture.objectKey}` : null;
  }

  @ResolveField(() => String, { nullable: true, description: 'Where its thumbnail is: WebP, 512 pixels at most' })
  thumbnailUrl(@Parent() picture: PictureType): string | null {
    const { state, objectKey, thumbhash } = picture;
    // Pictures from before thumbnails were made have none.
    return state === 'stored' && objectKey !== null && thumbhash !== null ? `/media/${thumbnailKey(objectKey)}` : null;
  }
}
