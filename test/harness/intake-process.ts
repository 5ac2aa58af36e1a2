import { aliasKey } from '../../src/lib/alias-key.js';
import type { TestDatabase } from './database.js';
import { type StartedProcess, startMain } from './started-process.js';
import { ADMIN_TOKEN, DEV_CRAWLER_SECRET } from './test-config.js';

/** The built door alone, as a process of its own, with no limits but those of its memory and its database. */
export interface IntakeProcess {
  process: StartedProcess;
  url: string;
  port: number;
}

const BRAND = 'Maison Éclair';

/** What {@link startIntakeProcess} needs to find in its database: the brand Maison Éclair (7). */
export async function insertBrand(db: TestDatabase): Promise<void> {
  await db.query(`INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (7, $1, 'maison-eclair', 1, 1)`, [
    BRAND,
  ]);
  await db.query(`INSERT INTO brand_aliases (brand_id, alias, alias_key, source) VALUES (7, $1, $2, 'name')`, [
    BRAND,
    aliasKey(BRAND),
  ]);
}

/** For {@link startIntakeProcess}: lets a test ask for a collection, and changes nothing as long as none is asked for. */
export const COLLECTS_WHEN_ASKED = [
  '--expose-gc',
  '--import',
  `data:text/javascript,process.on('SIGUSR2', () => globalThis.gc())`,
];

/** Ready by then; the crawler `dev` may post to it. */
export async function startIntakeProcess(db: TestDatabase, nodeArgs: readonly string[] = []): Promise<IntakeProcess> {
  const settings = {
    DATABASE_URL: db.url,
    ROLES: 'intake',
    BRAND_HASHID_SALT: 'a salt for tests',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ADMIN_TOKEN,
    DEV_CRAWLER_SECRET,
    INTAKE_RATE_PER_SECOND: '1000000',
    INTAKE_RATE_BURST: '1000000',
    INTAKE_MAX_401_PER_MINUTE: '1000000',
  };
  const process = startMain(settings, nodeArgs);
  const [, url = ''] = await process.says(/Ready as intake on (http:\/\/127\.0\.0\.1:\d+)/);
  return { process, url, port: Number(new URL(url).port) };
}
