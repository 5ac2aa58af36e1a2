import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../lib/app-error.js';
import { messageOf } from '../../lib/text.js';
import { isConnectionLoss } from './pg-errors.js';

/**
 * Waits until the database answers, saying so now and then, and checks that it can hold every name there is.
 * @param say gets a sentence each time that there is something to tell
 * @throws AppError `database-encoding` for a database that is not UTF8; the driver's error when the log-in is refused
 */
export async function awaitDatabase(url: string, say: (message: string) => void, signal?: AbortSignal): Promise<void> {
  const place = describe(url);
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
      const encoding = rows[0]?.server_encoding;
      if (encoding !== 'UTF8') {
        throw new AppError(
          'database-encoding',
          `The database at ${place} is encoded in ${encoding}, which cannot hold every name. Make one with ENCODING 'UTF8'.`,
          { status: 500 },
        );
      }
      return;
    } catch (error) {
      if (!isConnectionLoss(error) && !/ENOTFOUND|EAI_AGAIN|ENOENT/.test(messageOf(error))) throw error;
      if (attempt % 10 === 0) say(`The database at ${place} does not answer yet (${messageOf(error)}); waiting for it`);
      await delay(Math.min(200 * 2 ** Math.min(attempt, 4), 2_000), undefined, signal ? { signal } : {});
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Host, port and name, without the password. */
function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}
