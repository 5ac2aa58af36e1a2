import { NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../lib/app-error.js';
import { UnknownCommitError } from '../database/transactions.js';
import { problemOf } from './problem.js';

const of = (error: unknown): ReturnType<typeof problemOf> => problemOf(error, 'request-1', 1024);

describe('problemOf', () => {
  it('tells what an AppError tells, and lets no member take the place of the document’s own', () => {
    const error = new AppError('brand-unknown', 'No such brand.', {
      status: 422,
      errors: [{ pointer: '/data/brand', detail: 'is not known' }],
      members: { near: ['X'], status: 200 },
      headers: { 'Retry-After': '3' },
    });
    expect(of(error)).toEqual({
      status: 422,
      code: 'brand-unknown',
      isBug: false,
      headers: { 'Retry-After': '3' },
      document: {
        type: 'urn:runway:problem:brand-unknown',
        title: 'Brand unknown',
        status: 422,
        detail: 'No such brand.',
        instance: 'request-1',
        errors: [{ pointer: '/data/brand', detail: 'is not known' }],
        near: ['X'],
      },
    });
  });

  it.each([
    ['an unknown commit', new UnknownCommitError(new Error('x'))],
    ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a broken pipe', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['a pool that gave no connection', new Error('timeout exceeded when trying to connect')],
    ['a lock that was not given', Object.assign(new Error('lock'), { code: '55P03' })],
    ['a statement out of time', Object.assign(new Error('statement'), { code: '57014' })],
    ['a server that shuts down', Object.assign(new Error('shutdown'), { code: '57P01' })],
  ])('answers %s with 503 and the time to wait', (_, error) => {
    const problem = of(error);
    expect(problem).toMatchObject({
      status: 503,
      isBug: false,
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect(problem.document.type).toBe('urn:runway:problem:intake-unavailable');
  });

  it('keeps what the frameworks refuse, and tells the limit of a body', () => {
    expect(of(new NotFoundException('nothing')).document).toMatchObject({
      status: 404,
      type: 'urn:runway:problem:not-found',
    });
    expect(of(new PayloadTooLargeException()).document).toMatchObject({ status: 413, limit_bytes: 1024 });
  });

  it.each([new TypeError('secret words'), 'secret words', undefined, { statusCode: 418, message: 'secret words' }])(
    'calls %p a bug, without its words',
    (error) => {
      const problem = of(error);
      expect(problem).toMatchObject({ status: 500, isBug: true });
      expect(JSON.stringify(problem.document)).not.toContain('secret words');
    },
  );
});
