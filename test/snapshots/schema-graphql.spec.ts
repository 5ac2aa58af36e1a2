import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { startTestApp, type TestApp } from '../harness/app.js';
import { askGraphql } from '../harness/graphql.js';
import { rootFields } from '../harness/root-fields.js';
import { expectSnapshot } from '../harness/snapshot.js';

describe('schema.graphql', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });

  afterAll(() => app.close());

  it('is the schema that the application serves', async () => {
    const { schema } = app.app.get(GraphQLSchemaHost);
    await expectSnapshot(
      new URL('./schema.graphql', import.meta.url),
      `${printSchema(lexicographicSortSchema(schema))}\n`,
    );
  });

  it('asks for a role in front of every root field', async () => {
    const roots = await rootFields(app);
    expect(roots.length).toBeGreaterThan(10);
    for (const { name, call } of roots) {
      const { errors } = await askGraphql(app, call, {}, null);
      expect({ name, code: errors[0]?.extensions['code'] }).toEqual({ name, code: 'unauthenticated' });
    }
  });
});
