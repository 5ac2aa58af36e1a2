import { Args, ArgsType, Field, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { decodeIdCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import type { GalleryStatus } from './crawl-decision.js';
import { GalleryReadRepository, type GalleryView } from './gallery-read.repository.js';
import { GalleryReviewService } from './gallery-review.service.js';
import { GalleryKindEnum, GalleryStatusEnum, GalleryType } from './gallery.type.js';

const GalleryConnection = Connection(GalleryType);
const GALLERY_ID = { type: () => ID };

@ArgsType()
export class GalleriesArgs extends PageArgs {
  @Field(() => GalleryStatusEnum, { nullable: true })
  status?: GalleryStatus | null;

  @Field(() => GalleryKindEnum, { nullable: true })
  kind?: GalleryKind | null;

  @Field(() => ID, { nullable: true })
  brandId?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'The trash, instead of all that is not in it' })
  deleted!: boolean;
}

/** The archive's galleries, and what editors decide about them. */
@Resolver()
export class GalleriesResolver {
  constructor(
    private readonly galleries: GalleryReadRepository,
    private readonly review: GalleryReviewService,
  ) {}

  @Query(() => GalleryConnection, { name: 'galleries', description: 'Galleries, newest first' })
  @Requires('viewer')
  async list(@Args() args: GalleriesArgs): Promise<ConnectionOf<GalleryView>> {
    const after = args.after ? decodeIdCursor(args.after) : undefined;
    const brandId = args.brandId ? decimalId(args.brandId) : undefined;
    const filter = { status: args.status ?? undefined, kind: args.kind ?? undefined, brandId, deleted: args.deleted };
    const page = await this.galleries.page(filter, pageSizeOf(args), after);
    return connectionOf(page, (gallery) => [gallery.id], args.after);
  }

  @Query(() => GalleryType, { nullable: true })
  @Requires('viewer')
  async gallery(@Args('id', GALLERY_ID) id: string): Promise<GalleryView | null> {
    return (await this.galleries.byIds([decimalId(id)])).get(id) ?? null;
  }

  @Mutation(() => GalleryType, { description: 'Shows a gallery to everybody' })
  @Requires('editor')
  publishGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.publish(decimalId(id), actor.name);
  }

  @Mutation(() => GalleryType, { description: 'Sends a gallery back: the next crawl of the show overwrites it' })
  @Requires('editor')
  rejectGallery(
    @Args('id', GALLERY_ID) id: string,
    @Args('reason') reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.review.reject(decimalId(id), reason, actor.name);
  }

  @Mutation(() => GalleryType, { description: 'Moves a gallery to the trash, where its files stay for some days' })
  @Requires('editor')
  deleteGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.delete(decimalId(id), actor.name);
  }

  @Mutation(() => GalleryType, { description: 'Takes a gallery out of the trash' })
  @Requires('editor')
  restoreGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.restore(decimalId(id), actor.name);
  }

  @Mutation(() => GalleryType, { description: 'Has the pictures that a gallery misses fetched once more, by a job' })
  @Requires('editor')
  refillGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.refill(decimalId(id), actor.name);
  }
}
