import type pg from 'pg';

/**
 * Drops a connection that does not answer, without a word to the other side: a polite end would wait for an answer as
 * well, and a connection that is half open gives none. The pool makes a new one.
 */
export function cutConnection(client: pg.Client | pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}
