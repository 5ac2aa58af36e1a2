import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { startTestApp, type TestApp } from '../harness/app.js';
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
    const { schema } = app.app.get(GraphQLSchemaHost);
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map((field) => ({ type: type?.name ?? '', field })),
    );
    expect(roots.length).toBeGreaterThan(10);
    for (const { type, field } of roots) {
      const args = field.args.filter((arg) => String(arg.type).endsWith('!') && arg.defaultValue === undefined);
      const given = args.length === 0 ? '' : `(${args.map((arg) => `${arg.name}: "1"`).join(', ')})`;
      const text = `${type === 'Mutation' ? 'mutation' : 'query'} { ${field.name}${given} { __typename } }`;
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      });
      const answer = (await response.json()) as { errors?: { extensions: { code: string } }[] };
      expect({ field: field.name, code: answer.errors?.[0]?.extensions.code }).toEqual({
        field: field.name,
        code: 'unauthenticated',
      });
    }
  });
});
