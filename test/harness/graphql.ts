import type { TestApp } from './app.js';
import { ADMIN_TOKEN } from './test-config.js';

export interface GraphqlAnswer<D> {
  status: number;
  data: D | null;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
  /** The body as it came, to look for what should not be in it. */
  text: string;
}

/** Asks the application's GraphQL endpoint as a client would. @param token null: without an Authorization header */
export async function askGraphql<D = Record<string, unknown>>(
  app: Pick<TestApp, 'url'>,
  query: string,
  variables: Record<string, unknown> = {},
  token: string | null = ADMIN_TOKEN,
): Promise<GraphqlAnswer<D>> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as Partial<GraphqlAnswer<D>>;
  return { status: response.status, data: data ?? null, errors: errors ?? [], text };
}
