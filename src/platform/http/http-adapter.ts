import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import cookies from '@fastify/cookie';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.js';
import type { Config } from '../config/config.js';
import { drainBriefly } from './drain-briefly.js';
import { PROBLEM_TYPE, problemOf, unavailable } from './problem.js';
import { wantsRawBody } from './raw-body.js';
import { MalformedRefusals } from './refuse-malformed.js';

const REQUEST_TIMEOUT_MS = 60_000;
const CLOSE_GRACE_MS = 10_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type JsonParser = (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void;

/**
 * Fastify as this house wants it: one parser that leaves signed bodies alone, answers for what Fastify refuses before
 * any route, and no new work once the process is closing. Made with {@link createHttpAdapter}.
 */
class HttpAdapter extends FastifyAdapter {
  private closing = false;

  constructor(
    private readonly bodyLimitBytes: number,
    trustProxy: string[],
  ) {
    const malformed = new MalformedRefusals();
    super({
      // Node's own answer to a request without a host has no words; ours is in the first hook.
      http: { requireHostHeader: false },
      bodyLimit: bodyLimitBytes,
      genReqId: () => randomUUID(),
      requestTimeout: REQUEST_TIMEOUT_MS,
      trustProxy: trustProxy.length > 0 && trustProxy,
      // Fastify's own 503 is no problem document; ours is in the first hook.
      return503OnClosing: false,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        this.sendProblem(error, request, reply),
      clientErrorHandler: (error, socket) => malformed.refuse(error, socket),
    });
    const server = this.getInstance<FastifyInstance>();
    malformed.watch(server.server);
    server.addHook('onRequest', (request, reply, done) => {
      if (this.closing) {
        void reply.header('connection', 'close');
        done(unavailable());
      } else if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
        done(new AppError('malformed-request', 'The request has no Host header. Send one.', { status: 400 }));
      } else if (request.is404) {
        done(notHere(server, request));
      } else {
        done();
      }
    });
    server.addHook('onResponse', (request, _reply, done) => {
      drainBriefly(request.raw);
      done();
    });
    // Read only: what is put into a cookie here is random already, and needs no signature.
    void server.register(cookies);
    server.removeAllContentTypeParsers();
    const parseJson = server.getDefaultJsonParser('error', 'error') as unknown as JsonParser;
    server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      if (wantsRawBody(request)) done(null, body);
      else parseJson(request, body, done);
    });
    server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // Who asks first need not send what is refused by its length.
      if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
      server.server.emit('request', request, response);
    });
  }

  /** Nest would put its own parsers over ours, and theirs parse what must stay bytes. */
  override registerParserMiddleware(): void {
    // Nothing: the parsers are those of the constructor.
  }

  override beforeClose(): void {
    this.closing = true;
    super.beforeClose();
  }

  /** Lets answers that are under way go out. A sender that stalls must not keep the process from stopping. */
  override async close(): Promise<void> {
    const server = this.getInstance<FastifyInstance>().server;
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    try {
      await super.close();
    } finally {
      clearTimeout(cut);
    }
  }

  /** For what the router refuses before there is a route, and so before Nest's filters. */
  private sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const { status, document } = problemOf(error, request.id, this.bodyLimitBytes);
    void reply
      .code(status)
      .header('content-type', PROBLEM_TYPE)
      .send(Buffer.from(JSON.stringify(document)));
  }
}

/** The server that Nest stands on; pass it to `NestFactory.create`. */
export function createHttpAdapter(config: Config): FastifyAdapter {
  return new HttpAdapter(config.intake.bodyLimitBytes, config.http.trustProxy);
}

/** Whether the server is one of {@link createHttpAdapter}: any other would parse signed bodies before the check. */
export function keepsSignedBodies(adapter: unknown): boolean {
  return adapter instanceof HttpAdapter;
}

/** Answered before the body is read, and so whatever the body is. */
function notHere(server: FastifyInstance, request: FastifyRequest): AppError {
  const path = request.url.split('?')[0] ?? '/';
  const allowed = METHODS.filter((method) => server.hasRoute({ method, url: path }));
  if (allowed.length === 0) {
    return new AppError('not-found', `There is nothing at ${path}. Check the address.`, { status: 404 });
  }
  return new AppError('method-not-allowed', `${path} takes ${allowed.join(', ')} and not ${request.method}.`, {
    status: 405,
    headers: { Allow: allowed.join(', ') },
  });
}
