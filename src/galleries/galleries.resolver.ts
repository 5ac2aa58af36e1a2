import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { Requires } from '../auth/access.decorators.js';
import { decimalId } from '../lib/decimal-id.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';
import { GalleriesArgs, galleryAfterOf, galleryFilterOf, LIST_BOUNDS } from './galleries.args.js';
import { GalleryListRepository, sortKeyOf } from './gallery-list.repository.js';
import { GalleryReadRepository, type GalleryView } from './gallery-read.repository.js';
import { GalleryType } from './gallery.type.js';

const GalleryConnection = Connection(GalleryType);

/** The archive's galleries. What a gallery shows beside its row is in the fields' resolvers. */
@Resolver()
export class GalleriesResolver {
  constructor(
    private readonly galleries: GalleryReadRepository,
    private readonly lists: GalleryListRepository,
  ) {}

  @Query(() => GalleryConnection, { name: 'galleries', description: `Galleries. ${LIST_BOUNDS}` })
  @Requires('viewer')
  async list(@Args() args: GalleriesArgs): Promise<ConnectionOf<GalleryView>> {
    const filter = galleryFilterOf(args);
    const page = await this.lists.page(filter, args.sort, pageSizeOf(args), galleryAfterOf(args));
    return connectionOf(page, (gallery) => sortKeyOf(gallery, args.sort), args.after);
  }

  @Query(() => GalleryType, { nullable: true, description: 'One gallery by its id, also one that was deleted' })
  @Requires('viewer')
  async gallery(@Args('id', { type: () => ID, description: 'Its id' }) id: string): Promise<GalleryView | null> {
    return (await this.galleries.byIds([decimalId(id)])).get(id) ?? null;
  }
}
