import { Module } from '@nestjs/common';
import { FileStore } from './file-store.js';
import { OBJECT_STORE } from './object-store.js';
import { PictureFetcher } from './picture-fetcher.js';

/** Pictures: fetched safely, proved, stored. It knows no gallery and no job. */
@Module({
  providers: [PictureFetcher, { provide: OBJECT_STORE, useClass: FileStore }],
  exports: [PictureFetcher, OBJECT_STORE],
})
export class MediaModule {}
