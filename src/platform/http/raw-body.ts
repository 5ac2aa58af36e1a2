import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.js';
import { bodyTooLarge } from './problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's body reaches its handler as the bytes that came. */
    rawBody?: boolean;
  }
}

/** For a route whose body is signed: it gets the bytes as they came, as a Buffer, and nobody parses them before it. */
export const RawBody = (): MethodDecorator => RouteConfig({ rawBody: true });

export function wantsRawBody(request: FastifyRequest): boolean {
  return request.routeOptions.config.rawBody === true;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/**
 * Refuses by its headers alone a body that would be refused anyway. A packed body is refused although the bytes would
 * verify: unpacking before the check is a bomb, and after it one message has two forms.
 * @throws AppError 415, 413
 */
export function assertBodyHeaders(headers: FastifyRequest['headers'], limitBytes: number): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new AppError('content-type-unsupported', 'Send the body as content-type application/json, in UTF-8.', {
      status: 415,
    });
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new AppError('content-encoding-unsupported', 'Send the body as it is, without a content-encoding.', {
      status: 415,
    });
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw bodyTooLarge(limitBytes);
}
