import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=256MB'];

/** One server for the run: the one TEST_DATABASE_URL names, or an embedded one in a folder of its own. */
export default async function setup() {
  if (process.env.RUNWAY_TEST_SERVER) return;
  process.env.RUNWAY_TEST_RUN = randomUUID();
  if (process.env.TEST_DATABASE_URL) {
    process.env.RUNWAY_TEST_SERVER = process.env.TEST_DATABASE_URL;
    return;
  }
  const startEmbeddedPostgres = await builtStarter();
  const folder = await mkdtemp(join(tmpdir(), 'runway-test-'));
  // As root the server runs as another user, who has to pass through.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(folder, FAST).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  globalThis.embeddedForTests = { server, folder };
  process.env.RUNWAY_TEST_SERVER = server.url('postgres');
}

/** Jest loads set-up files outside its module system, so this one takes the built server; `npm test` builds first. */
async function builtStarter() {
  try {
    const built = await import('../../dist/src/platform/database/embedded-postgres.js');
    return built.startEmbeddedPostgres;
  } catch (cause) {
    throw new Error('The built project is missing or not whole, and the tests start its database. Run "npm test".', {
      cause,
    });
  }
}
