import type { TestDatabase } from './database.js';

/** Resolves as soon as some statement waits for a lock that this connection holds. @param holder a connection, or its process */
export async function blockedBy(
  db: Pick<TestDatabase, 'query'>,
  holder: number | { query: (sql: string) => Promise<{ rows: unknown[] }> },
): Promise<void> {
  const pid = typeof holder === 'number' ? holder : await pidOf(holder);
  for (;;) {
    const waiting = await db.query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
      [pid],
    );
    if (waiting.length > 0) return;
  }
}

async function pidOf(holder: { query: (sql: string) => Promise<{ rows: unknown[] }> }): Promise<number> {
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  return (rows[0] as { pid: number }).pid;
}
