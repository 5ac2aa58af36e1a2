import type { ServerResponse } from 'node:http';
import { addressBlock } from './address-block.js';

/** Of all places, so that one address leaves the others as many as it takes. */
const SHARE_OF_AN_ADDRESS = 0.5;

/**
 * Counts requests from their headers to the end of their answer, so that bodies do not fill the memory. Of the places
 * that wait for their sender, to send the rest of a body or to read an answer, each address has a share: whoever sends a
 * byte a second needs no secret to keep a place for a minute. What has come whole waits for nobody but us and is not
 * counted against its address, so that a crawler may have as many messages under way as there are places.
 */
export class InFlight {
  private readonly places = new Map<string, Set<ServerResponse>>();
  private readonly share: number;
  private count = 0;

  constructor(private readonly max: number) {
    this.share = Math.max(1, Math.floor(max * SHARE_OF_AN_ADDRESS));
  }

  /** @returns false when there is no room; otherwise the place is given back when the answer is out or nobody waits for it */
  enter(response: ServerResponse, address: string): boolean {
    const block = addressBlock(address);
    const places = this.places.get(block) ?? new Set();
    if (this.count >= this.max || this.isShareTaken(places)) return false;
    this.count++;
    this.places.set(block, places.add(response));
    // The answer to a pipelined request may never close by itself when the connection breaks before its turn.
    const { socket } = response.req;
    const leave = (): void => {
      response.off('close', leave);
      socket.off('close', leave);
      // Taken off the list or not, it is called once more when the socket's close is what closes the answer.
      if (!places.delete(response)) return;
      this.count--;
      if (places.size === 0) this.places.delete(block);
    };
    response.once('close', leave);
    socket.once('close', leave);
    return true;
  }

  private isShareTaken(places: ReadonlySet<ServerResponse>): boolean {
    if (places.size < this.share) return false;
    return [...places].filter(waitsForSender).length >= this.share;
  }
}

function waitsForSender({ req, writableEnded }: ServerResponse): boolean {
  return !req.complete || writableEnded;
}
