import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { ACTOR_ROLES, type ActorRole, COMMAND_LINE } from '../../src/auth/actor.js';
import { Account } from '../../src/auth/account.service.js';
import { UsersService } from '../../src/auth/users.service.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { type RootField, rootFields } from '../harness/root-fields.js';

/** Written anew by `npm run snapshots`, and reviewed. */
const LISTED = JSON.parse(readFileSync(new URL('../snapshots/roles.json', import.meta.url), 'utf8')) as Record<
  string,
  ActorRole
>;

/** Routes that ask for no session, each with what guards it instead. Any other must be refused. */
const OPEN_ROUTES: Record<string, string> = {
  'POST /graphql': 'the guard before each root field, walked through below',
  'GET /graphql': 'the same; Apollo takes no mutation by GET',
  'POST /auth/login': 'name and password',
  'POST /auth/logout': 'ends the session that it comes with, and nothing else',
  'POST /ingest': 'a signature',
  'POST /ingest/brands': 'a signature',
  'POST /ingest/known': 'a signature',
  'POST /ingest/status': 'a signature',
  'GET /docs': 'public: the contract of the door',
  'GET /docs/openapi.json': 'public: the contract of the door',
  'GET /media/:kind/:job/:file': 'only pictures of published galleries are shown to everybody',
};

let app: TestApp;
let fields: RootField[];
const tokens: Partial<Record<ActorRole, string>> = {};

beforeAll(async () => {
  app = await startTestApp();
  for (const role of ACTOR_ROLES) {
    const users = app.app.get(UsersService, { strict: false });
    const { user } = await users.create(COMMAND_LINE, role, role);
    const { secret } = await app.app.get(Account, { strict: false }).createToken(user, 'walk');
    tokens[role] = secret;
  }
  fields = await rootFields(app);
});

afterAll(() => app.close());

describe('every query and mutation', () => {
  it('is listed with the role that it asks for, so that a new one is looked at', () => {
    expect(fields.map(({ key }) => key).sort()).toEqual(Object.keys(LISTED));
  });

  it('is refused to whoever is signed out', async () => {
    for (const field of fields) {
      const { data, errors } = await askGraphql(app, field.call, {}, null);
      const answer = [field.call, data?.[field.name] ?? null, errors.map(({ extensions }) => extensions['code'])];
      expect(answer).toEqual([field.call, null, ['unauthenticated']]);
    }
  });

  it('is refused to every role below the one listed', async () => {
    let refused = 0;
    for (const field of fields) {
      const least = LISTED[field.key] ?? 'operator';
      for (const role of ACTOR_ROLES.slice(0, ACTOR_ROLES.indexOf(least))) {
        const { data, errors } = await askGraphql(app, field.call, {}, tokens[role] ?? '');
        const answer = [
          role,
          field.call,
          data?.[field.name] ?? null,
          errors.map(({ extensions }) => extensions['code']),
        ];
        expect(answer).toEqual([role, field.call, null, ['forbidden']]);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(fields.length / 2);
  });
});

describe('every route', () => {
  it('is listed with what guards it, or refused to whoever is signed out', async () => {
    const routes = routesOf(app.app.getHttpAdapter().getInstance());
    expect(routes.length).toBeGreaterThan(5);
    for (const route of routes.filter((name) => OPEN_ROUTES[name] === undefined)) {
      const [method = '', path = ''] = route.split(' ');
      const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const { status } = await fetch(app.url + path.replaceAll(/:\w+/g, '1'), { method, ...body });
      expect([route, status]).toEqual([route, 401]);
    }
    expect(Object.keys(OPEN_ROUTES).filter((name) => !routes.includes(name))).toEqual([]);
  });
});

/** Of the server itself and not of the controllers: whatever else registers a route is here too. */
function routesOf(server: FastifyInstance): string[] {
  const path: string[] = [];
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*)(?:├──|└──) (\S*)(?: \(([A-Z, ]+)\))?/u.exec(line) ?? [];
      if (part === '') return [];
      path.splice(indent.length / 4);
      path.push(part);
      return (methods?.split(', ') ?? [])
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => `${method} ${path.join('')}`);
    })
    .sort();
}
