import { describe, expect, it } from '@jest/globals';
import { JOB_STATUSES } from '../jobs/job-status.js';
import { actionsOf, isSkippedCrawl, type ActedOn, type RecordAction } from './record-actions.js';

const record = (over: Partial<ActedOn> = {}): ActedOn => ({
  kind: 'crawl',
  status: 'done',
  outcome: 'skipped_existing',
  suspect: false,
  ...over,
});

describe('what an editor may make of a record', () => {
  it.each<[string, Partial<ActedOn>, RecordAction[]]>([
    ['a failed crawl', { status: 'failed', outcome: null }, ['retry']],
    ['a failed job of another kind', { kind: 'media_cleanup', status: 'failed', outcome: null }, ['retry']],
    ['a crawl that was skipped', {}, ['take', 'own_show']],
    ['one skipped for a deleted gallery', { outcome: 'skipped_deleted' }, ['take', 'own_show']],
    ['a suspect one', { suspect: true }, ['take', 'own_show', 'dismiss_suspect']],
    ['a crawl that made a gallery', { outcome: 'created' }, []],
    ['a crawl with nothing to do', { outcome: 'noop' }, []],
    ['a kind of an added module with the same outcome', { kind: 'lookbook' }, []],
    ['a crawl that waits', { status: 'pending', outcome: null }, []],
    ['a crawl under way', { status: 'processing', outcome: null }, []],
  ])('%s', (_, over, actions) => {
    expect(actionsOf(record(over))).toEqual(actions);
  });

  it('is nothing that needs a skipped crawl while the job is not done', () => {
    expect(JOB_STATUSES.filter((status) => isSkippedCrawl(record({ status })))).toEqual(['done']);
  });
});
