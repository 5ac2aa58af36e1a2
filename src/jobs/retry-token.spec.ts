import { describe, expect, it } from '@jest/globals';
import { readRetryToken, writeRetryToken } from './retry-token.js';

const KEY = Buffer.alloc(32, 1);
const SEEN = { count: 12, newest: '9007199254740993', seenAt: 1_800_000_000 };
const FILTER = { kinds: ['crawl'], errorCode: 'fetch_failed' };

describe('the token of a dry run', () => {
  const token = writeRetryToken(KEY, FILTER, SEEN);

  it('says what was seen, for a quarter of an hour', () => {
    expect(readRetryToken(KEY, FILTER, token, SEEN.seenAt + 900)).toEqual(SEEN);
    expect(readRetryToken(KEY, FILTER, token, SEEN.seenAt + 901)).toBeUndefined();
  });

  it('holds for the same filter however it is put, and for no other', () => {
    const same = { errorCode: 'fetch_failed', kinds: ['crawl'], text: undefined };
    expect(readRetryToken(KEY, same, token, SEEN.seenAt)).toEqual(SEEN);
    for (const other of [{}, { ...FILTER, text: 'x' }, { ...FILTER, kinds: ['crawl', 'x'] }]) {
      expect(readRetryToken(KEY, other, token, SEEN.seenAt)).toBeUndefined();
    }
  });

  it('cannot be changed or made by others', () => {
    const [, seal] = token.split('.');
    const more = Buffer.from(JSON.stringify([99, SEEN.newest, SEEN.seenAt])).toString('base64url');
    const made = writeRetryToken(Buffer.alloc(32, 2), FILTER, SEEN);
    for (const other of [`${more}.${seal}`, made, '', '.', 'x', `${token}x`, '闪电.之家']) {
      expect(readRetryToken(KEY, FILTER, other, SEEN.seenAt)).toBeUndefined();
    }
  });
});
