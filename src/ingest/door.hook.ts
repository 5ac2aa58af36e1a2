import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { keepsSignedBodies } from '../platform/http/http-adapter.js';
import { assertBodyHeaders, wantsRawBody } from '../platform/http/raw-body.js';
import { InFlight } from './in-flight.js';
import { provenSender, SignatureGuard } from './signature.guard.js';
import { Tally } from './tally.js';
import { UnauthorizedLimit } from './unauthorized-limit.js';

/**
 * The checks that need no body, made before one is read. A guard would come too late: by then the bytes of whoever
 * asks are in memory. Covers every `@RawBody()` route.
 */
@Injectable()
export class DoorHook implements OnModuleInit {
  private readonly inFlight: InFlight;
  private readonly unauthorized: UnauthorizedLimit;

  constructor(
    private readonly guard: SignatureGuard,
    private readonly clock: Clock,
    private readonly tally: Tally,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.inFlight = new InFlight(config.intake.maxInFlight);
    this.unauthorized = new UnauthorizedLimit(config.intake.maxUnauthorizedPerMinute);
  }

  onModuleInit(): void {
    const { httpAdapter } = this.adapterHost;
    // A command has no HTTP at all.
    if (typeof httpAdapter?.getInstance !== 'function') return;
    if (!keepsSignedBodies(httpAdapter)) {
      throw new Error(
        'The intake reads signed bodies as they came: start the application with createHttpAdapter(config)',
      );
    }
    const server = httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, done) => {
      if (wantsRawBody(request)) this.admit(request, reply);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      if (wantsRawBody(request)) this.countRefusal(request, reply.statusCode);
      done();
    });
  }

  /** What was answered well is counted by the controller, which knows how. */
  private countRefusal(request: FastifyRequest, status: number): void {
    if (status < 400) return;
    this.tally.count(provenSender(request)?.id ?? '0', status, request.problemCode ?? 'unknown');
    if (status === 401) this.unauthorized.count(request.ip, this.clock.seconds());
  }

  /** @throws AppError 503, 429, 415, 413, 401, in this order */
  private admit(request: FastifyRequest, reply: FastifyReply): void {
    if (!this.inFlight.enter(reply.raw, request.ip)) {
      throw new AppError(
        'intake-saturated',
        'Too many messages are under way here, or from this address. Send this one again in a moment.',
        { status: 503, headers: { 'Retry-After': '1' } },
      );
    }
    const wait = this.unauthorized.waitOf(request.ip, this.clock.seconds());
    if (wait > 0) {
      throw new AppError(
        'rate-limited',
        'Too many signatures from this address were wrong. Mend the signing and wait.',
        {
          status: 429,
          headers: { 'Retry-After': String(wait) },
        },
      );
    }
    assertBodyHeaders(request.headers, this.config.intake.bodyLimitBytes);
    this.guard.examine(request.raw.rawHeaders);
  }
}
