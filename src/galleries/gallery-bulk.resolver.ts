import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { GalleryEditor } from './gallery-editor.service.js';
import { eachGallery, GalleryResultType } from './gallery-result.type.js';
import { GalleryReviewService } from './gallery-review.service.js';

const GALLERY_IDS = { type: () => [ID], description: 'The galleries, at most 100' };
const REASON = { description: 'For whoever reads their history; at most 500 characters are kept' };

/** What editors do to many galleries, with a result for each. */
@Resolver()
@Requires('editor')
export class GalleryBulkResolver {
  constructor(
    private readonly review: GalleryReviewService,
    private readonly editor: GalleryEditor,
  ) {}

  @Mutation(() => [GalleryResultType], { description: 'As publishGallery, of each of them' })
  publishGalleries(
    @Args('ids', GALLERY_IDS) ids: string[],
    @CurrentActor() actor: Actor,
  ): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.publish(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'As rejectGallery, of each of them for the same reason' })
  rejectGalleries(
    @Args('ids', GALLERY_IDS) ids: string[],
    @Args('reason', REASON) reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.reject(actor, decimalId(id), reason));
  }

  @Mutation(() => [GalleryResultType], { description: 'As reopenGallery, of each of them' })
  reopenGalleries(@Args('ids', GALLERY_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.reopen(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'As deleteGallery, of each of them' })
  deleteGalleries(@Args('ids', GALLERY_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.delete(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'As restoreGallery, of each of them' })
  restoreGalleries(
    @Args('ids', GALLERY_IDS) ids: string[],
    @CurrentActor() actor: Actor,
  ): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.restore(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'As takeDownGallery, of each of them for the same reason' })
  takeDownGalleries(
    @Args('ids', GALLERY_IDS) ids: string[],
    @Args('reason', REASON) reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.takeDown(actor, decimalId(id), reason));
  }

  @Mutation(() => [GalleryResultType], { description: 'As forgetGallery, of each of them' })
  @Requires('operator')
  forgetGalleries(@Args('ids', GALLERY_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.forget(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'As refillGallery, of each of them' })
  refillGalleries(@Args('ids', GALLERY_IDS) ids: string[], @CurrentActor() actor: Actor): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.review.refill(actor, decimalId(id)));
  }

  @Mutation(() => [GalleryResultType], { description: 'Gives several galleries the same category, market or both' })
  changeGalleries(
    @Args('ids', GALLERY_IDS) ids: string[],
    @Args('category', { type: () => String, nullable: true, description: 'Left out, each keeps its own' })
    category: string | null | undefined,
    @Args('market', {
      type: () => String,
      nullable: true,
      description: 'Left out, each keeps its own; null takes it away',
    })
    market: string | null | undefined,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryResultType[]> {
    return eachGallery(ids, (id) => this.editor.change(actor, decimalId(id), { category, market }));
  }
}
