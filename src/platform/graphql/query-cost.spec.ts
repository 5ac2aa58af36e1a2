import { describe, expect, it } from '@jest/globals';
import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { costOf } from './query-cost.js';

const schema = buildSchema(`
  type Query { brands(first: Int = 20): BrandConnection!, brand: Brand }
  type Mutation { publish(ids: [ID!]!): [Brand!]!, drop(id: ID!): Boolean! }
  type BrandConnection { edges: [BrandEdge!]!, nodes: [Brand!]!, pageInfo: PageInfo! }
  type BrandEdge { cursor: String!, node: Brand! }
  type PageInfo { hasNextPage: Boolean! }
  type Brand { id: ID!, names: [String!]!, owner: Owner, aliases: [Alias!]!, payload: String, brands(first: Int = 20): BrandConnection! }
  type Alias { alias: String! }
  type Owner { name: String! }
`);
const payload = schema.getType('Brand');
if (payload && 'getFields' in payload)
  (payload.getFields()['payload'] as { extensions: object }).extensions = { complexity: 25 };

function cost(query: string, variables: Record<string, unknown> = {}, operationName?: string): number {
  return costOf({ schema, query: parse(query), variables, operationName });
}

describe('what a query costs', () => {
  it.each([
    ['nothing, where it asks for no object', 'mutation { drop(id: 1) }', 0],
    ['one for an object, however many values of it', '{ brand { id names } }', 1],
    ['one more for an object within', '{ brand { owner { name } } }', 2],
    ['ten for each of a list without a size', '{ brand { aliases { alias } } }', 11],
    ['one for a page and one for each entry', '{ brands(first: 50) { nodes { id } } }', 51],
    ['the same by edges', '{ brands(first: 50) { edges { cursor node { id } } } }', 51],
    ['no more with the page’s ends', '{ brands(first: 50) { nodes { id } pageInfo { hasNextPage } } }', 51],
    ['by the size that goes without saying', '{ brands { nodes { id } } }', 21],
    [
      'size by size',
      '{ brands(first: 50) { nodes { brands(first: 5) { nodes { aliases { alias } } } } } }',
      1 + 50 * (1 + 1 + 5 * 11),
    ],
    ['what a field says it costs', '{ brands(first: 4) { nodes { payload } } }', 1 + 4 * 26],
    ['each id of a bulk', 'mutation { publish(ids: [1, 2, 3]) { owner { name } } }', 6],
    ['each alias anew', '{ a: brand { id } b: brand { id } }', 2],
    [
      'fragments as if written out',
      '{ brands(first: 3) { ...p } } fragment p on BrandConnection { nodes { owner { name } } }',
      7,
    ],
    ['no more than the largest page', '{ brands(first: 2000000000) { nodes { id } } }', 101],
    ['nothing below a page of none', '{ brands(first: -5) { nodes { id } } }', 1],
    ['what is not skipped', '{ brand { owner @skip(if: true) { name } } }', 1],
  ])('is %s', (_, query, expected) => {
    expect(cost(query)).toBe(expected);
  });

  it('is reckoned with the variables', () => {
    expect(cost('query ($n: Int = 7) { brands(first: $n) { nodes { id } } }')).toBe(8);
    expect(cost('query ($n: Int) { brands(first: $n) { nodes { id } } }', { n: 30 })).toBe(31);
    expect(cost('mutation ($ids: [ID!]!) { publish(ids: $ids) { id } }', { ids: ['1', '2'] })).toBe(2);
  });

  it('is that of the operation that is asked for', () => {
    const two = 'query a { brand { id } } query b { brands(first: 50) { nodes { id } } }';
    expect([cost(two, {}, 'a'), cost(two, {}, 'b')]).toEqual([1, 51]);
  });

  it('is nothing for reading the schema', () => {
    expect(cost(getIntrospectionQuery())).toBe(0);
    expect(cost('{ __type(name: "Brand") { fields { args { type { ofType { name } } } } } }')).toBe(0);
  });

  it('is not added up without end', () => {
    const bomb = Array.from({ length: 40 }, (_, n) => `fragment f${n} on Brand { id ...f${n + 1} ...f${n + 1} }`);
    expect(() => cost(`{ brand { ...f0 } } ${bomb.join(' ')} fragment f40 on Brand { id }`)).toThrow(/nodes/);
  });
});
