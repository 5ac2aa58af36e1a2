import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { madeSecrets } from './made-secrets.js';
import { readConfig } from './read-config.js';

describe('the secrets of the embedded default', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runway-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const databaseUrl = 'postgresql://127.0.0.1/x';

  it('are made on the first start, good for the settings, and the same ever after', async () => {
    const first = await madeSecrets(folder, {});
    const second = await madeSecrets(folder, {});
    expect([first.fresh, second.fresh]).toEqual([true, false]);
    expect(second.secrets).toEqual(first.secrets);
    expect(readConfig({}, { ...first.secrets, databaseUrl }).secrets.adminToken).toBe(first.secrets.adminToken);
    expect(new Set(Object.values(first.secrets)).size).toBe(5);
  });

  it('are for their owner alone', async () => {
    await madeSecrets(folder, {});
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('are those of the environment where it presets them, and stay so', async () => {
    const preset = { BRAND_HASHID_SALT: 'mine', ADMIN_TOKEN: 'x'.repeat(32) };
    await madeSecrets(folder, preset);
    expect((await madeSecrets(folder, {})).secrets).toMatchObject({ hashidSalt: 'mine', adminToken: 'x'.repeat(32) });
  });

  it('are made where the environment sets them to nothing', async () => {
    const { secrets } = await madeSecrets(folder, { SECRETS_KEY: '', ADMIN_TOKEN: ' ', BRAND_HASHID_SALT: '' });
    expect(() => readConfig({}, { ...secrets, databaseUrl })).not.toThrow();
    expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets);
  });
});
