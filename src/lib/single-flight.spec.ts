import { describe, expect, it } from '@jest/globals';
import { singleFlight } from './single-flight.js';

function work(): { run: () => Promise<number>; runs: () => number; end: (error?: Error) => void } {
  let runs = 0;
  let end: (error?: Error) => void = () => undefined;
  const run = singleFlight(() => {
    const number = ++runs;
    return new Promise<number>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve(number))));
  });
  return { run, runs: () => runs, end: (error) => end(error) };
}

describe('single flight', () => {
  it('gives a call that comes meanwhile the run that is under way', async () => {
    const { run, runs, end } = work();
    const both = [run(), run()];
    end();
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(runs()).toBe(1);
  });

  it('runs anew once the last run has ended', async () => {
    const { run, end } = work();
    const first = run();
    end();
    await first;
    const second = run();
    end();
    expect(await second).toBe(2);
  });

  it('runs anew after a failure, which all who waited learn of', async () => {
    const { run, end } = work();
    const both = [run(), run()];
    end(new Error('broken'));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = run();
    end();
    expect(await next).toBe(2);
  });
});
