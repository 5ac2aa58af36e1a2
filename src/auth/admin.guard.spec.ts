import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../lib/app-error.js';
import type { Config } from '../platform/config/config.js';
import { Public, Requires } from './access.decorators.js';
import { AdminGuard } from './admin.guard.js';
import { mayActAs } from './actor.js';

const TOKEN = 'the-token-the-token-the-token-01';

class Open {
  @Public()
  all(): void {}

  @Requires('viewer')
  guarded(): void {}

  undeclared(): void {}
}

@Requires('editor')
class Closed {
  byClass(): void {}

  @Public()
  open(): void {}
}

function attempt(place: object, method: string, authorization?: string): string {
  const request: { headers: { authorization?: string | undefined }; actor?: unknown } = { headers: { authorization } };
  const context = {
    getType: () => 'http',
    getHandler: () => (place as Record<string, unknown>)[method],
    getClass: () => place.constructor,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  const guard = new AdminGuard(new Reflector(), { secrets: { adminToken: TOKEN } } as Config);
  try {
    return guard.canActivate(context) ? `in as ${JSON.stringify(request.actor)}` : 'denied';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : 'another error';
  }
}

describe('the guard of the admin', () => {
  const operator = 'in as {"id":"0","name":"admin","role":"operator"}';

  it('lets the bearer of the token in as the operator', () => {
    expect(attempt(new Open(), 'guarded', `Bearer ${TOKEN}`)).toBe(operator);
    expect(attempt(new Closed(), 'byClass', `bearer  ${TOKEN}`)).toBe(operator);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    TOKEN,
  ])('does not let in who says %j', (authorization) => {
    expect(attempt(new Open(), 'guarded', authorization)).toBe('401 unauthenticated');
  });

  it('closes what declares nothing, to the operator too', () => {
    expect(attempt(new Open(), 'undeclared', `Bearer ${TOKEN}`)).toBe('403 forbidden');
  });

  it('opens what is public, without asking who it is', () => {
    expect(attempt(new Open(), 'all')).toBe('in as undefined');
  });

  it('goes by the nearer of two declarations', () => {
    expect(attempt(new Closed(), 'open')).toBe('in as undefined');
    expect(attempt(new Closed(), 'byClass')).toBe('401 unauthenticated');
  });
});

describe('a role', () => {
  it('may do what the ones below it may', () => {
    const editor = { id: '1', name: 'e', role: 'editor' as const };
    expect(mayActAs(editor, 'viewer')).toBe(true);
    expect(mayActAs(editor, 'editor')).toBe(true);
    expect(mayActAs(editor, 'operator')).toBe(false);
  });
});
