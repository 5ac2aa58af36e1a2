import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Jest loads set-up files outside its module system, so this one takes the built server; `npm test` builds first.
const { startEmbeddedPostgres } = await import('../../dist/src/platform/database/embedded-postgres.js');

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=256MB'];

/** One server for the run: the one TEST_DATABASE_URL names, or an embedded one in a folder of its own. */
export default async function setup() {
  if (process.env.RUNWAY_TEST_SERVER) return;
  process.env.RUNWAY_TEST_RUN = randomUUID();
  if (process.env.TEST_DATABASE_URL) {
    process.env.RUNWAY_TEST_SERVER = process.env.TEST_DATABASE_URL;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'runway-test-'));
  // As root the server runs as another user, who has to pass through.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(folder, FAST);
  globalThis.embeddedForTests = { server, folder };
  process.env.RUNWAY_TEST_SERVER = server.url('postgres');
}
