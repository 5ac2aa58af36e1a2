import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import type { GalleryView } from './gallery-read.repository.js';
import { GalleryReviewService } from './gallery-review.service.js';
import { GalleryType } from './gallery.type.js';

const GALLERY_ID = { type: () => ID, description: 'The gallery' };
const REASON = { description: 'For whoever reads its history; at most 500 characters are kept' };

/** What becomes of galleries: review, trash and what comes after it. */
@Resolver()
@Requires('editor')
export class GalleryReviewResolver {
  constructor(private readonly review: GalleryReviewService) {}

  @Mutation(() => GalleryType, { description: 'Shows a gallery to everybody' })
  publishGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.publish(actor, decimalId(id));
  }

  @Mutation(() => GalleryType, { description: 'Sends a gallery back: the next crawl of the show overwrites it' })
  rejectGallery(
    @Args('id', GALLERY_ID) id: string,
    @Args('reason', REASON) reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.review.reject(actor, decimalId(id), reason);
  }

  @Mutation(() => GalleryType, {
    description: 'Takes back that a gallery was published or rejected: it waits for its review again',
  })
  reopenGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.reopen(actor, decimalId(id));
  }

  @Mutation(() => GalleryType, { description: 'Moves a gallery to the trash, where its files stay for some days' })
  deleteGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.delete(actor, decimalId(id));
  }

  @Mutation(() => GalleryType, {
    description:
      'Takes a gallery out of the trash; what was taken down needs an operator. Files that are gone are fetched anew',
  })
  restoreGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.restore(actor, decimalId(id));
  }

  @Mutation(() => GalleryType, {
    description:
      'Moves a gallery to the trash and has its files removed at once, whether it is in the trash already or not',
  })
  takeDownGallery(
    @Args('id', GALLERY_ID) id: string,
    @Args('reason', REASON) reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.review.takeDown(actor, decimalId(id), reason);
  }

  @Mutation(() => GalleryType, {
    description:
      'Lets the show of a deleted gallery come again, as a new gallery. This one cannot be restored any more',
  })
  @Requires('operator')
  forgetGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.forget(actor, decimalId(id));
  }

  @Mutation(() => GalleryType, { description: 'Has the pictures that a gallery misses fetched once more, by a job' })
  refillGallery(@Args('id', GALLERY_ID) id: string, @CurrentActor() actor: Actor): Promise<GalleryView> {
    return this.review.refill(actor, decimalId(id));
  }
}
