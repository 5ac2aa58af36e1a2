import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MILLISECONDS = 5_000;

/**
 * Reads on, and forgets, what a refused sender still sends: who hangs up at once resets the connection, and the sender
 * may never see the answer. Bounded, so that an endless body does not find an endless reader: in time, since Node drains
 * by itself and uncounted what nobody began to read, and in bytes.
 */
export function drainBriefly(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  let bytes = 0;
  const timer = setTimeout(() => socket.destroy(), MAX_MILLISECONDS).unref();
  request.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) socket.destroy();
  });
}
