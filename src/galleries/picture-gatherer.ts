import { Inject, Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import type { EntityManager } from 'typeorm';
import { JobError } from '../jobs/job-error.js';
import type { ClaimedJob, GatherContext } from '../jobs/job-handler.js';
import { JobQueue } from '../jobs/job-queue.js';
import { messageOf } from '../lib/text.js';
import { objectKey } from '../media/object-key.js';
import { OBJECT_STORE, type ObjectStore } from '../media/object-store.js';
import { natureAfter, PictureError } from '../media/picture-error.js';
import { PictureFetcher } from '../media/picture-fetcher.js';
import { provePicture } from '../media/picture-proof.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Transactions } from '../platform/database/transactions.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import { cleanupJob } from './cleanup-payload.js';
import { PictureSlotsRepository, type PictureSlot } from './picture-slots.repository.js';

/** Pictures of one job that are fetched at once; each is held in memory whole while it is proven. */
const AT_ONCE = 4;
/** By then every worker that may still have wanted an object has said so, or is gone. */
const ABANDONED_SECONDS = 3_600;

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
   * Tries every slot that is still open once.
   * @returns all slots as they stand then; one that is `waiting` may succeed another time
   * @throws the signal's reason; JobError when a clean-up holds the slots, or the store does not take them
   */
  async gather(
    job: ClaimedJob,
    kind: GalleryKind,
    pictures: readonly { position: number; url: string }[],
    { signal, progress }: GatherContext,
  ): Promise<PictureSlot[]> {
    if (job.attempt === 1) await this.slots.reopenFailed(job.id);
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
    const queue = new PQueue({ concurrency: AT_ONCE });
    const filled = open.map((slot) =>
      queue.add(async () => {
        signal.throwIfAborted();
        await this.fill(job, kind, slot, signal);
        progress(++done, slots.length);
      }),
    );
    const failed = (await Promise.allSettled(filled)).find((result) => result.status === 'rejected');
    signal.throwIfAborted();
    if (failed !== undefined) throw failed.reason;
    return this.slots.of(job.id);
  }

  /** A transient error leaves the slot open for the job's next attempt; the store's own errors concern the whole job. */
  private async fill(job: ClaimedJob, kind: GalleryKind, slot: PictureSlot, signal: AbortSignal): Promise<void> {
    let bytes: Buffer;
    let proof: Awaited<ReturnType<typeof provePicture>>;
    try {
      bytes = await this.fetcher.fetch(slot.url, signal);
      proof = await provePicture(bytes, this.config.media);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PictureError)) throw error;
      const giveUp = natureAfter(error, slot.errorCode) === 'permanent';
      await this.slots.markFailed(job.id, slot.position, error.code, messageOf(error), giveUp);
      return;
    }
    const key = objectKey(kind, job.id, slot.position, proof.sha256, proof.ext);
    const { sha256, width, height } = proof;
    const picture = { objectKey: key, sha256, contentType: proof.type, width, height, bytes: bytes.length };
    const isOurs = await this.transactions.run(async (tx) => {
      const announced = await this.slots.announce(tx, job.id, slot.position, picture);
      if (announced?.displaced) await this.abandon(tx, job, announced.displaced);
      return announced !== undefined;
    });
    if (!isOurs) return;
    await this.store.put(key, bytes, proof.type);
    if (await this.slots.markStored(job.id, slot.position, key)) return;
    await this.transactions.run((tx) => this.abandon(tx, job, key));
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
