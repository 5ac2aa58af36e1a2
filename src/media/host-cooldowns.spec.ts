import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { cooldowns, FakeMediaHosts } from '../../test/harness/fakes/fake-media.js';
import { TestClock } from '../../test/harness/test-clock.js';
import type { HostCooldowns } from './host-cooldowns.js';
import { PictureError } from './picture-error.js';

let clock: TestClock;
let hosts: FakeMediaHosts;
let mine: HostCooldowns;

beforeEach(() => {
  Logger.overrideLogger(false);
  clock = new TestClock();
  hosts = new FakeMediaHosts(clock);
  mine = cooldowns(hosts, clock);
});

/** Whole seconds that a host is still left alone for; 0 when it may be asked. */
async function left(of: HostCooldowns, host = 'a:443'): Promise<number> {
  try {
    await of.assertWarm(host);
    return 0;
  } catch (error) {
    if (error instanceof PictureError) return Math.round(error.retryAfterSeconds ?? -1);
    throw error;
  }
}

describe('the cool-down of a host', () => {
  it('lasts as long as the host said, and is no other host’s', async () => {
    await mine.cool('a:443', 30, 'http_429');
    expect([await left(mine), await left(mine, 'b:443')]).toEqual([30, 0]);
    clock.forward(29);
    expect(await left(mine)).toBe(1);
    clock.forward(1.1);
    expect(await left(mine)).toBe(0);
  });

  it('is known to another process within a second', async () => {
    const other = cooldowns(hosts, clock);
    expect(await left(other)).toBe(0);
    await mine.cool('a:443', 30, 'http_429');
    clock.forward(1);
    expect(await left(other)).toBe(29);
  });

  it('is known here before the database has it', async () => {
    let written = (): void => undefined;
    const cool = hosts.cool.bind(hosts);
    hosts.cool = async (host, seconds) => {
      await new Promise<void>((resolve) => (written = resolve));
      return cool(host, seconds);
    };
    const cooling = mine.cool('a:443', 30, 'http_429');
    expect(await left(mine)).toBe(30);
    written();
    await cooling;
  });

  it('is not made shorter by an answer that asks for less', async () => {
    await mine.cool('a:443', 600, 'http_503');
    await mine.cool('a:443', 2, 'http_429');
    expect([await left(mine), await left(cooldowns(hosts, clock))]).toEqual([600, 600]);
  });

  it('is a second when the host said none', async () => {
    await mine.cool('a:443', 0, 'http_429');
    expect(await left(mine)).toBe(1);
  });

  it('costs one statement a second, however many pictures ask', async () => {
    await Promise.all(Array.from({ length: 50 }, () => left(mine)));
    await left(mine);
    expect(hosts.reads).toBe(1);
    clock.forward(1);
    await Promise.all(Array.from({ length: 50 }, () => left(mine)));
    expect(hosts.reads).toBe(2);
  });

  it('is remembered while thousands of other hosts come by', async () => {
    await mine.cool('a:443', 600, 'http_429');
    for (let host = 0; host < 2_500; host++) await left(mine, `h${host}:443`);
    hosts.until.clear();
    // A second may have passed meanwhile.
    expect(await left(mine)).toBeGreaterThan(590);
  });
});
