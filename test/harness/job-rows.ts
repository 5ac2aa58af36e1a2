import type { TestDatabase } from './database.js';

/** Column values over those of a fresh, due, pending row. */
export type JobRow = Record<string, string | number | boolean | null>;

/** Inserts rows as they are, past the queue's own door: for states that the code would never make. @returns ids, in order */
export async function insertJobs(db: Pick<TestDatabase, 'query'>, count: number, row: JobRow = {}): Promise<string[]> {
  const columns: JobRow = {
    kind: 'test',
    payload: '{}',
    status: 'pending',
    created_at: 1_700_000_000,
    updated_at: 1_700_000_000,
    next_attempt_at: 1_700_000_000,
    ...row,
  };
  const names = Object.keys(columns);
  const rows = await db.query<{ id: string }>(
    `INSERT INTO ingest_jobs (${names.join(', ')})
     SELECT ${names.map((_, index) => `$${index + 2}`).join(', ')} FROM generate_series(1, $1::int) RETURNING id`,
    [count, ...Object.values(columns)],
  );
  return rows.map((inserted) => inserted.id).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}
