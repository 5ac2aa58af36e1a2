import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { parseBrandLine } from '../../src/brands/brand-line.js';
import { JobHandler, type JobHandlerContract, type Settlement } from '../../src/jobs/job-handler.js';
import {
  type Described,
  IntakeType,
  type IntakeTypeHandler,
  type Normalised,
} from '../../src/platform/intake/intake-type.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { drainJobs } from '../harness/jobs-app.js';
import { signedPost } from '../harness/signed-post.js';
import { LookbooksModule } from './lookbooks/lookbooks.module.js';

interface Records {
  brand: { updateRecords: { nodes: Record<string, unknown>[] } };
}

const RECORDS = `query ($id: ID!) { brand(id: $id) { updateRecords(first: 5) {
  nodes { kind status outcome note subject errorCode submittedBy attempts } } } }`;

describe('a module from outside, imported beside the application', () => {
  let app: TestApp;
  let brandId: string;

  beforeAll(async () => {
    app = await startTestApp({ modules: [LookbooksModule] });
    const catalogue = app.app.get(BrandCatalogue, { strict: false });
    ({ id: brandId } = await catalogue.put(parseBrandLine('{"name":"Maison Éclair"}')));
  });

  afterAll(() => app.close());

  const send = (data: Record<string, unknown>): ReturnType<typeof signedPost> =>
    signedPost(`${app.url}/ingest`, { type: 'lookbook.sent', timestamp: '2026-11-30T08:00:00Z', data });

  const records = async (): Promise<Record<string, unknown>[]> => {
    const { data, errors } = await askGraphql<Records>(app, RECORDS, { id: brandId });
    expect(errors).toEqual([]);
    return data?.brand.updateRecords.nodes ?? [];
  };

  it('has its message accepted, its job done, and its outcome on the brand’s page', async () => {
    const answer = await send({ brand: 'maison eclair', title: 'Resort 2027', pages: 24 });
    expect(answer).toMatchObject({ status: 202, body: { status: 'pending', subject: 'Lookbook · Resort 2027' } });

    await drainJobs(app.app);

    expect(await records()).toEqual([
      {
        kind: 'lookbook',
        status: 'done',
        outcome: 'filed',
        note: '24 pages',
        subject: 'Lookbook · Resort 2027',
        errorCode: null,
        submittedBy: 'dev',
        attempts: 1,
      },
    ]);
  });

  it('refuses at the door what its own reading refuses', async () => {
    const answer = await send({ brand: 'Maison Éclair', title: 'Resort 2027' });
    expect(answer).toMatchObject({ status: 422, body: { type: 'urn:runway:problem:schema-invalid' } });
  });

  it('has the door look its brand up', async () => {
    const answer = await send({ brand: 'Nobody', title: 'Resort 2027', pages: 1 });
    expect(answer).toMatchObject({ status: 422, body: { type: 'urn:runway:problem:brand-unknown' } });
  });

  it('fails a job with a code of its own', async () => {
    await send({ brand: 'Maison Éclair', title: 'Empty', pages: 0 });
    await drainJobs(app.app);
    const [newest] = await records();
    expect(newest).toMatchObject({ status: 'failed', errorCode: 'lookbook_empty', outcome: null, attempts: 1 });
  });
});

describe('two modules that want the same', () => {
  class Silent implements IntakeTypeHandler {
    normalise(): Normalised<unknown> {
      return { value: undefined, warnings: [] };
    }

    brandOf(): undefined {
      return undefined;
    }

    describe(): Described {
      return { subject: '', subjectKey: '', warnings: [] };
    }
  }

  class Idle implements JobHandlerContract {
    gather(): Promise<void> {
      return Promise.resolve();
    }

    commit(): Promise<Settlement> {
      return Promise.resolve({ outcome: 'noop', note: '' });
    }
  }

  @IntakeType({ type: 'lookbook.sent', path: '/ingest', kind: 'other' })
  class RivalIntakeType extends Silent {}

  @IntakeType({ type: 'runway.show', path: '/ingest', kind: 'other' })
  class RivalOfTheHouse extends Silent {}

  @JobHandler({ kind: 'lookbook', outcomes: ['noop'] })
  class RivalHandler extends Idle {}

  @JobHandler({ kind: 'crawl', outcomes: ['noop'] })
  class RivalOfTheCrawl extends Idle {}

  it.each([
    ['an intake type', RivalIntakeType, /LookbookIntakeType.*RivalIntakeType|RivalIntakeType.*LookbookIntakeType/],
    [
      'an intake type of the house',
      RivalOfTheHouse,
      /RunwayIntakeType.*RivalOfTheHouse|RivalOfTheHouse.*RunwayIntakeType/,
    ],
    ['a kind of job', RivalHandler, /LookbookHandler.*RivalHandler|RivalHandler.*LookbookHandler/],
    ['a kind of job of the house', RivalOfTheCrawl, /CrawlHandler.*RivalOfTheCrawl|RivalOfTheCrawl.*CrawlHandler/],
  ])('stop the start when it is %s, and both are named', async (_, rival, names) => {
    const starting = startTestApp({ modules: [LookbooksModule], providers: [rival] });
    // An application that does start must not outlive the test that fails because of it.
    void starting.then((app) => app.close()).catch(() => undefined);
    await expect(starting).rejects.toThrow(names);
  });
});
