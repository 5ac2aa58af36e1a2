import { describe, expect, it } from '@jest/globals';
import { UnauthorizedLimit } from './unauthorized-limit.js';

describe('the limit of wrong signatures', () => {
  it('stops an address after so many in a minute, says for how long, and forgets', () => {
    const limit = new UnauthorizedLimit(2);
    limit.count('192.0.2.1', 1000);
    expect(limit.waitOf('192.0.2.1', 1010)).toBe(0);
    limit.count('192.0.2.1', 1010);
    expect(limit.waitOf('192.0.2.1', 1010)).toBe(50);
    expect(limit.waitOf('192.0.2.2', 1010)).toBe(0);
    expect(limit.waitOf('192.0.2.1', 1060)).toBe(0);
    limit.count('192.0.2.1', 1060);
    expect(limit.waitOf('192.0.2.1', 1060)).toBe(0);
  });

  it('counts the addresses of one IPv6 network as one, however they are written', () => {
    const limit = new UnauthorizedLimit(1);
    limit.count('2001:db8:0:1::7', 0);
    expect(limit.waitOf('2001:db8:0:1:ffff:1:2:3', 0)).toBe(60);
    expect(limit.waitOf('2001:db8:0:2::7', 0)).toBe(0);
    limit.count('::1', 0);
    expect(limit.waitOf('::ffff:192.0.2.1', 0)).toBe(0);
  });

  it('does not grow with the number of addresses', () => {
    const limit = new UnauthorizedLimit(1);
    for (let n = 0; n < 10_002; n++) limit.count(`10.0.${n >> 8}.${n & 255}`, 0);
    expect(limit.waitOf('10.0.0.0', 0)).toBe(0);
    expect(limit.waitOf('10.0.39.16', 0)).toBe(60);
  });
});
