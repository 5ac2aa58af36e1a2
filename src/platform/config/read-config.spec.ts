import { describe, expect, it } from '@jest/globals';
import { readConfig, readDatabaseConfig } from './read-config.js';
import { ConfigError, type Environment } from './settings-reader.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const GIVEN = {
  DATABASE_URL: 'postgresql://user:s3cret@db:5432/runway',
  BRAND_HASHID_SALT: 'salt',
  SECRETS_KEY: KEY,
  ADMIN_TOKEN: 'a'.repeat(32),
};
const PROVIDED = {
  databaseUrl: 'postgresql://127.0.0.1:1/runway',
  hashidSalt: 'made',
  secretsKey: KEY,
  adminToken: 'b'.repeat(32),
  devCrawlerSecret: undefined,
};

/** Names of the settings that are complained about, in order. */
function complaints(env: Environment, provided?: typeof PROVIDED): string[] {
  return problems(env, provided).map((problem) => problem.split(' ')[0] ?? '');
}

function problems(env: Environment, provided?: typeof PROVIDED): readonly string[] {
  try {
    readConfig(env, provided);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('reading the settings', () => {
  it('needs nothing but what the embedded default makes', () => {
    const config = readConfig({}, PROVIDED);
    expect([...config.roles]).toEqual(['intake', 'admin', 'worker']);
    expect(config.http.port).toBe(8092);
    expect(config.jobs).toMatchObject({ retryBaseSeconds: 30, stuckSeconds: 300, heartbeatSeconds: 30 });
    expect(config.hashids.salt).toBe('made');
  });

  it('takes a setting over what the embedded default made', () => {
    expect(readConfig({ BRAND_HASHID_SALT: 'mine' }, PROVIDED).hashids.salt).toBe('mine');
  });

  it('takes a setting that is empty or only space for one that is not set', () => {
    const config = readConfig({ PORT: '', LOG_LEVEL: '  ', BRAND_HASHID_SALT: ' ' }, PROVIDED);
    expect([config.http.port, config.logLevel, config.hashids.salt]).toEqual([8092, 'info', 'made']);
  });

  it('tells everything that is wrong at once', () => {
    const bad = {
      ...GIVEN,
      ROLES: 'intake,painter',
      PORT: '70000',
      TIMERS: 'yes',
      LOG_LEVEL: 'loud',
      SECRETS_KEY: 'short',
      WORKER_CONCURRENCY: '0',
      DB_POOL_SIZE: '1.5',
      NOTES_LOCALE: 'fr',
      TRASH_DAYS: 'a week',
      MEDIA_PORTS: '80,x',
      MEDIA_ALLOWED_PRIVATE_HOSTS: 'nas',
      BRAND_HASHID_ALPHABET: 'abc',
    };
    const names = Object.keys(bad).filter(
      (name) => !['DATABASE_URL', 'BRAND_HASHID_SALT', 'ADMIN_TOKEN'].includes(name),
    );
    expect(complaints(bad).sort()).toEqual(names.sort());
  });

  it('tells each on a line of its own, with what it must be', () => {
    expect(() => readConfig({ ...GIVEN, PORT: '-1', NOTES_LOCALE: 'fr' })).toThrow(
      'The settings are not right:\n  - PORT must be a number from 0 to 65535, and is "-1"\n  - NOTES_LOCALE must be one of zh-CN, en, and is "fr"',
    );
  });

  it('names each secret that a configured database must be given', () => {
    expect(problems({ DATABASE_URL: GIVEN.DATABASE_URL })).toEqual([
      'BRAND_HASHID_SALT is needed when DATABASE_URL is set',
      'SECRETS_KEY is needed when DATABASE_URL is set',
      'ADMIN_TOKEN is needed when DATABASE_URL is set',
    ]);
  });

  it('never repeats a value that may be a secret', () => {
    const secrets = {
      DATABASE_URL: 'mysql://user:hunter2-a@db/x',
      DATABASE_DIRECT_URL: 'hunter2-b',
      SECRETS_KEY: 'hunter2-c',
      ADMIN_TOKEN: 'hunter2-d',
      DEV_CRAWLER_SECRET: 'hunter2-e',
      S4_ENDPOINT: 'hunter2-f://x',
      S4_SECRET_ACCESS_KEY: 'hunter2-g',
    };
    const told = problems(secrets).join('\n');
    expect(told).not.toContain('hunter2');
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'SECRETS_KEY', 'ADMIN_TOKEN', 'DEV_CRAWLER_SECRET']) {
      expect(told).toContain(name);
    }
  });

  it.each([
    ['100', '34', ['JOB_HEARTBEAT_SECONDS']],
    ['100', '33', []],
    ['3', '1', []],
    ['300', '30', []],
  ])('wants three heartbeats before a job counts as stuck: %s s, %s s', (stuck, heartbeat, names) => {
    expect(complaints({ JOB_STUCK_SECONDS: stuck, JOB_HEARTBEAT_SECONDS: heartbeat }, PROVIDED)).toEqual(names);
  });

  it.each(['0', '65535', ' 8092 '])('takes %j for a port', (port) => {
    expect(readConfig({ PORT: port }, PROVIDED).http.port).toBe(Number(port));
  });

  it.each(['-1', '65536', '80.5', '0x50', 'http', '8092;', 'NaN', 'Infinity'])('takes %j for no port', (port) => {
    expect(complaints({ PORT: port }, PROVIDED)).toEqual(['PORT']);
  });

  it.each(['TRUE', 'yes', '1', 'on', 'falsch'])('takes %j for neither true nor false', (timers) => {
    expect(complaints({ TIMERS: timers }, PROVIDED)).toEqual(['TIMERS']);
  });

  it('reads true and false', () => {
    expect([readConfig({ TIMERS: 'true' }, PROVIDED).timers, readConfig({ TIMERS: 'false' }, PROVIDED).timers]).toEqual(
      [true, false],
    );
  });

  it('reads roles in any order, with space between them, and refuses none', () => {
    expect([...readConfig({ ROLES: 'worker, intake' }, PROVIDED).roles]).toEqual(['intake', 'worker']);
    expect(complaints({ ROLES: ',' }, PROVIDED)).toEqual(['ROLES']);
  });

  it('names a worker so that an earlier life is known by its name, if it can', () => {
    const embedded = readConfig({}, PROVIDED).jobs;
    const named = readConfig({ ...GIVEN, WORKER_NAME: 'w-1' }).jobs;
    const unnamed = readConfig(GIVEN).jobs;
    expect([embedded.workerNameIsStable, named.workerNameIsStable, unnamed.workerNameIsStable]).toEqual([
      true,
      true,
      false,
    ]);
    expect([named.workerName, unnamed.workerName]).toEqual(['w-1', expect.stringContaining(String(process.pid))]);
  });

  it('gives no two unnamed workers one name, though host and pid are the same', () => {
    expect(readConfig(GIVEN).jobs.workerName).not.toBe(readConfig(GIVEN).jobs.workerName);
  });

  it('listens past the pooler when it is told where, and else where it works', () => {
    expect(readDatabaseConfig(GIVEN).directUrl).toBe(GIVEN.DATABASE_URL);
    const direct = 'postgresql://user@db:6432/runway';
    expect(readDatabaseConfig({ ...GIVEN, DATABASE_DIRECT_URL: direct }).directUrl).toBe(direct);
  });

  it('says that the command line of the migrations needs a database', () => {
    expect(() => readDatabaseConfig({})).toThrow('DATABASE_URL is needed');
  });

  it.each(['abcdefghijklmno', 'aabcdefghijklmnop', 'abcdefgh ijklmnopq'])('takes %j for no alphabet', (alphabet) => {
    expect(complaints({ BRAND_HASHID_ALPHABET: alphabet }, PROVIDED)).toEqual(['BRAND_HASHID_ALPHABET']);
  });
});
