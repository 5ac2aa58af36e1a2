import { describe, expect, it } from '@jest/globals';
import { recordFilterOf } from './update-records.args.js';

describe('the filter of update records', () => {
  it('asks for nothing that was not given', () => {
    expect(recordFilterOf({ first: 20 })).toEqual({});
    expect(recordFilterOf({ first: 20, status: null, outcome: null })).toEqual({});
  });

  it('asks for none when an empty list was given', () => {
    expect(recordFilterOf({ first: 20, status: [], outcome: [] })).toEqual({ statuses: [], outcomes: [] });
  });

  it('refuses more outcomes than a statement should have branches', () => {
    const outcomes = Array.from({ length: 21 }, (_, place) => `outcome-${place}`);
    expect(recordFilterOf({ first: 20, outcome: outcomes.slice(1) }).outcomes).toHaveLength(20);
    expect(() => recordFilterOf({ first: 20, outcome: outcomes })).toThrow('at most 20 outcomes');
  });
});
