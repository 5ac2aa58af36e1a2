import { describe, expect, it } from '@jest/globals';
import type { UpdateRecord } from './archive-client.js';
import { BRANDS, messageOf, SHOWS, type SampleShow } from './sample-crawl.js';
import { differenceOf, type Ending, endingOf, STORIES } from './scenario.js';

function ended(results: string[], fields: Partial<UpdateRecord> = {}): UpdateRecord {
  const attempt = { number: 1, endedAt: '', errorCode: null, error: null };
  const status = results.at(-1) === 'done' ? 'done' : 'failed';
  const outcome = status === 'done' ? 'created' : null;
  const history = results.map((result) => ({ ...attempt, result }));
  const row = {
    status,
    outcome,
    note: '新建 4 张图',
    subject: SHOWS.bridal.reads,
    errorCode: 'e',
    lastError: 'broken',
  };
  return { ...row, attemptHistory: history, ...fields } as UpdateRecord;
}

describe('how a record ended', () => {
  it.each<[string[], string]>([
    [['done'], 'created'],
    [['released', 'done'], 'created'],
    [['retry', 'done'], 'retried-then-created'],
    [['retry', 'retry', 'failed', 'done'], 'retried-then-created'],
    [['retry', 'retry', 'failed'], 'failed'],
    [['failed'], 'failed after 1 attempts'],
  ])('after the attempts %j is %s', (results, ending) => {
    expect(endingOf(ended(results))).toBe(ending);
  });
});

describe('an expectation', () => {
  const expected = { ending: 'created' as Ending, show: SHOWS.bridal, says: '4 张' };

  it.each([
    [ended(['done']), undefined],
    [undefined, /did not come/],
    [ended(['retry', 'done']), /came as retried-then-created/],
    [ended(['done'], { subject: '2026 春夏' }), /was read as "2026 春夏"/],
    [ended(['done'], { note: '新建 5 张图' }), /says "新建 5 张图"/],
  ])('is compared with what came (%#)', (record, difference) => {
    const found = differenceOf(expected, record);
    if (difference === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(difference);
  });
});

describe('the scenario', () => {
  it('brings about every ending', () => {
    const endings = new Set(STORIES.flatMap(({ expects }) => expects.map(({ ending }) => ending)));
    expect([...endings].sort()).toEqual([
      'cleaned',
      'created',
      'failed',
      'noop',
      'retried-then-created',
      'reused_rejected',
      'skipped_deleted',
      'skipped_existing',
    ]);
  });

  it('crawls at least 12 shows of 8 brands and a street-style gallery, each in one story', () => {
    const shows: SampleShow[] = Object.values(SHOWS);
    const runway = shows.filter(({ brand }) => brand !== undefined);
    expect(runway.length).toBeGreaterThanOrEqual(12);
    expect(new Set(runway.map(({ brand }) => brand)).size).toBeGreaterThanOrEqual(8);
    expect(runway.every(({ brand }) => BRANDS.some(({ name }) => name === brand))).toBe(true);
    expect(shows.length - runway.length).toBeGreaterThanOrEqual(1);
    const told = STORIES.flatMap(({ expects }) => [...new Set(expects.map(({ show }) => show))]);
    expect(new Set(told)).toEqual(new Set(shows));
    expect(told).toHaveLength(shows.length);
  });

  it('sends no brand with street style, and no address twice', () => {
    const messages = Object.values(SHOWS).map((show) => messageOf(show, (path) => `http://origin${path}`));
    expect(messages.filter(({ type, data }) => (type === 'street.gallery') !== !('brand' in data))).toEqual([]);
    const urls = messages.flatMap(({ data }) => data.images.map(({ url }) => url));
    expect(new Set(urls).size).toBe(urls.length);
  });
});
