import type { INestApplicationContext } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';

/** How often the application asked the database while `work` ran. */
export async function statementsOf(app: INestApplicationContext, work: () => Promise<unknown>): Promise<number> {
  const { master: pool } = app.get(DataSource, { strict: false }).driver as unknown as { master: pg.Pool };
  let statements = 0;
  const count = () => statements++;
  pool.on('acquire', count);
  try {
    await work();
  } finally {
    pool.off('acquire', count);
  }
  return statements;
}
