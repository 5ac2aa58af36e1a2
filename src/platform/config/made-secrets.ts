import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Provided } from './read-config.js';
import type { Environment } from './settings-reader.js';

export type MadeSecrets = Omit<Provided, 'databaseUrl'>;

const FILE = 'secrets.json';

/**
 * The secrets of the embedded default: made on its first start, or preset by the environment then, and kept in the data
 * folder for its owner alone.
 * @returns the secrets, and whether this was the first start
 */
export async function madeSecrets(
  dataDir: string,
  env: Environment,
): Promise<{ secrets: MadeSecrets; fresh: boolean }> {
  const file = join(dataDir, FILE);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return { secrets: JSON.parse(kept) as MadeSecrets, fresh: false };
  // Set to nothing is not set, here as in SettingsReader: a secret that was kept empty would never be good again.
  const preset = (name: string): string | undefined => env[name]?.trim() || undefined;
  const secrets: MadeSecrets = {
    hashidSalt: preset('BRAND_HASHID_SALT') ?? randomBytes(24).toString('base64url'),
    secretsKey: preset('SECRETS_KEY') ?? randomBytes(32).toString('base64'),
    adminToken: preset('ADMIN_TOKEN') ?? randomBytes(32).toString('base64url'),
    devCrawlerSecret: preset('DEV_CRAWLER_SECRET') ?? `whsec_${randomBytes(32).toString('base64')}`,
    adminPassword: randomBytes(15).toString('base64url'),
  };
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return { secrets, fresh: true };
}
