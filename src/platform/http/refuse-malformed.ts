import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Clock } from '../clock/clock.js';
import { PROBLEM_TYPE, problemOf } from './problem.js';

/**
 * For bytes that are no HTTP: there is no request to answer, only a connection. Whoever sent whole requests before them
 * gets those answers first: a message that was taken must not be answered 400 for what came behind it.
 */
export class MalformedRefusals {
  private readonly answers = new WeakMap<Socket, Set<ServerResponse>>();
  private readonly refused = new WeakSet<Socket>();

  watch(server: Server): void {
    server.on('request', (request, response) => {
      const { socket } = request;
      const answers = this.answers.get(socket) ?? new Set();
      this.answers.set(socket, answers.add(response));
      response.once('close', () => answers.delete(response));
    });
  }

  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || this.refused.has(socket)) return;
    // Each piece that still comes would be one more error.
    this.refused.add(socket);
    const last = [...(this.answers.get(socket) ?? [])].filter(({ req }) => req.complete).at(-1);
    if (last === undefined) sayRefused(error, socket);
    else last.once('close', () => sayRefused(error, socket));
  }
}

function sayRefused(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed || !socket.writable) return;
  const [status, words] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : [400, 'Bad Request'];
  const refusal = Object.assign(new Error('This is not a whole HTTP request.'), {
    name: 'FastifyError',
    statusCode: status,
  });
  const body = JSON.stringify(problemOf(refusal, randomUUID(), 0).document);
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Date: ${new Clock().now().toUTCString()}\r\nConnection: close\r\n\r\n${body}`,
  );
}
