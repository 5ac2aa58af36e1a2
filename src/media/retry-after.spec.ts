import { describe, expect, it } from '@jest/globals';
import { retryAfterSeconds } from './retry-after.js';

const now = new Date('2026-10-25T12:00:00.500Z');

describe('retryAfterSeconds', () => {
  it.each([
    ['2', 2],
    ['0', 0],
    [' 120 ', 120],
    ['86400', 3600],
    ['99999999999999999999999', 3600],
    ['Sun, 25 Oct 2026 12:01:00 GMT', 60],
    ['Sun, 25 Oct 2026 11:00:00 GMT', 0],
    ['Mon, 26 Oct 2026 12:00:00 GMT', 3600],
  ])('reads %j as %d seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  it.each([undefined, '', 'soon', '-5', '1.5', '2026-10-25', 'Look 7 later'])(
    'waits a minute when it says %j',
    (header) => {
      expect(retryAfterSeconds(header, now)).toBe(60);
    },
  );
});
