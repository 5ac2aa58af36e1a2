import { describe, expect, it } from '@jest/globals';
import { readDemoArgs, UsageError } from './demo-args.js';

describe('the demo’s arguments', () => {
  it.each([
    [[], { once: false, json: false, payloads: undefined }],
    [['--once'], { once: true, json: false, payloads: undefined }],
    [['--once', '--json'], { once: true, json: true, payloads: undefined }],
    [['--payloads', 'a.jsonl', '--once'], { once: true, json: false, payloads: 'a.jsonl' }],
    [['--payloads=a.jsonl'], { once: false, json: false, payloads: 'a.jsonl' }],
  ])('understands %j', (args, expected) => {
    expect(readDemoArgs(args)).toEqual(expected);
  });

  it.each([[['--help']], [['-h', '--once']]])('gives help to %j', (args) => {
    expect(readDemoArgs(args)).toBeUndefined();
  });

  it.each([
    [['--onec'], /--onec/],
    [['file.jsonl'], /file\.jsonl/],
    [['--payloads'], /--payloads/],
    [['--payloads', ''], /--payloads needs/],
    [['--json'], /--json goes with --once/],
    [['--once=yes'], /--once/],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => readDemoArgs(args)).toThrow(UsageError);
    expect(() => readDemoArgs(args)).toThrow(sentence);
    expect(() => readDemoArgs(args)).toThrow(/^[^\n]*\.$/);
  });
});
