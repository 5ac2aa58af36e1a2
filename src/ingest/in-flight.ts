import type { ServerResponse } from 'node:http';

/** Counts requests from their headers to the end of their answer, so that bodies do not fill the memory. */
export class InFlight {
  private count = 0;

  constructor(private readonly max: number) {}

  /** @returns false when there is no room; otherwise the place is given back when the answer is out or nobody waits for it */
  enter(response: ServerResponse): boolean {
    if (this.count >= this.max) return false;
    this.count++;
    // The answer to a pipelined request may never close by itself when the connection breaks before its turn.
    const { socket } = response.req;
    let isIn = true;
    const leave = (): void => {
      response.off('close', leave);
      socket.off('close', leave);
      // Taken off the list or not, it is called once more when the socket's close is what closes the answer.
      if (isIn) this.count--;
      isIn = false;
    };
    response.once('close', leave);
    socket.once('close', leave);
    return true;
  }
}
