import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACTOR_ROLES } from '../../src/auth/actor.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { declaredRoles } from '../harness/declared-roles.js';
import { rootFields } from '../harness/root-fields.js';
import { expectSnapshot } from '../harness/snapshot.js';

describe('roles.json', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });

  afterAll(() => app.close());

  it('lists every query and mutation with the role that it asks for', async () => {
    const declared = declaredRoles(app);
    await expectSnapshot(new URL('./roles.json', import.meta.url), `${JSON.stringify(declared, null, 2)}\n`);
    const fields = (await rootFields(app)).map(({ key }) => key).sort();
    expect(Object.keys(declared)).toEqual(fields);
    expect(Object.entries(declared).filter(([, role]) => !ACTOR_ROLES.some((known) => known === role))).toEqual([]);
  });
});
