import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../lib/app-error.js';
import { Public, Requires } from './access.decorators.js';
import { AdminGuard } from './admin.guard.js';
import { type ActorRole, mayActAs } from './actor.js';
import type { Credentials } from './credentials.js';
import type { ActorsRequest, Identity } from './request-of.js';

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

interface Attempt {
  by?: Identity['by'];
  method?: string;
  contentType?: string;
  type?: 'http' | 'graphql';
  /** Called when it is asked who somebody is. */
  asked?: () => void;
}

/** What becomes of somebody with that role, or of nobody. */
async function attempt(place: object, handler: string, role?: ActorRole, how: Attempt = {}): Promise<string> {
  const { by = 'token', method = 'GET', contentType, type = 'http', asked } = how;
  const request = { headers: { 'content-type': contentType }, method } as unknown as ActorsRequest;
  const credentials = {
    recognise: () => {
      asked?.();
      return Promise.resolve(role && { actor: { id: '1', name: 'somebody', role }, by });
    },
  } as unknown as Credentials;
  const context = {
    getType: () => type,
    getArgs: () => [{}, {}, { req: request }, {}],
    getHandler: () => (place as Record<string, unknown>)[handler],
    getClass: () => place.constructor,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  try {
    return (await new AdminGuard(new Reflector(), credentials).canActivate(context)) ? 'in' : 'denied';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : 'another error';
  }
}

describe('the guard of the admin', () => {
  it('asks for the role that is declared, or a higher one', async () => {
    expect(await attempt(new Open(), 'guarded', 'viewer')).toBe('in');
    expect(await attempt(new Closed(), 'byClass', 'operator')).toBe('in');
    expect(await attempt(new Closed(), 'byClass', 'viewer')).toBe('403 forbidden');
    expect(await attempt(new Closed(), 'byClass')).toBe('401 unauthenticated');
  });

  it('closes what declares nothing, to the operator too', async () => {
    expect(await attempt(new Open(), 'undeclared', 'operator')).toBe('403 forbidden');
  });

  it('opens what is public, whoever it is', async () => {
    expect(await attempt(new Open(), 'all')).toBe('in');
  });

  it('asks who it is before an open page, and not before what is posted openly', async () => {
    let asked = 0;
    const how = { asked: () => void asked++ };
    expect(await attempt(new Open(), 'all', 'viewer', how)).toBe('in');
    expect(asked).toBe(1);
    expect(await attempt(new Open(), 'all', 'viewer', { ...how, method: 'POST' })).toBe('in');
    expect(asked).toBe(1);
  });

  it('opens nothing of GraphQL, whatever a resolver says of itself', async () => {
    expect(await attempt(new Open(), 'all', 'operator', { type: 'graphql' })).toBe('403 forbidden');
    expect(await attempt(new Closed(), 'open', undefined, { type: 'graphql' })).toBe('401 unauthenticated');
  });

  it('goes by the nearer of two declarations', async () => {
    expect(await attempt(new Closed(), 'open')).toBe('in');
    expect(await attempt(new Closed(), 'byClass')).toBe('401 unauthenticated');
  });

  it('takes from a cookie only what no other site can send: reading, and JSON', async () => {
    const post = { by: 'session', method: 'POST' } as const;
    expect(await attempt(new Open(), 'guarded', 'viewer', { by: 'session' })).toBe('in');
    expect(await attempt(new Open(), 'guarded', 'viewer', { ...post, contentType: 'application/json' })).toBe('in');
    for (const contentType of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const how = contentType === undefined ? post : { ...post, contentType };
      expect(await attempt(new Open(), 'guarded', 'viewer', how)).toBe('415 content-type-unsupported');
    }
    expect(await attempt(new Open(), 'guarded', 'viewer', { method: 'POST' })).toBe('in');
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
