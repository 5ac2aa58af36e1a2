import { readConfig } from '../../src/platform/config/read-config.js';
import type { Config } from '../../src/platform/config/config.js';

export const ADMIN_TOKEN = 'test-admin-token-test-admin-token-0001';
export const DEV_CRAWLER_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** The production reading of settings, over a test's own: no timers, small limits, loopback. */
export function testConfig(databaseUrl: string, env: Record<string, string> = {}): Config {
  return readConfig(
    {
      TIMERS: 'false',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      WORKER_NAME: 'test-worker',
      DB_LOCK_TIMEOUT_MS: '2000',
      // Rows that tests make up are years old, and would close the door.
      INTAKE_MAX_QUEUE_AGE_SECONDS: '315360000',
      ...env,
    },
    {
      databaseUrl,
      hashidSalt: 'a salt for tests',
      secretsKey: Buffer.alloc(32, 7).toString('base64'),
      adminToken: ADMIN_TOKEN,
      devCrawlerSecret: DEV_CRAWLER_SECRET,
    },
  );
}
