import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { PROBLEM_TYPE, problemOf } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the problem that it was answered with, for whoever counts answers. */
    problemCode?: string;
  }
}

/** Turns whatever is thrown under an HTTP request into problem+json. GraphQL has its own shape of errors. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    // A sender who hung up in the middle of the body waits for no answer, and is no fault of ours.
    const isGone = request.raw.destroyed && !request.raw.complete;
    if (isGone || reply.sent || reply.raw.headersSent) return;
    const problem = problemOf(error, request.id, this.config.intake.bodyLimitBytes);
    if (problem.isBug) {
      const { stack } = error instanceof Error ? error : new Error(String(error));
      this.logger.error(`${request.method} ${request.url} failed (${request.id})`, stack);
    }
    request.problemCode = problem.code;
    // Fastify hangs up on the sender of a long body, who then sees a broken connection and not this answer. The rest of
    // the body is drained instead, within limits (see drainBriefly).
    if (problem.status === 413) reply.removeHeader('connection');
    void reply
      .code(problem.status)
      .headers(problem.headers)
      .header('content-type', PROBLEM_TYPE)
      .send(Buffer.from(JSON.stringify(problem.document)));
  }
}
