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

  @ResolveField(() => [PictureType], { description: 'In the order of their places, hidden ones too' })
  async pictures(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<PictureView[]> {
    return (await context.loader('Gallery.pictures', (ids) => this.galleries.picturesOf(ids)).load(gallery.id)) ?? [];
  }

  @ResolveField(() => PictureType, {
    nullable: true,
    description: 'The picture that stands for it; null when all of them are hidden',
  })
  async cover(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<PictureView | null> {
    return (await context.loader('Gallery.cover', (ids) => this.galleries.coversOf(ids)).load(gallery.id)) ?? null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'Since when it is in the trash' })
  deletedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.deletedAt || null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'Since when its files are gone' })
  purgedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.purgedAt || null;
  }

  @ResolveField(() => DateTime, {
    nullable: true,
    description: 'Since when its show may come again as another gallery',
  })
  forgottenAt(@Parent() gallery: GalleryType): number | null {
    return gallery.forgottenAt || null;
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When it was shown to everybody; null while it is not' })
  publishedAt(@Parent() gallery: GalleryType): number | null {
    return gallery.publishedAt || null;
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
