import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { entities } from '../../src/entities.js';
import { CrawlHandler } from '../../src/galleries/crawl.handler.js';
import { GalleriesModule } from '../../src/galleries/galleries.module.js';
import { GalleryReviewService } from '../../src/galleries/gallery-review.service.js';
import { MediaCleanupHandler } from '../../src/galleries/media-cleanup.handler.js';
import { MediaRefillHandler } from '../../src/galleries/media-refill.handler.js';
import { OrphanWorker } from '../../src/galleries/orphan.worker.js';
import { PictureSlotsRepository } from '../../src/galleries/picture-slots.repository.js';
import { DeparturesRepository } from '../../src/jobs/departures.repository.js';
import { departDone, departFailing } from '../../src/jobs/ingest-job.state.js';
import type { ClaimedJob, JobHandlerContract } from '../../src/jobs/job-handler.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { JobsService } from '../../src/jobs/jobs.service.js';
import { OBJECT_STORE, type ObjectStore } from '../../src/media/object-store.js';
import { PictureFetcher } from '../../src/media/picture-fetcher.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { claimedJob } from './fakes/fake-jobs.js';
import { FakeFetcher, MemoryStore } from './fakes/fake-media.js';

const NOW = 'floor(extract(epoch from clock_timestamp()))::bigint';

/** A job in the hands of a worker that goes as far as the test says: gathers, commits, stalls, dies. */
export class HeldJob {
  private plan: unknown;
  private readonly abort = new AbortController();

  constructor(
    readonly job: ClaimedJob,
    private readonly room: GalleriesContext,
  ) {}

  /** @returns whether there is a plan; when the handler said no, the job has left with its error */
  async gather(): Promise<boolean> {
    try {
      this.plan = await this.handler.gather(this.job, { signal: this.abort.signal, progress: () => undefined });
      return true;
    } catch (error) {
      await this.room.departures.depart([departFailing(this.job, error, 30)]);
      return false;
    }
  }

  /** As far as the handler comes before something kills the worker: nothing is settled. */
  async gatherAndDie(): Promise<void> {
    await this.handler
      .gather(this.job, { signal: this.abort.signal, progress: () => undefined })
      .catch(() => undefined);
  }

  /**
   * @param atItsEnd what happens while all is written and nothing committed yet
   * @returns the outcome; 'lost' when somebody else holds the job, 'failed' when the commit threw
   */
  async commit(atItsEnd?: (tx: EntityManager) => Promise<void>): Promise<string> {
    try {
      return await this.room.transactions.run(async (tx) => {
        const settlement = await this.handler.commit(this.plan, tx, this.job);
        await atItsEnd?.(tx);
        const held = await this.room.departures.depart([departDone(this.job, settlement)], tx);
        if (!held.has(this.job.id)) throw new Lost();
        return settlement.outcome;
      });
    } catch (error) {
      if (error instanceof Lost) return 'lost';
      const held = await this.room.departures.depart([departFailing(this.job, error, 30)]);
      return held.has(this.job.id) ? 'failed' : 'lost';
    }
  }

  /** Both halves. @returns the outcome, or 'failed' */
  async work(): Promise<string> {
    return (await this.gather()) ? this.commit() : 'failed';
  }

  private get handler(): JobHandlerContract {
    const { crawls, removals, refills } = this.room;
    return { crawl: crawls, media_cleanup: removals, media_refill: refills }[this.job.kind] ?? crawls;
  }
}

class Lost extends Error {}

/** The room on a real database, with a store and a web in memory, and its handlers' halves in the test's own hands. */
export class GalleriesContext {
  private constructor(
    readonly db: TestDatabase,
    readonly store: MemoryStore,
    readonly web: FakeFetcher,
    readonly get: <T>(type: abstract new (...args: never[]) => T) => T,
    readonly close: () => Promise<void>,
  ) {}

  /** With the brand Maison Éclair (7), and a trash that is emptied at once. @param behind a real store for the objects */
  static async start(behind?: ObjectStore): Promise<GalleriesContext> {
    const env = { TRASH_DAYS: '0', JOB_RETRY_BASE_SECONDS: '0' };
    const db = await createTestDatabase(env);
    const store = new MemoryStore(behind);
    const web = new FakeFetcher();

    @Module({ imports: [PlatformModule.with(db.config, { entities, migrations }), AuthModule, GalleriesModule] })
    class TestModule {}

    const app = await Test.createTestingModule({ imports: [TestModule] })
      .setLogger(new AppLogger('text', db.config.logLevel))
      .overrideProvider(OBJECT_STORE)
      .useValue(store)
      .overrideProvider(PictureFetcher)
      .useValue(web)
      .compile();
    await app.init();
    const close = async (): Promise<void> => {
      await app.close();
      await db.drop();
    };
    const context = new GalleriesContext(db, store, web, (type) => app.get(type, { strict: false }), close);
    await context.reset();
    return context;
  }

  /** Nothing is there but the brand. */
  async reset(): Promise<void> {
    await this.db.query('TRUNCATE brands, galleries, ingest_pictures, ingest_jobs RESTART IDENTITY CASCADE');
    await this.db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (7, 'Maison Éclair', 'maison-eclair', 1, 1)`,
    );
    this.store.objects.clear();
    this.web.behaveWell();
  }

  get crawls(): CrawlHandler {
    return this.get(CrawlHandler);
  }

  get removals(): MediaCleanupHandler {
    return this.get(MediaCleanupHandler);
  }

  get refills(): MediaRefillHandler {
    return this.get(MediaRefillHandler);
  }

  get slots(): PictureSlotsRepository {
    return this.get(PictureSlotsRepository);
  }

  get review(): GalleryReviewService {
    return this.get(GalleryReviewService);
  }

  get departures(): DeparturesRepository {
    return this.get(DeparturesRepository);
  }

  get transactions(): Transactions {
    return this.get(Transactions);
  }

  get jobs(): JobsService {
    return this.get(JobsService);
  }

  sweepOrphans(): Promise<{ enqueued: number }> {
    return this.get(OrphanWorker).runOnce();
  }

  /** A crawl that the door accepted. @returns the job's id */
  async post(payload: unknown, brandId = '7'): Promise<string> {
    const job = {
      kind: 'crawl',
      payload: JSON.stringify(payload),
      brandId,
      subject: '',
      subjectKey: '',
      submittedBy: 'dev',
    };
    const [id = ''] = await this.transactions.run((tx) => this.get(JobQueue).enqueue(tx, [job]));
    return id;
  }

  /** Takes a pending job, due or not, since a test does not wait. Undefined when it is not pending. */
  async claim(id: string): Promise<HeldJob | undefined> {
    const [rows] = (await this.db.query(
      `UPDATE ingest_jobs SET status = 'processing', attempts = attempts + 1, locked_at = ${NOW}, claimed_at = ${NOW},
         claim_token = nextval('ingest_jobs_claim_token_seq'), locked_by = 'test'
       WHERE id = $1 AND status = 'pending'
       RETURNING id, kind, payload, overrides, brand_id, gallery_id, subject, submitted_by, attempts, claim_token`,
      [id],
    )) as unknown as [Record<string, string>[]];
    const [row] = rows;
    if (row === undefined) return undefined;
    return new HeldJob(
      claimedJob({
        id,
        kind: row['kind'] ?? '',
        payload: row['payload'] ?? '',
        overrides: row['overrides'] ?? null,
        brandId: row['brand_id'] ?? '0',
        galleryId: row['gallery_id'] ?? null,
        subject: row['subject'] ?? '',
        submittedBy: row['submitted_by'] ?? '',
        attempt: Number(row['attempts']),
        claimToken: row['claim_token'] ?? '',
      }),
      this,
    );
  }

  /** The job that a test knows to be pending. */
  async held(id: string): Promise<HeldJob> {
    const claimed = await this.claim(id);
    if (claimed === undefined) throw new Error(`Job ${id} is not pending`);
    return claimed;
  }

  /** What the sweep does when a worker has been silent for too long; the attempt is not counted here. */
  async reclaim(id: string): Promise<void> {
    await this.db.query(
      `UPDATE ingest_jobs SET status = 'pending', attempts = attempts - 1, claim_token = 0, locked_at = 0
       WHERE id = $1 AND status = 'processing'`,
      [id],
    );
  }

  async idsOf(kind: string, status: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      'SELECT id FROM ingest_jobs WHERE kind = $1 AND status = $2 ORDER BY id',
      [kind, status],
    );
    return rows.map(({ id }) => id);
  }

  async statusOf(id: string): Promise<{ status: string; outcome: string | null; error_code: string | null }> {
    const [row] = await this.db.query<{ status: string; outcome: string | null; error_code: string | null }>(
      'SELECT status, outcome, error_code FROM ingest_jobs WHERE id = $1',
      [id],
    );
    return row ?? { status: 'gone', outcome: null, error_code: null };
  }

  /** Keys of the pictures that some gallery says are there. */
  async storedKeys(): Promise<string[]> {
    const rows = await this.db.query<{ object_key: string }>(
      `SELECT object_key FROM gallery_pictures WHERE state = 'stored' ORDER BY object_key COLLATE "C"`,
    );
    return rows.map((row) => row.object_key);
  }

  /** Keys that some row names, so that a clean-up will find them. */
  async knownKeys(): Promise<Set<string>> {
    const rows = await this.db.query<{ key: string }>(
      `SELECT object_key AS key FROM gallery_pictures WHERE object_key IS NOT NULL
       UNION SELECT object_key FROM ingest_pictures WHERE object_key IS NOT NULL
       UNION SELECT jsonb_array_elements_text(payload::jsonb #> '{data,object_keys}') FROM ingest_jobs
             WHERE kind = 'media_cleanup' AND status <> 'done' AND payload::jsonb #> '{data,object_keys}' IS NOT NULL`,
    );
    return new Set(rows.map((row) => row.key));
  }
}
