import type { Clock } from '../platform/clock/clock.js';
import type { MediaConfig } from '../platform/config/config.js';
import { FileStore } from './file-store.js';
import type { ObjectStore } from './object-store.js';
import { S4Store } from './s4-store.js';

/** The store that the settings name: a bucket when there is an S4_ENDPOINT, files otherwise. Nothing is connected yet. */
export function openObjectStore(media: MediaConfig, clock: Clock): ObjectStore {
  return media.s4 === undefined ? new FileStore(media.directory) : new S4Store(media.s4, clock);
}
