import { describe, expect, it } from '@jest/globals';
import { appErrorOf } from '../../test/harness/errors.js';
import { hasUnstorable } from '../lib/text.js';
import { readEnvelope } from './envelope.js';

const envelope = { type: 'runway.show', timestamp: '2026-11-30T08:00:00Z', data: { a: 1 } };

describe('an envelope', () => {
  it('is read whole', () => {
    expect(readEnvelope(envelope)).toEqual({ ...envelope, warnings: [] });
  });

  it('names what is not known in it, and what may have been meant', () => {
    expect(readEnvelope({ ...envelope, Type: 'x', 'time-stamp': 1, id: 2 }).warnings).toEqual([
      '/Type: unknown field, ignored; is "type" meant?',
      '/time-stamp: unknown field, ignored; is "timestamp" meant?',
      '/id: unknown field, ignored',
    ]);
  });

  it('with members in other letter case only is not read as if they were right', () => {
    const { Type, ...rest } = { Type: envelope.type, timestamp: envelope.timestamp, data: envelope.data };
    expect(appErrorOf(() => readEnvelope({ Type, ...rest })).errors).toEqual([
      { pointer: '/type', detail: expect.any(String) },
    ]);
  });

  it('warns in words that can be stored, few and short, whatever the names are', () => {
    const hostile = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${'x'.repeat(79)}👠${n}`, n]));
    const { warnings } = readEnvelope({ ...envelope, ...hostile });
    expect(warnings).toHaveLength(20);
    for (const warning of warnings) {
      expect(hasUnstorable(warning)).toBe(false);
      expect(warning.length).toBeLessThan(200);
    }
  });
});
