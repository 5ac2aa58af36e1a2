import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { InFlight } from './in-flight.js';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

/** An answer as far as places are concerned: whether its request has come, whether it is out, and when it closes. */
class Exchange extends EventEmitter {
  readonly req = { complete: false, socket: new EventEmitter() };
  writableEnded = false;

  static whole(): Exchange {
    const exchange = new Exchange();
    exchange.req.complete = true;
    return exchange;
  }

  static answered(): Exchange {
    const exchange = Exchange.whole();
    exchange.writableEnded = true;
    return exchange;
  }

  enter(inFlight: InFlight, address = HERE): boolean {
    return inFlight.enter(this as unknown as ServerResponse, address);
  }
}

const enter = (inFlight: InFlight, address?: string): boolean => new Exchange().enter(inFlight, address);

describe('the places', () => {
  it('are as many as they are, whoever has them, and are given back once', () => {
    const inFlight = new InFlight(4);
    const first = new Exchange();
    expect(first.enter(inFlight)).toBe(true);
    for (const address of [HERE, THERE, '192.0.2.3']) expect(enter(inFlight, address)).toBe(true);
    expect(enter(inFlight, '192.0.2.4')).toBe(false);
    first.emit('close');
    first.req.socket.emit('close');
    expect(enter(inFlight, '192.0.2.4')).toBe(true);
    expect(enter(inFlight, '192.0.2.5')).toBe(false);
  });

  it('that wait for one address are half of all, and for all of an IPv6 network too', () => {
    for (const [one, another] of [
      [HERE, HERE],
      ['2001:db8:0:1::7', '2001:db8:0:1:ffff::8'],
    ]) {
      const inFlight = new InFlight(4);
      const slow = new Exchange();
      expect(slow.enter(inFlight, one)).toBe(true);
      expect(enter(inFlight, another)).toBe(true);
      expect(enter(inFlight, one)).toBe(false);
      expect(enter(inFlight, THERE)).toBe(true);
      slow.req.socket.emit('close');
      expect(enter(inFlight, one)).toBe(true);
    }
  });

  it('may all be one address’s when its messages have come whole', () => {
    const inFlight = new InFlight(4);
    for (let n = 0; n < 4; n++) expect(Exchange.whole().enter(inFlight)).toBe(true);
    expect(Exchange.whole().enter(inFlight)).toBe(false);
  });

  it('of bodies that come whole in the end count no longer', () => {
    const inFlight = new InFlight(4);
    const both = [new Exchange(), new Exchange()];
    for (const exchange of both) expect(exchange.enter(inFlight)).toBe(true);
    expect(enter(inFlight)).toBe(false);
    for (const { req } of both) req.complete = true;
    expect(enter(inFlight)).toBe(true);
  });

  it('count against an address whose answers nobody reads', () => {
    const inFlight = new InFlight(4);
    for (let n = 0; n < 2; n++) expect(Exchange.answered().enter(inFlight)).toBe(true);
    expect(enter(inFlight)).toBe(false);
    expect(enter(inFlight, THERE)).toBe(true);
  });

  it('leave every address at least one', () => {
    const inFlight = new InFlight(1);
    expect(enter(inFlight)).toBe(true);
    expect(enter(inFlight, THERE)).toBe(false);
  });
});
