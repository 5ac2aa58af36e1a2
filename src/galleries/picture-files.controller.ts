import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/access.decorators.js';
import type { ActorsRequest } from '../auth/request-of.js';
import { AppError } from '../lib/app-error.js';
import { isObjectKey, pictureKeyOf } from '../media/object-key.js';
import { IMMUTABLE, OBJECT_STORE, type ObjectStore } from '../media/object-store.js';
import { GalleryReadRepository } from './gallery-read.repository.js';

/**
 * The pictures of published galleries for everybody, and of the others for whoever is signed in. A store that browsers
 * reach is only pointed at, so that who may see what is decided here, and bytes take the short way.
 */
@Controller('media')
export class PictureFilesController {
  constructor(
    private readonly galleries: GalleryReadRepository,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Get(':kind/:job/:file')
  @Public()
  async picture(
    @Param() { kind, job, file }: { kind: string; job: string; file: string },
    @Req() request: ActorsRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = `${kind}/${job}/${file}`;
    const visibility = isObjectKey(key) ? await this.galleries.visibilityOf(pictureKeyOf(key)) : undefined;
    // Whether an unpublished picture is there is nobody's business who may not see it: both are "not found".
    const allowed = visibility === 'public' || (visibility === 'editors' && request.actor !== undefined);
    const isPublic = visibility === 'public';
    const address = allowed ? await this.store.address(key, isPublic) : undefined;
    const scope = isPublic ? 'public' : 'private';
    if (address !== undefined) {
      return void reply
        .status(302)
        .header('Location', address.url)
        .header('Cache-Control', `${scope}, max-age=${address.seconds}`)
        .send();
    }
    const object = allowed ? await this.store.open(key) : undefined;
    if (object === undefined) throw new AppError('picture-not-found', 'There is no such picture.', { status: 404 });
    await reply
      .header('Content-Type', object.contentType)
      .header('Content-Length', object.bytes)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', `${scope}, ${IMMUTABLE}`)
      .send(object.stream);
  }
}
