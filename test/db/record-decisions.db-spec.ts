import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../src/auth/actor.js';
import { RecordDecisions } from '../../src/galleries/record-decisions.service.js';
import { RecordRetry } from '../../src/galleries/record-retry.service.js';
import { blockedBy } from '../harness/blocked-by.js';
import { refusal } from '../harness/errors.js';
import { GalleriesContext } from '../harness/galleries-context.js';
import { insertJobs } from '../harness/job-rows.js';
import { looks, message, runwayData, streetData } from '../harness/payloads.js';

type Fields = Record<string, unknown>;

const ADA: Actor = { id: '5', name: 'Ada', role: 'editor' };
const BEA: Actor = { id: '6', name: 'Bea', role: 'editor' };

let room: GalleriesContext;

beforeAll(async () => {
  room = await GalleriesContext.start();
});
afterEach(() => room.reset());
afterAll(() => room.close());

const retries = (): RecordRetry => room.get(RecordRetry);
const decisions = (): RecordDecisions => room.get(RecordDecisions);
const runway = (over: Fields = {}, brandId = '7'): Promise<string> =>
  room.post(message('runway.show', runwayData(over)), brandId);

/** @returns the job's id */
async function worked(posted: Promise<string>): Promise<string> {
  const id = await posted;
  await (await room.held(id)).work();
  return id;
}

const work = async (id: string): Promise<string> => (await room.held(id)).work();

async function jobRow(id: string): Promise<Fields> {
  const [row] = await room.db.query<Fields>('SELECT * FROM ingest_jobs WHERE id = $1', [id]);
  return row ?? {};
}

async function galleryRow(id: string): Promise<Fields> {
  const [row] = await room.db.query<Fields>('SELECT * FROM galleries WHERE id = $1', [id]);
  return row ?? {};
}

const events = async (id: string): Promise<unknown[]> =>
  (
    await room.db.query<{ actor: string; action: string; job_id: string }>(
      'SELECT actor, action, job_id FROM gallery_events WHERE gallery_id = $1 ORDER BY id',
      [id],
    )
  ).map(({ actor, action, job_id: jobId }) => [actor, action, jobId]);

const deeds = (id: string): Promise<Fields[]> =>
  room.db.query(
    `SELECT actor, action, detail FROM admin_events WHERE entity = 'job' AND entity_id = $1 AND at >= $2 AND action <> 'job.cancelled' ORDER BY id`,
    [id, since],
  );
let since = 0;

/** Two editors' answers: how many did it, and with what code the others were refused. */
async function both(...work: Promise<unknown>[]): Promise<{ done: number; refused: unknown[] }> {
  const answers = await Promise.allSettled(work);
  return {
    done: answers.filter(({ status }) => status === 'fulfilled').length,
    refused: answers.flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as { code: unknown }).code] : [],
    ),
  };
}

/** A crawl that was skipped for gallery 1, and may be another show. @returns its job's id */
async function suspect(over: Fields = {}): Promise<string> {
  await worked(runway({ season: 'Fall 2026' }));
  const id = await worked(
    runway({ season: 'Fall 2026', images: looks(3, 'https://elsewhere.example/menswear'), ...over }),
  );
  expect(await jobRow(id)).toMatchObject({ outcome: 'skipped_existing', suspect: true, gallery_id: '1' });
  expect(await galleryRow('1')).toMatchObject({ suspect: true });
  return id;
}

beforeAll(async () => {
  const [row] = await room.db.query<{ now: string }>('SELECT floor(extract(epoch FROM clock_timestamp())) AS now');
  since = Number(row?.now);
});
afterEach(() => room.db.query('TRUNCATE admin_events'));

describe('a failed crawl that is tried again as an editor reads it', () => {
  it('is of the brand that the editor named, where an old row names one that nobody knows', async () => {
    await room.db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (8, '盖娅传说', 'heaven-gaia', 1, 1)`,
    );
    const payload = JSON.stringify(runwayData({ brand: 'Nobody', images: looks(2) }));
    const [id = ''] = await insertJobs(room.db, 1, { kind: 'crawl', payload });
    expect(await work(id)).toBe('failed');
    expect(await jobRow(id)).toMatchObject({ error_code: 'brand_not_found', brand_id: '0' });

    expect(await retries().retry(ADA, id, { brandId: '8' })).toMatchObject({ id, status: 'pending', attempts: 0 });
    expect(await jobRow(id)).toMatchObject({
      brand_id: '8',
      brandless: false,
      payload,
      overrides: '{"brandId":"8"}',
      subject: '2026 秋冬 · 高级成衣 · 巴黎',
      subject_key: 'runway:8:2026:fall:rtw:paris:',
    });
    expect(await work(id)).toBe('created');
    expect(await galleryRow('1')).toMatchObject({ brand_id: '8', category: 'rtw', category_source: 'season' });
    expect(await deeds(id)).toEqual([{ actor: 'Ada', action: 'job.retried', detail: 'brand 8' }]);
  });

  it('has the season that its payload lacks; what is still missing is told at once', async () => {
    const id = await worked(runway({ season: 'Collection' }));
    expect(await room.statusOf(id)).toMatchObject({ status: 'failed', error_code: 'season_unparsed' });
    const half = await refusal(retries().retry(ADA, id, { year: 2025 }));
    expect(half).toMatchObject({ code: 'season-unparsed', status: 422 });
    expect(half.message).toContain('Collection');
    expect(await jobRow(id)).toMatchObject({ status: 'failed', overrides: null });

    await retries().retry(ADA, id, { year: 2025, term: 'resort' });
    expect(await work(id)).toBe('created');
    expect(await galleryRow('1')).toMatchObject({ year: 2025, term: 'resort', category: 'rtw' });
  });

  it('has the category and the market that the editor says, and that is no guess', async () => {
    const id = await worked(runway({ season: 'Collection', market: 'milan' }));
    await retries().retry(ADA, id, { year: 2025, term: 'fall', category: '高级定制', market: 'Londres' });
    expect(await work(id)).toBe('created');
    expect(await galleryRow('1')).toMatchObject({
      category: 'couture',
      category_source: 'editor',
      market: 'london',
    });
  });

  it('keeps what was decided before: without overrides all of it, with others what they leave out', async () => {
    const id = await worked(runway({ season: 'Collection' }));
    await retries().retry(ADA, id, { year: 2025, term: 'fall', market: 'none' });
    await room.jobs.cancel(id, ADA);
    await retries().retry(ADA, id);
    expect((await jobRow(id))['overrides']).toBe('{"year":2025,"term":"fall","market":null}');
    await room.jobs.cancel(id, ADA);
    await retries().retry(BEA, id, { term: 'spring', market: null });
    expect(await jobRow(id)).toMatchObject({
      overrides: '{"year":2025,"term":"spring"}',
      subject_key: 'runway:7:2025:spring:rtw:paris:',
    });
    expect(await deeds(id)).toEqual([
      { actor: 'Ada', action: 'job.retried', detail: 'year 2025, term fall, market none' },
      { actor: 'Ada', action: 'job.retried', detail: null },
      { actor: 'Bea', action: 'job.retried', detail: 'year 2025, term spring' },
    ]);
  });

  it('is refused while a newer job of the show that it becomes is under way, and nothing changes', async () => {
    const id = await worked(runway({ season: 'Collection' }));
    const [newer = ''] = await insertJobs(room.db, 1, {
      kind: 'crawl',
      subject_key: 'runway:7:2025:fall:couture:paris:',
    });
    const before = await jobRow(id);
    const error = await refusal(retries().retry(ADA, id, { year: 2025, term: 'fall', category: 'couture' }));
    expect(error).toMatchObject({ code: 'job-superseded', status: 409, members: { newer_job: newer } });
    expect(error.message).toContain(newer);
    expect(await jobRow(id)).toEqual(before);
    expect(await deeds(id)).toEqual([]);
    expect(await retries().retry(ADA, id, { year: 2025, term: 'fall', category: 'rtw' })).toMatchObject({
      status: 'pending',
    });
  });

  it('is tried by one of two editors, and the other is told', async () => {
    const id = await worked(runway({ season: 'Collection' }));
    const answer = await both(
      retries().retry(ADA, id, { year: 2025, term: 'fall' }),
      retries().retry(BEA, id, { year: 2024, term: 'spring' }),
    );
    expect(answer.done).toBe(1);
    expect(['record-changed', 'job-not-failed']).toContain(answer.refused[0]);
    expect(await deeds(id)).toHaveLength(1);
  });

  it('is not tried by one who decided upon what somebody else has changed since', async () => {
    const id = await worked(runway({ season: 'Collection' }));
    const holder = await room.db.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM brands WHERE id = 7 FOR UPDATE');
    const late = refusal(retries().retry(ADA, id, { year: 2025, term: 'fall' }));
    await blockedBy(room.db, holder);
    // Retried by Bea, and failed again.
    await holder.query('UPDATE ingest_jobs SET overrides = $2 WHERE id = $1', [id, '{"year":2024,"term":"fall"}']);
    await holder.query('COMMIT');
    expect(await late).toMatchObject({ code: 'record-changed', status: 409 });
    expect(await jobRow(id)).toMatchObject({ status: 'failed', overrides: '{"year":2024,"term":"fall"}' });
  });

  it('of two that become the same show leaves the older one where it is, however close they come', async () => {
    const older = await worked(runway({ season: 'Collection' }));
    const newer = await worked(runway({ season: 'Collection' }));
    const season = { year: 2025, term: 'fall' };
    const holder = await room.db.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM brands WHERE id = 7 FOR UPDATE');
    const first = retries().retry(ADA, newer, season);
    await blockedBy(room.db, holder);
    const second = retries().retry(BEA, older, season);
    const answer = both(first, second);
    await holder.query('COMMIT');
    expect(await answer).toEqual({ done: 1, refused: ['job-superseded'] });
    expect(await room.idsOf('crawl', 'pending')).toEqual([newer]);
  });

  it('may not be street style of a brand, nor anything but a crawl', async () => {
    const street = await room.post(message('street.gallery', streetData()), '0');
    const [other = ''] = await insertJobs(room.db, 1, { kind: 'media_cleanup', payload: '{}' });
    for (const id of [street, other]) await room.jobs.cancel(id, ADA);
    expect(await refusal(retries().retry(ADA, street, { brandId: '7' }))).toMatchObject({ code: 'brand-not-allowed' });
    expect(await refusal(retries().retry(ADA, other, { year: 2025 }))).toMatchObject({
      code: 'overrides-not-allowed',
      status: 409,
    });
    expect(await retries().retry(ADA, other)).toMatchObject({ status: 'pending' });
    await retries().retry(ADA, street, { market: 'milan' });
    expect(await work(street)).toBe('created');
    expect(await galleryRow('1')).toMatchObject({ kind: 'street', market: 'milan', brand_id: '0' });
  });

  it('is refused when there is no such record, it has not failed, or its payload cannot be read', async () => {
    expect(await refusal(retries().retry(ADA, '99'))).toMatchObject({ code: 'job-not-found', status: 404 });
    const waiting = await runway();
    expect(await refusal(retries().retry(ADA, waiting, { year: 2025 }))).toMatchObject({ code: 'job-not-failed' });
    const [broken = ''] = await insertJobs(room.db, 1, { kind: 'crawl', status: 'failed', payload: 'x' });
    expect(await refusal(retries().retry(ADA, broken, { year: 2025 }))).toMatchObject({
      code: 'payload-unreadable',
      status: 422,
    });
    const known = await worked(runway({ season: 'Collection' }));
    expect(await refusal(retries().retry(ADA, known, { brandId: '99', year: 2025, term: 'fall' }))).toMatchObject({
      code: 'brand-not-found',
    });
  });
});

describe('a skipped crawl that an editor takes', () => {
  it('is written over a published gallery, which is to be reviewed again; its old files go', async () => {
    const id = await suspect();
    await room.db.query(`UPDATE galleries SET status = 'published', published_at = 5`);
    const old = await room.storedKeys();
    const made = await decisions().take(ADA, id);
    expect(made).toMatchObject({ status: 'pending', kind: 'crawl', galleryId: '1', submittedBy: 'Ada', brandId: '7' });
    expect(await jobRow(made.id)).toMatchObject({
      payload: (await jobRow(id))['payload'],
      overrides: '{"decision":"take","galleryId":"1"}',
      subject_key: (await jobRow(id))['subject_key'],
    });
    expect(await jobRow(id)).toMatchObject({ suspect: false, outcome: 'skipped_existing' });

    expect(await work(made.id)).toBe('overwritten');
    expect(await galleryRow('1')).toMatchObject({
      status: 'pending_review',
      published_at: '0',
      revision: 2,
      suspect: false,
      picture_count: 3,
    });
    expect(await events('1')).toEqual([
      ['dev', 'created', expect.anything()],
      ['dev', 'crawl_skipped', id],
      ['Ada', 'overwritten', made.id],
    ]);
    expect(await deeds(id)).toEqual([{ actor: 'Ada', action: 'job.taken', detail: `gallery 1, by job ${made.id}` }]);
    const [cleanup = ''] = await room.idsOf('media_cleanup', 'pending');
    expect(await work(cleanup)).toBe('cleaned');
    expect(old.filter((key) => room.store.objects.has(key))).toEqual([]);
  });

  it('leaves what an editor put right in the gallery, whatever was decided of the crawl', async () => {
    const id = await suspect();
    await room.db.query(`UPDATE ingest_jobs SET overrides = '{"category":"rtw"}' WHERE id = $1`, [id]);
    await room.db.query(`UPDATE galleries SET category = 'couture', category_source = 'editor'`);
    const made = await decisions().take(ADA, id);
    expect(await work(made.id)).toBe('overwritten');
    expect(await galleryRow('1')).toMatchObject({ category: 'couture', category_source: 'editor', revision: 2 });
  });

  it('settles a category that was read, by what an editor says of the crawl', async () => {
    await worked(runway({ season: 'Fall 2026 Ready-to-Wear' }));
    const id = await worked(runway({ season: 'Fall 2026 Ready-to-Wear' }));
    await room.db.query(`UPDATE ingest_jobs SET overrides = '{"category":"couture"}' WHERE id = $1`, [id]);
    expect(await work((await decisions().take(ADA, id)).id)).toBe('overwritten');
    expect(await galleryRow('1')).toMatchObject({ category: 'couture', category_source: 'editor' });
  });

  it('is refused for a gallery that is another brand’s by now', async () => {
    const id = await suspect();
    await room.db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (8, '盖娅传说', 'heaven-gaia', 1, 1)`,
    );
    await room.db.query('UPDATE galleries SET brand_id = 8');
    expect(await refusal(decisions().take(ADA, id))).toMatchObject({ code: 'gallery-of-another-brand', status: 409 });
  });

  it('is refused for a gallery in the trash, at once and at its commit; a retry goes on once it is restored', async () => {
    const id = await suspect();
    const made = await decisions().take(ADA, id);
    const held = await room.held(made.id);
    expect(await held.gather()).toBe(true);
    await room.db.query('UPDATE galleries SET deleted_at = 5');
    expect(await held.commit()).toBe('failed');
    expect(await room.statusOf(made.id)).toMatchObject({ status: 'failed', error_code: 'gallery_deleted' });
    const error = await refusal(decisions().take(ADA, id));
    expect(error).toMatchObject({ code: 'gallery-deleted', status: 409 });
    expect(error.message).toContain('Restore it first');

    await room.db.query('UPDATE galleries SET deleted_at = 0');
    expect(await refusal(retries().retry(ADA, made.id, { year: 2025 }))).toMatchObject({
      code: 'overrides-not-allowed',
    });
    await retries().retry(ADA, made.id);
    expect(await work(made.id)).toBe('overwritten');
  });

  it('is one new job of two editors, and is refused while any job of the show is under way', async () => {
    const id = await suspect();
    expect(await both(decisions().take(ADA, id), decisions().take(BEA, id))).toEqual({
      done: 1,
      refused: ['job-superseded'],
    });
    expect(await room.idsOf('crawl', 'pending')).toHaveLength(1);
  });

  it('of a row from before, which names no gallery, is taken for the one that it finds', async () => {
    const id = await suspect();
    await room.db.query('UPDATE ingest_jobs SET gallery_id = NULL, subject_key = $2 WHERE id = $1', [id, '']);
    expect(await decisions().take(ADA, id)).toMatchObject({ galleryId: '1' });
    await room.db.query('DELETE FROM ingest_jobs WHERE status = $1', ['pending']);
    await room.db.query('TRUNCATE galleries CASCADE');
    expect(await refusal(decisions().take(ADA, id))).toMatchObject({ code: 'gallery-not-found', status: 404 });
  });

  it('is none that made a gallery, or failed, or is there no more', async () => {
    const created = await worked(runway());
    const failed = await worked(runway({ season: 'Collection' }));
    for (const id of [created, failed]) {
      expect(await refusal(decisions().take(ADA, id))).toMatchObject({ code: 'record-not-skipped', status: 409 });
      expect(await refusal(decisions().makeOwnShow(ADA, id, { year: 2025 }))).toMatchObject({
        code: 'record-not-skipped',
      });
    }
    expect(await refusal(decisions().take(ADA, '99'))).toMatchObject({ code: 'job-not-found' });
  });
});

describe('a skipped crawl that an editor makes a show of its own', () => {
  it('becomes a second gallery of that season, and the next crawl of its page finds it there', async () => {
    const source = { url: 'https://runway.example/fall-2026/other' };
    const id = await suspect({ source });
    const made = await decisions().makeOwnShow(ADA, id, { category: 'menswear' });
    expect(made).toMatchObject({ status: 'pending', galleryId: null, submittedBy: 'Ada' });
    expect(await work(made.id)).toBe('created');
    expect(await galleryRow('2')).toMatchObject({ category: 'menswear', category_source: 'editor', year: 2026 });
    expect(await galleryRow('1')).toMatchObject({ suspect: false, revision: 1 });
    expect(await jobRow(id)).toMatchObject({ suspect: false });
    expect(await deeds(id)).toEqual([
      { actor: 'Ada', action: 'job.made_own_show', detail: `category menswear, by job ${made.id}` },
    ]);
    const again = await worked(
      runway({ season: 'Fall 2026', images: looks(3, 'https://elsewhere.example/menswear'), source }),
    );
    expect(await jobRow(again)).toMatchObject({ outcome: 'skipped_existing', gallery_id: '2', suspect: false });
  });

  it('is refused where the archive has that show, with the gallery that is it', async () => {
    const id = await suspect();
    const same = await refusal(decisions().makeOwnShow(ADA, id, { category: 'rtw' }));
    expect(same).toMatchObject({
      code: 'show-exists',
      status: 409,
      members: { gallery_id: '1', label: '2026 秋冬 · 高级成衣 · 巴黎' },
    });
    await worked(runway({ season: 'Fall 2026 Couture' }));
    await room.db.query('UPDATE galleries SET deleted_at = 5 WHERE id = 2');
    expect(await refusal(decisions().makeOwnShow(ADA, id, { category: 'couture' }))).toMatchObject({
      code: 'show-exists',
      members: { gallery_id: '2' },
    });
    expect(await jobRow(id)).toMatchObject({ suspect: true });
    expect(await galleryRow('1')).toMatchObject({ suspect: true });
    expect(await refusal(decisions().makeOwnShow(ADA, id, {}))).toMatchObject({ code: 'overrides-needed' });
    expect(await room.idsOf('crawl', 'pending')).toEqual([]);
  });

  it('fails when another crawl makes that show first, and may then be tried as yet another one', async () => {
    const id = await suspect();
    const made = await decisions().makeOwnShow(ADA, id, { category: 'couture' });
    const held = await room.held(made.id);
    expect(await held.gather()).toBe(true);
    await worked(runway({ season: 'Fall 2026 Couture' }));
    expect(await held.commit()).toBe('failed');
    expect(await room.statusOf(made.id)).toMatchObject({ status: 'failed', error_code: 'show_exists' });
    await retries().retry(ADA, made.id, { category: 'menswear' });
    expect(await work(made.id)).toBe('created');
  });

  it('is made once of two editors', async () => {
    const id = await suspect();
    const answer = await both(
      decisions().makeOwnShow(ADA, id, { category: 'couture' }),
      decisions().makeOwnShow(BEA, id, { category: 'couture' }),
    );
    expect(answer).toEqual({ done: 1, refused: ['job-superseded'] });
  });
});

describe('a suspect crawl that was the same show', () => {
  it('is suspect no more, nor is its gallery, nor the next crawl of its page', async () => {
    const source = { url: 'https://runway.example/fall-2026' };
    const id = await suspect({ source });
    expect(await decisions().dismissSuspect(ADA, id)).toMatchObject({ id, suspect: false, status: 'done' });
    expect(await galleryRow('1')).toMatchObject({ suspect: false });
    expect(await events('1')).toContainEqual(['Ada', 'suspect_dismissed', id]);
    const again = await worked(
      runway({ season: 'Fall 2026', images: looks(3, 'https://elsewhere.example/menswear'), source }),
    );
    expect(await jobRow(again)).toMatchObject({ outcome: 'skipped_existing', suspect: false });
    expect(await refusal(decisions().dismissSuspect(ADA, id))).toMatchObject({
      code: 'record-not-suspect',
      status: 409,
    });
  });

  it('is said by one of two editors', async () => {
    const id = await suspect();
    expect(await both(decisions().dismissSuspect(ADA, id), decisions().dismissSuspect(BEA, id))).toEqual({
      done: 1,
      refused: ['record-not-suspect'],
    });
    expect((await events('1')).filter((event) => JSON.stringify(event).includes('dismissed'))).toHaveLength(1);
  });
});
