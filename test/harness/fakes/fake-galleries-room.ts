import { CrawlReader } from '../../../src/galleries/crawl-reader.js';
import { CrawlHandler } from '../../../src/galleries/crawl.handler.js';
import { CrawlWriter } from '../../../src/galleries/crawl-writer.js';
import { MediaCleanupHandler } from '../../../src/galleries/media-cleanup.handler.js';
import { OrphanWorker } from '../../../src/galleries/orphan.worker.js';
import { PictureGatherer } from '../../../src/galleries/picture-gatherer.js';
import type { Departure } from '../../../src/jobs/ingest-job.state.js';
import type { ClaimedJob } from '../../../src/jobs/job-handler.js';
import { testConfig } from '../test-config.js';
import { TestClock } from '../test-clock.js';
import { FakeArchive, FakeTransactions } from './fake-archive.js';
import { FakeBrands } from './fake-brands.js';
import { FakeGalleries, FakeGalleryFinder } from './fake-galleries.js';
import { claimedJob, FakeJobQueue, FakeRunner } from './fake-jobs.js';
import { FakeFetcher, MemoryStore } from './fake-media.js';
import { FakeCleanups, FakePictureSlots } from './fake-picture-slots.js';
import { standIn } from './public-of.js';

const ECLAIR = { id: '7', name: 'Maison Éclair', names: ['Maison Éclair'] };
const GUIPEI = { id: '8', name: '盖娅传说', names: ['盖娅传说', 'Heaven Gaia'] };

/** The room's handlers, real, over fakes of all that touches the outside. Brand 6 is merged into 7. */
export class FakeGalleriesRoom {
  readonly archive = new FakeArchive();
  readonly store = new MemoryStore();
  readonly fetcher = new FakeFetcher();
  readonly transactions = new FakeTransactions(this.archive);
  readonly queue = new FakeJobQueue(this.archive);
  readonly slots = new FakePictureSlots(this.archive);
  readonly cleanups = new FakeCleanups(this.archive);
  readonly runner = new FakeRunner(this.transactions);
  readonly crawls: CrawlHandler;
  readonly removals: MediaCleanupHandler;
  readonly orphans: OrphanWorker;

  constructor(env: Record<string, string> = {}) {
    const config = testConfig('postgres://nowhere/nothing', env);
    const clock = new TestClock();
    clock.set(this.archive.now);
    const galleries = standIn<ConstructorParameters<typeof CrawlWriter>[0]>(new FakeGalleries(this.archive));
    const finder = standIn<ConstructorParameters<typeof CrawlHandler>[1]>(new FakeGalleryFinder(this.archive));
    const slots = standIn<ConstructorParameters<typeof PictureGatherer>[0]>(this.slots);
    const fetcher = standIn<ConstructorParameters<typeof PictureGatherer>[1]>(this.fetcher);
    const queue = standIn<ConstructorParameters<typeof CrawlWriter>[3]>(this.queue);
    const transactions = standIn<ConstructorParameters<typeof PictureGatherer>[4]>(this.transactions);
    const cleanups = standIn<ConstructorParameters<typeof MediaCleanupHandler>[0]>(this.cleanups);
    const brands = standIn<ConstructorParameters<typeof CrawlReader>[0]>(
      new FakeBrands(['6', ECLAIR], ['7', ECLAIR], ['8', GUIPEI]),
    );
    const gatherer = new PictureGatherer(slots, fetcher, this.store, queue, transactions, config);
    const writer = new CrawlWriter(galleries, slots, brands, queue);
    const reader = new CrawlReader(brands, clock, config);
    this.crawls = new CrawlHandler(reader, finder, gatherer, writer, config);
    this.removals = new MediaCleanupHandler(cleanups, queue, transactions, this.store, config);
    this.orphans = new OrphanWorker(cleanups, queue, transactions, config);
  }

  /** Claims a job with this payload and takes it through its crawl. */
  crawl(payload: unknown, over: Partial<ClaimedJob> = {}): Promise<Departure> {
    const id = over.id ?? this.archive.nextId();
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return this.runner.run(this.crawls, claimedJob({ id, payload: text, ...over }));
  }

  cleanUp(payload: unknown, over: Partial<ClaimedJob> = {}): Promise<Departure> {
    const id = over.id ?? this.archive.nextId();
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return this.runner.run(this.removals, claimedJob({ id, kind: 'media_cleanup', payload: text, ...over }));
  }
}
