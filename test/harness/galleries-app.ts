import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startPictureOrigin, type PictureOrigin } from '../../examples/demo/picture-origin.js';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { parseBrandLine } from '../../src/brands/brand-line.js';
import { OrphanWorker } from '../../src/galleries/orphan.worker.js';
import { pictureKeyOf } from '../../src/media/object-key.js';
import type { Clock } from '../../src/platform/clock/clock.js';
import { startTestApp, type TestApp } from './app.js';
import { askGraphql, type GraphqlAnswer } from './graphql.js';
import { drainJobs } from './jobs-app.js';
import { looks, message, runwayData, streetData } from './payloads.js';
import { signedPost } from './signed-post.js';

type Fields = Record<string, unknown>;

/** A job's row as far as tests ask for it. */
export interface JobRecord {
  id: string;
  kind: string;
  status: string;
  outcome: string | null;
  note: string | null;
  attempts: number;
  error_code: string | null;
  last_error: string | null;
  brand_id: string;
  brandless: boolean;
  gallery_id: string | null;
  subject: string;
  suspect: boolean;
}

/** The whole application, its pictures in a folder of its own, and a host of pictures beside it. */
export interface GalleriesApp extends TestApp {
  origin: PictureOrigin;
  /** Posts a show as the crawler `dev` does. @returns its job's id, once it was accepted */
  postShow: (over?: Fields) => Promise<string>;
  postStreet: (over?: Fields) => Promise<string>;
  /** Works until nothing is due. */
  drain: () => Promise<void>;
  /** Makes due whatever waits for its time. */
  letTimePass: () => Promise<void>;
  sweepOrphans: () => Promise<number>;
  job: (id: string) => Promise<JobRecord>;
  /** Keys of all pictures in the store, in order. */
  objects: () => Promise<string[]>;
  thumbnails: () => Promise<string[]>;
  /** Looks of a show at the origin, in a folder of their own. */
  looks: (folder: string, count: number) => Fields[];
  ask: <D = Fields>(query: string, variables?: Fields) => Promise<GraphqlAnswer<D>>;
}

const JOB = `id, kind, status, outcome, note, attempts, error_code, last_error, brand_id, brandless, gallery_id, subject, suspect`;

/** With the brands Maison Éclair (7) and 盖娅传说 (8). Nothing is retried until the test lets time pass. */
export async function startGalleriesApp(env: Record<string, string> = {}, clock?: Clock): Promise<GalleriesApp> {
  const folder = await mkdtemp(join(tmpdir(), 'runway-galleries-'));
  const origin = await startPictureOrigin({ longSide: 240 });
  const started = await startTestApp({
    env: { DATA_DIR: folder, MEDIA_ALLOWED_PRIVATE_HOSTS: origin.host, ...env },
    ...(clock && { clock }),
  });
  const { app, db, url } = started;
  const catalogue = app.get(BrandCatalogue, { strict: false });
  await catalogue.put(parseBrandLine('{"id":7,"name":"Maison Éclair"}'));
  await catalogue.put(parseBrandLine('{"id":8,"name":"盖娅传说"}'));

  const post = async (type: Parameters<typeof message>[0], data: Fields): Promise<string> => {
    const { status, body } = await signedPost(`${url}/ingest`, message(type, data));
    if (status !== 202) throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
    return String(body['job_id']);
  };
  return {
    ...started,
    origin,
    postShow: (over) => post('runway.show', runwayData(over)),
    postStreet: (over) => post('street.gallery', streetData(over)),
    drain: () => drainJobs(app),
    letTimePass: async () => {
      await db.query(`UPDATE ingest_jobs SET next_attempt_at = 1 WHERE status = 'pending'`);
      await drainJobs(app);
    },
    sweepOrphans: async () => (await app.get(OrphanWorker, { strict: false }).runOnce()).enqueued,
    job: async (id) => {
      const [job] = await db.query<JobRecord>(`SELECT ${JOB} FROM ingest_jobs WHERE id = $1`, [id]);
      if (job === undefined) throw new Error(`There is no job ${id}`);
      return job;
    },
    objects: async () => (await filesOf(join(folder, 'media'))).filter((key) => pictureKeyOf(key) === key),
    thumbnails: async () => (await filesOf(join(folder, 'media'))).filter((key) => pictureKeyOf(key) !== key),
    looks: (path, count) => looks(count, origin.url(`/${path}`)),
    ask: (query, variables) => askGraphql(started, query, variables),
    close: async () => {
      await started.close();
      await origin.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function filesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => relative(root, file)).sort();
}
