import { Module } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { HostCooldowns } from './host-cooldowns.js';
import { MediaHostsRepository } from './media-hosts.repository.js';
import { OBJECT_STORE, type ObjectStore } from './object-store.js';
import { openObjectStore } from './open-object-store.js';
import { PictureFetcher } from './picture-fetcher.js';

/** Pictures: fetched safely, proved, stored. It knows no gallery and no job. */
@Module({
  providers: [
    PictureFetcher,
    HostCooldowns,
    MediaHostsRepository,
    {
      provide: OBJECT_STORE,
      inject: [CONFIG, Clock],
      useFactory: ({ media }: Config, clock: Clock): ObjectStore => openObjectStore(media, clock),
    },
  ],
  exports: [PictureFetcher, OBJECT_STORE],
})
export class MediaModule {}
