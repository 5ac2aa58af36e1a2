import { Args, ID, Int, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { GalleryEditor } from './gallery-editor.service.js';
import type { GalleryView } from './gallery-read.repository.js';
import { ChangeGalleryInput } from './gallery.input.js';
import { GalleryType } from './gallery.type.js';

const GALLERY_ID = { type: () => ID, description: 'The gallery' };
const POSITION = { type: () => Int, description: 'The picture’s place in the gallery' };

/** What editors put right in galleries. */
@Resolver()
@Requires('editor')
export class GalleryEditingResolver {
  constructor(private readonly editor: GalleryEditor) {}

  @Mutation(() => GalleryType, {
    description:
      'Puts season, category or market right. The old ones keep leading to it, so that the next crawl makes no twin. Fails ' +
      'with show-exists when another gallery is that show, and with gallery-changed when somebody was quicker',
  })
  changeGallery(
    @Args('id', GALLERY_ID) id: string,
    @Args('input', { description: 'What is to be different' }) input: ChangeGalleryInput,
    @Args('revision', { type: () => Int, description: 'The revision that the editor looked at' }) revision: number,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.editor.change(actor, decimalId(id), input, revision);
  }

  @Mutation(() => GalleryType, {
    description: 'Keeps a picture from the public, or shows it again. When it was the cover, another one is',
  })
  hidePicture(
    @Args('galleryId', GALLERY_ID) galleryId: string,
    @Args('position', POSITION) position: number,
    @Args('hidden', { description: 'false shows it again' }) hidden: boolean,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.editor.hidePicture(actor, decimalId(galleryId), position, hidden);
  }

  @Mutation(() => GalleryType, {
    description: 'Makes a picture the cover. It stays the cover when a crawl brings it again',
  })
  chooseCover(
    @Args('galleryId', GALLERY_ID) galleryId: string,
    @Args('position', POSITION) position: number,
    @CurrentActor() actor: Actor,
  ): Promise<GalleryView> {
    return this.editor.chooseCover(actor, decimalId(galleryId), position);
  }
}
