import { describe, expect, it } from '@jest/globals';
import { jobErrorOf } from '../../test/harness/errors.js';
import { cleanupJob, cleanupOf, type Cleanup } from './cleanup-payload.js';

const LABEL = { brandId: '7', subject: '2026 秋冬', submittedBy: 'admin' };

describe('a clean-up', () => {
  it.each<Cleanup>([
    { objectKeys: ['runway/1/1-0123456789abcdef.jpg'] },
    { objectKeys: [], galleryId: '5' },
    { galleryId: '5', deletedAt: 1_700_000_000 },
    { jobId: '9007199254740993' },
  ])('is read as it was written: %j', (cleanup) => {
    expect(cleanupOf(cleanupJob(cleanup, LABEL).payload)).toEqual(cleanup);
  });

  it('is a job that the brand’s page shows, due when it is told to', () => {
    expect(cleanupJob({ galleryId: '5' }, { ...LABEL, delaySeconds: 60 })).toMatchObject({
      kind: 'media_cleanup',
      brandId: '7',
      brandless: false,
      subject: '2026 秋冬',
      galleryId: '5',
      submittedBy: 'admin',
      delaySeconds: 60,
    });
    expect(cleanupJob({ jobId: '1' }, { ...LABEL, brandId: '0' })).toMatchObject({ brandId: '0', brandless: true });
  });
});

describe('a clean-up from before', () => {
  it.each<[unknown, Cleanup]>([
    [{ object_keys: ['a/b.jpg', 'c'] }, { objectKeys: ['a/b.jpg', 'c'] }],
    [{ object_keys: [] }, { objectKeys: [] }],
    [{ gallery_id: 5 }, { galleryId: '5' }],
    [{ gallery_id: '5' }, { galleryId: '5' }],
  ])('is read without an envelope: %j', (payload, cleanup) => {
    expect(cleanupOf(JSON.stringify(payload))).toEqual(cleanup);
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"object_keys":"a.jpg"}',
    '{"object_keys":["a",1]}',
    '{"gallery_id":0}',
    '{"gallery_id":"x"}',
  ])('fails for good when it names nothing: %s', (payload) => {
    const { nature, code } = jobErrorOf(() => cleanupOf(payload));
    expect({ nature, code }).toEqual({ nature: 'permanent', code: 'payload_unreadable' });
  });
});
