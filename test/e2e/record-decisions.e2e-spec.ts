import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGalleriesApp, type GalleriesApp } from '../harness/galleries-app.js';
import { insertJobs } from '../harness/job-rows.js';
import { runwayData } from '../harness/payloads.js';
import { statementsOf } from '../harness/statements.js';

type Data = Record<string, unknown>;

let archive: GalleriesApp;
let shows = 0;

beforeAll(async () => {
  archive = await startGalleriesApp();
});
afterAll(() => archive.close());

async function ask(query: string, variables: Data = {}): Promise<Data> {
  const { data, errors } = await archive.ask(query, variables);
  expect(errors).toEqual([]);
  return data ?? {};
}

/** The code and the sentence that a mutation is refused with. */
async function refused(query: string, variables: Data = {}): Promise<{ code: unknown; message: string }> {
  const { errors } = await archive.ask(query, variables);
  return { code: errors[0]?.extensions['code'], message: errors[0]?.message ?? '' };
}

const aYear = (): number => 1980 + shows++;

async function worked(over: Data): Promise<string> {
  const id = await archive.postShow(over);
  await archive.drain();
  return id;
}

/** A crawl that was skipped for a gallery of the same guessed category, with none of its pictures. */
async function suspect(year: number): Promise<{ id: string; galleryId: string }> {
  const season = `Fall ${year}`;
  const first = await worked({ season, images: archive.looks(`fall-${year}`, 2) });
  const id = await worked({ season, images: archive.looks(`other-${year}`, 3) });
  return { id, galleryId: (await archive.job(first)).gallery_id ?? '' };
}

const RECORD = `id status outcome suspect actions submittedBy overrides { brandId year term category market }
  gallery { id status revision pictureCount categorySource }`;
const job = async (id: string): Promise<unknown> =>
  (await ask(`query ($id: ID!) { job(id: $id) { ${RECORD} } }`, { id }))['job'];

describe('a failed crawl', () => {
  const RETRY = `mutation ($id: ID!, $overrides: RecordOverridesInput) {
    retryUpdateRecord(id: $id, overrides: $overrides) { ${RECORD} } }`;

  it('is read as the editor says, by the worker too, and says what was decided', async () => {
    const payload = JSON.stringify(
      runwayData({ brand: 'Nobody', season: 'Collection', images: archive.looks('nobody', 2) }),
    );
    const [id = ''] = await insertJobs(archive.db, 1, { kind: 'crawl', payload });
    await archive.drain();
    expect(await job(id)).toMatchObject({ status: 'failed', actions: ['retry'], gallery: null, overrides: null });
    expect((await refused(RETRY, { id, overrides: { brandId: '8' } })).code).toBe('season-unparsed');
    const overrides = { brandId: '8', year: aYear(), term: 'pre_fall', category: '男装', market: 'none' };
    const { retryUpdateRecord } = await ask(RETRY, { id, overrides });
    expect(retryUpdateRecord).toMatchObject({
      id,
      status: 'pending',
      actions: [],
      overrides: { ...overrides, category: 'menswear' },
    });
    await archive.drain();
    expect(await job(id)).toMatchObject({
      status: 'done',
      outcome: 'created',
      gallery: { status: 'pending_review', pictureCount: 2, categorySource: 'editor' },
    });
    expect(await archive.job(id)).toMatchObject({ brand_id: '8' });
  });

  it('is refused in words: what is no year, no category, no failed record', async () => {
    const id = await worked({ season: `Fall ${aYear()}`, images: archive.looks('fine', 2) });
    expect(await refused(RETRY, { id })).toEqual({
      code: 'job-not-failed',
      message: `Job ${id} has not failed, so there is nothing to retry.`,
    });
    const [failed = ''] = await insertJobs(archive.db, 1, {
      kind: 'crawl',
      status: 'failed',
      payload: JSON.stringify(runwayData({ season: 'Collection' })),
    });
    const wrong = await refused(RETRY, { id: failed, overrides: { year: 26, category: 'shoes' } });
    expect(wrong.code).toBe('overrides-invalid');
    expect(wrong.message).toContain('rtw, menswear, couture');
    expect((await refused(RETRY, { id: 'x' })).code).toBe('id-invalid');
  });
});

describe('a skipped crawl', () => {
  it('is taken: a published gallery is written over by the new job, and its history says who did it', async () => {
    const { id, galleryId } = await suspect(aYear());
    await ask('mutation ($id: ID!) { publishGallery(id: $id) { id } }', { id: galleryId });
    expect(await job(id)).toMatchObject({
      outcome: 'skipped_existing',
      suspect: true,
      actions: ['take', 'own_show', 'dismiss_suspect'],
      gallery: { id: galleryId, status: 'published' },
    });
    const { takeCrawl } = await ask(`mutation ($id: ID!) { takeCrawl(id: $id) { ${RECORD} } }`, { id });
    expect(takeCrawl).toMatchObject({ status: 'pending', submittedBy: 'admin', overrides: null });
    await archive.drain();
    expect(await job((takeCrawl as { id: string }).id)).toMatchObject({
      outcome: 'overwritten',
      gallery: { id: galleryId, status: 'pending_review', revision: 2, pictureCount: 3 },
    });
    expect(await job(id)).toMatchObject({ suspect: false, actions: ['take', 'own_show'] });
  });

  it('becomes a show of its own, or not, when the archive has that one', async () => {
    const { id, galleryId } = await suspect(aYear());
    const OWN = `mutation ($id: ID!, $overrides: RecordOverridesInput!) {
      makeOwnShow(id: $id, overrides: $overrides) { ${RECORD} } }`;
    const same = await archive.ask(OWN, { id, overrides: { category: 'rtw' } });
    expect(same.errors[0]).toMatchObject({ extensions: { code: 'show-exists', gallery_id: galleryId } });
    expect((await refused(OWN, { id, overrides: {} })).code).toBe('overrides-needed');
    const { makeOwnShow } = await ask(OWN, { id, overrides: { category: 'couture' } });
    await archive.drain();
    expect(await job((makeOwnShow as { id: string }).id)).toMatchObject({
      outcome: 'created',
      overrides: { category: 'couture', year: null },
      gallery: { pictureCount: 3, categorySource: 'editor' },
    });
  });

  it('was the same show: it is suspect no more', async () => {
    const { id } = await suspect(aYear());
    const DISMISS = `mutation ($id: ID!) { dismissSuspect(id: $id) { ${RECORD} } }`;
    expect(await ask(DISMISS, { id })).toMatchObject({
      dismissSuspect: { id, suspect: false, actions: ['take', 'own_show'] },
    });
    expect((await refused(DISMISS, { id })).code).toBe('record-not-suspect');
  });
});

describe('a page of records', () => {
  it('reads the galleries of all, and what was decided about all, by one statement each', async () => {
    await suspect(aYear());
    await suspect(aYear());
    const asked = (fields: string): Promise<number> =>
      statementsOf(archive.app, () => ask(`{ jobs(first: 20) { nodes { id ${fields} } } }`));
    const page = await asked('');
    expect(await asked('actions')).toBe(page);
    expect(await asked('gallery { id }')).toBe(page + 1);
    expect(await asked('overrides { year }')).toBe(page + 1);
  });
});
