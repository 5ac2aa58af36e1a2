import { describe, expect, it } from '@jest/globals';
import { retryBackoff } from './backoff.js';

describe('the wait after a failed attempt', () => {
  it('doubles from 30 s and is never more than 600', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 1000].map((attempt) => retryBackoff(attempt))).toEqual([
      30, 60, 120, 240, 480, 600, 600, 600,
    ]);
  });

  it('takes an attempt before the first for the first', () => {
    expect([0, -3].map((attempt) => retryBackoff(attempt))).toEqual([30, 30]);
  });

  it('starts where it is told to', () => {
    expect([1, 2, 3].map((attempt) => retryBackoff(attempt, 1))).toEqual([1, 2, 4]);
    expect(retryBackoff(3, 0)).toBe(0);
  });
});
