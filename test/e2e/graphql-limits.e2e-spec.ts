import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { MAX_ALIASES, MAX_COST } from '../../src/platform/graphql/query-limits.js';
import { startTestApp, type TestApp } from '../harness/app.js';
import { askGraphql, type GraphqlAnswer } from '../harness/graphql.js';
import { statementsOf } from '../harness/statements.js';
import { ADMIN_TOKEN } from '../harness/test-config.js';

/** The widest that an editor's page of brands needs. */
const PAGE_OF_BRANDS = `query ($first: Int!, $records: Int!) {
  brands(first: $first) { pageInfo { endCursor } nodes { id name hashid aliases { alias }
    updateRecords(first: $records) { nodes { id status attempts attemptHistory { number result error } } } } } }`;

const codesOf = ({ errors }: GraphqlAnswer<unknown>): unknown[] => errors.map(({ extensions }) => extensions['code']);

describe('what a query may ask for at once', () => {
  let app: TestApp;
  const ask = (query: string, variables: Record<string, unknown> = {}, token: string | null = ADMIN_TOKEN) =>
    askGraphql(app, query, variables, token);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('is what the admin’s pages need', async () => {
    const { errors } = await ask(PAGE_OF_BRANDS, { first: 50, records: 5 });
    expect(errors).toEqual([]);
    expect(codesOf(await ask('{ brands(first: 100) { nodes { id } } }'))).toEqual([]);
  });

  it('is not a hundred brands with a hundred records of each, whoever asks', async () => {
    const query = '{ brands(first: 100) { nodes { updateRecords(first: 100) { nodes { attempts } } } } }';
    let answer: GraphqlAnswer<unknown> | undefined;
    expect(await statementsOf(app.app, async () => (answer = await ask(query)))).toBe(0);
    expect(answer).toMatchObject({
      status: 400,
      data: null,
      errors: [{ extensions: { code: 'query-too-costly', status: 400, limit: MAX_COST, cost: 10_201 } }],
    });
    expect(answer?.errors[0]?.message).toContain('Ask for smaller pages');
    expect(answer?.text).not.toMatch(/stack|\.ts|node_modules/);
  });

  it('is reckoned with the page sizes that variables hold', async () => {
    expect(codesOf(await ask(PAGE_OF_BRANDS, { first: 100, records: 5 }))).toEqual([]);
    expect(codesOf(await ask(PAGE_OF_BRANDS, { first: 100, records: 50 }))).toEqual(['query-too-costly']);
    expect(codesOf(await ask(PAGE_OF_BRANDS, { first: 'x', records: 50 }))).toEqual(['bad-user-input']);
  });

  it('is not a page of all that crawlers sent, which is a megabyte each', async () => {
    expect(codesOf(await ask('{ jobs(first: 50) { nodes { payload } } }'))).toEqual([]);
    expect(codesOf(await ask('{ jobs(first: 100) { nodes { payload } } }'))).toEqual(['query-too-costly']);
  });

  it('is reckoned for the operation that is asked for, of several', async () => {
    const query = `query small { me { name } } query large {
      brands(first: 100) { nodes { updateRecords(first: 100) { nodes { id } } } } }`;
    const of = async (operationName?: string): Promise<unknown> => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
        body: JSON.stringify({ query, operationName }),
      });
      return response.json();
    };
    expect(await of('small')).toMatchObject({ data: { me: { name: 'admin' } } });
    expect(await of('large')).toMatchObject({ errors: [{ extensions: { code: 'query-too-costly' } }] });
    expect(await of()).toMatchObject({ errors: [{ extensions: { code: 'operation-resolution-failure' } }] });
  });

  it('has no more pages under other names than it may have aliases', async () => {
    const aliased = (count: number) =>
      `{ ${Array.from({ length: count }, (_, n) => `a${n}: brands(first: 1) { nodes { id } }`).join(' ')} }`;
    expect(codesOf(await ask(aliased(MAX_ALIASES)))).toEqual([]);
    const refused = await ask(aliased(MAX_ALIASES + 1));
    expect([refused.status, codesOf(refused)]).toEqual([400, ['too-many-aliases']]);
  });

  it('is not nested without end', async () => {
    const inwards = (levels: number): string => (levels === 0 ? 'id' : `survivor { ${inwards(levels - 1)} }`);
    expect(codesOf(await ask(`{ brand(id: 1) { ${inwards(10)} } }`))).toEqual([]);
    const refused = await ask(`{ brand(id: 1) { ${inwards(11)} } }`);
    expect([refused.status, codesOf(refused)]).toEqual([400, ['query-too-deep']]);
  });

  it('is answered soon when fragments multiply, to strangers too', async () => {
    const bomb = Array.from({ length: 300 }, (_, n) => `fragment f${n} on Brand { id ...f${n + 1} ...f${n + 1} }`);
    const query = `{ brand(id: 1) { ...f0 } } ${bomb.join(' ')} fragment f300 on Brand { id }`;
    for (const token of [ADMIN_TOKEN, null]) {
      expect(codesOf(await ask(query, {}, token))).toEqual(['query-too-deep']);
    }
  });

  it('is one query and no list of them', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
      body: JSON.stringify([{ query: '{ me { name } }' }, { query: '{ me { name } }' }]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'bad-request' } }] });
  });
});

describe('the schema', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  const questions = [
    getIntrospectionQuery(),
    '{ __type(name: "Brand") { fields { name } } }',
    '{ ...x } fragment x on Query { __schema { types { name } } }',
  ];

  it('is read by whoever is signed in, whole', async () => {
    for (const question of questions) {
      const { errors, data } = await askGraphql(app, question);
      expect(errors).toEqual([]);
      expect(JSON.stringify(data)).toMatch(/"Brand"|"hashid"/);
    }
  });

  it('is nothing for strangers, and is not guessed by what is nearly right', async () => {
    for (const question of questions) {
      const answer = await askGraphql(app, question, {}, null);
      expect(codesOf(answer)).toEqual(['unauthenticated']);
      expect(answer.data).toBeNull();
    }
    const nearly = await askGraphql(app, '{ brandz { id } }', {}, null);
    expect(nearly.errors[0]?.message).not.toMatch(/did you mean|brands/i);
  });
});
