import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

/** Not rounded: rounded down, a wait would end up to a second before it was asked to. */
const EXACT_NOW = `extract(epoch FROM clock_timestamp())::float8`;

/** Until when which host is left alone, for the workers of all processes. Private to HostCooldowns. */
@Injectable()
export class MediaHostsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns how many seconds the host is still to be left alone; 0 when it may be asked */
  async secondsLeft(host: string): Promise<number> {
    const rows: { left: number }[] = await this.dataSource.query(
      `SELECT greatest(0, cool_until - ${EXACT_NOW}) AS left FROM media_hosts WHERE host = $1`,
      [host],
    );
    return rows[0]?.left ?? 0;
  }

  /** Never makes a wait shorter that somebody else was told. @returns how many seconds it is then */
  async cool(host: string, seconds: number, code: string): Promise<number> {
    const rows: { left: number }[] = await this.dataSource.query(
      `INSERT INTO media_hosts AS known (host, cool_until, code, updated_at)
       VALUES ($1, ceil(${EXACT_NOW} + $2::float8)::bigint, $3, ${SQL_NOW})
       ON CONFLICT ON CONSTRAINT media_hosts_pkey DO UPDATE SET code = excluded.code, updated_at = excluded.updated_at,
         cool_until = greatest(known.cool_until, excluded.cool_until)
       RETURNING cool_until - ${EXACT_NOW} AS left`,
      [host, seconds, code],
    );
    return rows[0]?.left ?? seconds;
  }
}
