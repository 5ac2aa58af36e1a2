import type { Type } from '@nestjs/common';
import { Field, ObjectType } from '@nestjs/graphql';
import { encodeCursor } from '../../lib/keyset-cursor.js';

@ObjectType({ description: 'Where a page stands in its list' })
export class PageInfo {
  @Field({ description: 'Whether there are more after it' })
  hasNextPage!: boolean;

  @Field({ description: 'Whether this page was asked for with a cursor' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of its first entry; null when it has none' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to ask for the next page with, as after; null when there is nothing to go on from',
  })
  endCursor!: string | null;
}

export interface ConnectionOf<T> {
  edges: { cursor: string; node: T }[];
  nodes: T[];
  pageInfo: PageInfo;
}

/** What a repository answers to "the first n after …": at most n rows, and whether there are more. */
export interface Page<T> {
  rows: readonly T[];
  hasNextPage: boolean;
  /** Sort key to go on from, where that is not the last row's: the page ended before it was full. */
  end?: readonly string[];
}

const made = new Map<Type, Type<ConnectionOf<unknown>>>();

/**
 * The Relay connection type over a node type, made once a node type: rooms that list the same thing share it. `XType` is
 * shown as `X`, so the connection is `XConnection`. Call it at the top of a module, not inside `() => …`: what is declared
 * only when the schema is being built comes too late.
 */
export function Connection<T>(NodeType: Type<T>): Type<ConnectionOf<T>> {
  const found = made.get(NodeType);
  if (found !== undefined) return found as Type<ConnectionOf<T>>;
  const name = NodeType.name.replace(/Type$/, '');

  @ObjectType(`${name}Edge`, { description: 'An entry, and where it stands in the list' })
  class EdgeType {
    @Field({ description: 'As after it asks for what comes behind this entry' })
    cursor!: string;

    @Field(() => NodeType, { description: 'The entry' })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: 'A page of a list' })
  class ConnectionType implements ConnectionOf<T> {
    @Field(() => [EdgeType], { description: 'Its entries, each with a cursor' })
    edges!: EdgeType[];

    @Field(() => [NodeType], { description: 'The nodes of the edges, for those who need no cursor of each' })
    nodes!: T[];

    @Field(() => PageInfo, { description: 'Where the page stands, and how to go on' })
    pageInfo!: PageInfo;
  }

  made.set(NodeType, ConnectionType);
  return ConnectionType;
}

/** The first `first` of rows that were read with one more than asked for, which tells whether there is a next page. */
export function pageOf<T>(rows: readonly T[], first: number): Page<T> {
  return { rows: rows.slice(0, first), hasNextPage: rows.length > first };
}

/**
 * A page as its connection.
 * @param keyOf the sort key of a row, which becomes its cursor
 * @param after the cursor that the page was asked for with
 */
export function connectionOf<T>(
  page: Page<T>,
  keyOf: (row: T) => readonly string[],
  after?: string | null,
): ConnectionOf<T> {
  const edges = page.rows.map((node) => ({ cursor: encodeCursor(keyOf(node)), node }));
  return {
    edges,
    nodes: [...page.rows],
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: page.end ? encodeCursor(page.end) : (edges.at(-1)?.cursor ?? null),
    },
  };
}
