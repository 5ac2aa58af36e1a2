import type { EntityManager } from 'typeorm';
import type { GalleryAction } from '../../../src/galleries/gallery-event.entity.js';
import type { GalleryPictureState } from '../../../src/galleries/gallery-picture.entity.js';
import type { GalleryStatus } from '../../../src/galleries/crawl-decision.js';
import type { PictureSlot } from '../../../src/galleries/picture-slots.repository.js';
import type { GalleryKey } from '../../../src/galleries/show.js';
import type { JobStatus } from '../../../src/jobs/ingest-job.state.js';
import type { NewJob } from '../../../src/jobs/job-queue.js';
import type { Transactions } from '../../../src/platform/database/transactions.js';
import type { CategorySource } from '../../../src/taxonomy/season-reader.js';
import type { PublicOf } from './public-of.js';

export interface FakePicture {
  position: number;
  look: string | null;
  identity: string;
  state: GalleryPictureState;
  errorCode: string | null;
  objectKey: string | null;
}

export interface FakeGallery {
  id: string;
  /** The key it was made with, which is its own; then those that lead to it as well. */
  keys: GalleryKey[];
  categorySource: CategorySource;
  suspect: boolean;
  status: GalleryStatus;
  deletedAt: number;
  purgedAt: number;
  revision: number;
  cover: number;
  sources: string[];
  pictures: FakePicture[];
  events: { actor: string; action: GalleryAction; detail?: string; jobId?: string }[];
}

export interface FakeJob extends NewJob {
  id: string;
  status: JobStatus;
}

export interface ArchiveRows {
  galleries: FakeGallery[];
  slots: (PictureSlot & { jobId: string })[];
  jobs: FakeJob[];
  lastId: number;
}

/** The tables that the fakes share, in memory. */
export class FakeArchive {
  rows: ArchiveRows = { galleries: [], slots: [], jobs: [], lastId: 0 };
  /** What time the database thinks it is, unix seconds. */
  now = 1_770_000_000;

  nextId(): string {
    return String(++this.rows.lastId);
  }

  gallery(id: string): FakeGallery {
    const found = this.rows.galleries.find((gallery) => gallery.id === id);
    if (found === undefined) throw new Error(`There is no gallery ${id}`);
    return found;
  }

  slotsOf(jobId: string): (PictureSlot & { jobId: string })[] {
    return this.rows.slots.filter((slot) => slot.jobId === jobId).sort((a, b) => a.position - b.position);
  }
}

/** What stands for a transaction's connection; no fake asks it anything. */
export const TX = {} as EntityManager;

/** One after the other; what a transaction wrote is gone when it throws. */
export class FakeTransactions implements PublicOf<Transactions> {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly archive: FakeArchive) {}

  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const mine = this.turn.then(() => this.runAlone(work));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async runAlone<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const before = structuredClone(this.archive.rows);
    try {
      return await work(TX);
    } catch (error) {
      this.archive.rows = before;
      throw error;
    }
  }

  runBrief<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(work);
  }
}
