import { Inject, Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import type { EntityManager } from 'typeorm';
import { JobError } from '../jobs/job-error.js';
import type { ClaimedJob, GatherContext } from '../jobs/job-handler.js';
import { JobQueue } from '../jobs/job-queue.js';
import { maySnooze } from '../jobs/snooze.js';
import { messageOf } from '../lib/text.js';
import { objectKey, thumbnailKey } from '../media/object-key.js';
import { OBJECT_STORE, type ObjectStore } from '../media/object-store.js';
import { natureAfter, PictureError } from '../media/picture-error.js';
import { PictureFetcher } from '../media/picture-fetcher.js';
import { provePicture, THUMBNAIL_TYPE } from '../media/picture-proof.js';
import { StoreError } from '../media/store-error.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import { cleanupJob } from './cleanup-payload.js';
import { PictureSlotsRepository, type PictureSlot } from './picture-slots.repository.js';
import { storeUnavailable } from './store-unavailable.js';

/** Pictures of one job that are fetched at once; each is held in memory whole while it is proven. */
const AT_ONCE = 4;
/** Before a job asks again a store that has trouble, and one that somebody has to mend. */
const STORE_SECONDS = { transient: 60, permanent: 600 };
/** By then every worker that may still have wanted an object has said so, or is gone. */
const ABANDONED_SECONDS = 3_600;

/** When hosts that want to be left alone may be asked again, by the process' own clock in milliseconds; by slot. */
type Cooling = Map<number, { host: string; until: number }>;

/** Fills the picture slots of a crawl. What is stored is never fetched again, and what was given up only by a retry. */
@Injectable()
export class PictureGatherer {
  constructor(
    private readonly slots: PictureSlotsRepository,
    private readonly fetcher: PictureFetcher,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Tries every slot that is still open once, but for those whose host wants to be left alone.
   * @returns all slots as they stand then; one that is `waiting` may succeed another time
   * @throws the signal's reason; JobError when a clean-up holds the slots, when the store does not take them, or, a snooze,
   * when nothing but such hosts is waited for
   */
  async gather(
    job: ClaimedJob,
    kind: GalleryKind,
    pictures: readonly { position: number; url: string }[],
    { signal, progress }: GatherContext,
  ): Promise<PictureSlot[]> {
    // A job that has waited for a host is at its first attempt still, and knows already what it gave up.
    if (job.attempt === 1 && job.snoozedSince === 0) await this.slots.reopenFailed(job.id);
    const slots = await this.slots.prepare(job.id, pictures);
    // Fewer than were asked for: the clean-up ended, and forgot them, between our two statements.
    if (slots.length < pictures.length || slots.some((slot) => slot.state === 'removing')) {
      throw JobError.snooze(
        'pictures_being_removed',
        'The pictures of an earlier try are being removed; waiting for that.',
        15,
      );
    }
    const open = slots.filter((slot) => slot.state === 'waiting' || slot.state === 'storing');
    let done = slots.length - open.length;
    progress(done, slots.length);
    const cooling: Cooling = new Map();
    const queue = new PQueue({ concurrency: AT_ONCE });
    const filled = open.map((slot) =>
      queue.add(async () => {
        signal.throwIfAborted();
        await this.fill(job, kind, slot, cooling, signal);
        progress(++done, slots.length);
      }),
    );
    const failed = (await Promise.allSettled(filled)).find((result) => result.status === 'rejected');
    signal.throwIfAborted();
    if (failed !== undefined) throw failed.reason;
    const filledSlots = await this.slots.of(job.id);
    if (maySnooze(job)) waitForHosts(filledSlots, cooling);
    return filledSlots;
  }

  /** A transient error leaves the slot open for the job's next attempt; the store's own errors concern the whole job. */
  private async fill(
    job: ClaimedJob,
    kind: GalleryKind,
    slot: PictureSlot,
    cooling: Cooling,
    signal: AbortSignal,
  ): Promise<void> {
    let bytes: Buffer;
    let proof: Awaited<ReturnType<typeof provePicture>>;
    try {
      bytes = await this.fetcher.fetch(slot.url, signal);
      proof = await provePicture(bytes, this.config.media);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PictureError)) throw error;
      if (error.retryAfterSeconds !== undefined) {
        const until = performance.now() + error.retryAfterSeconds * 1000;
        cooling.set(slot.position, { host: error.host ?? '', until });
        // It was not asked for, so there is nothing to tell of it.
        if (error.code === 'host_cooling') return;
      }
      const giveUp = natureAfter(error, slot.errorCode) === 'permanent';
      await this.slots.markFailed(job.id, slot.position, error.code, messageOf(error), giveUp);
      return;
    }
    const key = objectKey(kind, job.id, slot.position, proof.sha256, proof.ext);
    const { sha256, width, height, thumbhash } = proof;
    const picture = { objectKey: key, sha256, contentType: proof.type, width, height, bytes: bytes.length, thumbhash };
    const isOurs = await this.transactions.run(async (tx) => {
      const announced = await this.slots.announce(tx, job.id, slot.position, picture);
      if (announced?.displaced) await this.abandon(tx, job, announced.displaced);
      return announced !== undefined;
    });
    if (!isOurs) return;
    await this.put(thumbnailKey(key), proof.thumbnail, THUMBNAIL_TYPE);
    await this.put(key, bytes, proof.type);
    if (await this.slots.markStored(job.id, slot.position, key)) return;
    await this.transactions.run((tx) => this.abandon(tx, job, key));
  }

  /** What is no word of the store, a full disk or a fault of ours, counts as an attempt. */
  private async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    try {
      await this.store.put(key, bytes, contentType);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw storeUnavailable(error, 'Pictures cannot be stored now', STORE_SECONDS[error.nature]);
    }
  }

  /**
   * For an object that the slot does not vouch for: an earlier try's that died before it said "stored", or ours when
   * another worker has the job now. It is not removed here, since that worker may be about to take the very same one.
   */
  private async abandon(tx: EntityManager, { brandId, subject }: ClaimedJob, key: string): Promise<void> {
    const label = { brandId, subject, submittedBy: 'runway-ingest', delaySeconds: ABANDONED_SECONDS };
    await this.queue.enqueue(tx, [cleanupJob({ objectKeys: [key] }, label)]);
  }
}

/** When nothing else is waited for, the job comes back as soon as the first of the hosts may be asked. */
function waitForHosts(slots: readonly PictureSlot[], cooling: Cooling): void {
  const open = slots.filter((slot) => slot.state === 'waiting' || slot.state === 'storing');
  const waits = open.map((slot) => cooling.get(slot.position)).filter((wait) => wait !== undefined);
  if (open.length === 0 || waits.length < open.length) return;
  const hosts = [...new Set(waits.map(({ host }) => host))].join(', ');
  const stored = slots.filter((slot) => slot.state === 'stored').length;
  throw JobError.snooze(
    'host_cooling',
    `${open.length} of ${slots.length} pictures wait for ${hosts}, which asked to be left alone; ${stored} are stored.`,
    (Math.min(...waits.map(({ until }) => until)) - performance.now()) / 1000,
  );
}
