import { describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLError, getIntrospectionQuery, parse, specifiedRules, validate } from 'graphql';
import type { AppError } from '../../lib/app-error.js';
import { limitRules, MAX_ALIASES, MAX_DEPTH } from './query-limits.js';

const schema = buildSchema('type Query { child: Query, id: ID }');

function codes(query: string): string[] {
  const errors: readonly GraphQLError[] = validate(schema, parse(query), [...specifiedRules, ...limitRules]);
  return errors.map(({ originalError, message }) => (originalError as AppError | undefined)?.code ?? message);
}

function nested(levels: number): string {
  return `{ ${'child { '.repeat(levels - 1)}id${' }'.repeat(levels - 1)} }`;
}

function aliased(count: number): string {
  return `{ ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} }`;
}

describe('a query', () => {
  it('may be nested so deep and no deeper', () => {
    expect(codes(nested(MAX_DEPTH))).toEqual([]);
    expect(codes(nested(MAX_DEPTH + 1))).toEqual(['query-too-deep']);
  });

  it('is no flatter for being cut into fragments', () => {
    const [a, b] = [nested(8), nested(8)].map((text) => text.replace('id', 'id ...x'));
    expect(codes(`query ${a} fragment x on Query ${b?.replace(' ...x', '')}`)).toEqual(['query-too-deep']);
  });

  it('may have so many aliases and no more, in fragments too', () => {
    expect(codes(aliased(MAX_ALIASES))).toEqual([]);
    expect(codes(aliased(MAX_ALIASES + 1))).toEqual(['too-many-aliases']);
    expect(codes(`{ ...x child { ...x } } fragment x on Query ${aliased(20)}`)).toEqual(['too-many-aliases']);
  });

  it('may read the schema as tools do', () => {
    expect(codes(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: false }))).toEqual([]);
  });

  it('of fragments that go round in circles is refused, and not followed', () => {
    expect(
      codes('{ ...x } fragment x on Query { child { ...y } } fragment y on Query { child { ...x } }').join(),
    ).toMatch(/Cannot spread fragment "x" within itself/);
  });

  it('of fragments within fragments is judged at once', () => {
    const bomb = Array.from({ length: 400 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
    expect(codes(`{ ...f0 } ${bomb.join(' ')} fragment f400 on Query { id }`)).toEqual(['query-too-deep']);
  });
});
