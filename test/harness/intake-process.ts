import { createServer, type AddressInfo } from 'node:net';
import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { parseBrandLine } from '../../src/brands/brand-line.js';
import { startTestApp } from './app.js';
import type { TestDatabase } from './database.js';
import { type StartedProcess, startMain } from './started-process.js';
import { DEV_CRAWLER_SECRET } from './test-config.js';

const SECRETS = {
  BRAND_HASHID_SALT: 'a salt for tests',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  ADMIN_TOKEN: 'an-admin-token-that-is-long-enough',
  DEV_CRAWLER_SECRET,
};

/** Puts Maison Éclair (7) into a database that only processes of their own will use. */
export async function seedBrands(db: TestDatabase): Promise<void> {
  const seeding = await startTestApp({ db });
  await seeding.app.get(BrandCatalogue, { strict: false }).put(parseBrandLine('{"id":7,"name":"Maison Éclair"}'));
  await seeding.close();
}

/** The built door alone, as a process of its own that the crawler `dev` may post to. */
export async function startIntakeProcess(
  db: TestDatabase,
  env: Record<string, string> = {},
): Promise<{ process: StartedProcess; url: string; port: number }> {
  const process = startMain({
    ...SECRETS,
    DATABASE_URL: db.url,
    ROLES: 'intake',
    LOG_LEVEL: 'warn',
    INTAKE_RATE_PER_SECOND: '1000000',
    INTAKE_RATE_BURST: '1000000',
    INTAKE_MAX_401_PER_MINUTE: '1000000',
    ...env,
  });
  // It says that it is ready at a level that is not logged here: its door says it too.
  const port = Number(env['PORT']);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const answers = await fetch(`${url}/docs/openapi.json`).then(
      (response) => response.ok,
      () => false,
    );
    if (answers) return { process, url, port };
  }
}

/** A port that is free now, for a process that must come back at the same address. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
