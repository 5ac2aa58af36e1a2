import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { ROLES, type Config, type DatabaseConfig, type Role } from './config.js';
import { mediaConfig } from './media-config.js';
import { SettingsReader, type Environment } from './settings-reader.js';

/** Secrets and address that the embedded default makes itself and a configured database must be given. */
export interface Provided {
  databaseUrl: string;
  hashidSalt: string;
  secretsKey: string;
  adminToken: string;
  devCrawlerSecret: string | undefined;
  adminPassword?: string | undefined;
}

const DEFAULT_ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890';
const SECONDS_OF_A_DAY = 86_400;

/**
 * Reads every setting out of the environment, or says about all bad ones at once.
 * @param provided what the embedded database's `.data/` supplies; without it `DATABASE_URL` and its secrets are needed
 * @throws ConfigError naming each bad or missing setting
 */
export function readConfig(env: Environment, provided?: Provided): Config {
  const read = new SettingsReader(env);
  const dataDir = resolve(read.text('DATA_DIR', '.data'));
  const workerName = read.text('WORKER_NAME', '');
  const config: Config = {
    roles: new Set(read.list<Role>('ROLES', ROLES, ROLES)),
    dataDir,
    timers: read.flag('TIMERS', true),
    logFormat: read.choice('LOG_FORMAT', ['text', 'json'], process.stderr.isTTY || provided ? 'text' : 'json'),
    logLevel: read.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
    http: {
      host: read.text('HOST', '0.0.0.0'),
      port: read.integer('PORT', 8092, 0, 65_535),
      opsPort: read.integer('OPS_PORT', 0, 0, 65_535),
      opsHost: read.text('OPS_HOST', '127.0.0.1'),
      trustProxy: read.proxies('TRUST_PROXY'),
    },
    database: databaseConfig(read, provided?.databaseUrl),
    hashids: {
      salt: read.required('BRAND_HASHID_SALT', provided?.hashidSalt),
      alphabet: read.text('BRAND_HASHID_ALPHABET', DEFAULT_ALPHABET),
      minLength: read.integer('BRAND_HASHID_MIN_LENGTH', 8, 0, 64),
    },
    secrets: {
      key: read.base64('SECRETS_KEY', 32, provided?.secretsKey),
      adminToken: read.required('ADMIN_TOKEN', provided?.adminToken, 32),
      devCrawlerSecret: read.webhookSecret('DEV_CRAWLER_SECRET', provided?.devCrawlerSecret),
      adminPassword: provided?.adminPassword,
    },
    jobs: {
      workerName: workerName || (provided ? `${hostname()}-embedded` : passingName()),
      workerNameIsStable: workerName !== '' || provided !== undefined,
      concurrency: read.integer('WORKER_CONCURRENCY', 8, 1, 500),
      retryBaseSeconds: read.number('JOB_RETRY_BASE_SECONDS', 30, 0, 600),
      stuckSeconds: read.integer('JOB_STUCK_SECONDS', 300, 3, 86_400),
      heartbeatSeconds: read.integer('JOB_HEARTBEAT_SECONDS', 30, 1, 3_600),
      shutdownGraceSeconds: read.integer('SHUTDOWN_GRACE_SECONDS', 20, 1, 600),
      notesLocale: read.choice('NOTES_LOCALE', ['zh-CN', 'en'], 'zh-CN'),
    },
    intake: {
      bodyLimitBytes: 1_048_576,
      maxInFlight: read.integer('INTAKE_MAX_IN_FLIGHT', 200, 1, 10_000),
      maxUnauthorizedPerMinute: read.integer('INTAKE_MAX_401_PER_MINUTE', 120, 1, 1_000_000),
      ratePerSecond: read.number('INTAKE_RATE_PER_SECOND', 500, 0.01, 1_000_000),
      rateBurst: read.integer('INTAKE_RATE_BURST', 2_000, 1, 1_000_000),
      maxQueueDepth: read.integer('INTAKE_MAX_QUEUE_DEPTH', 100_000, 1, 10_000_000),
      maxQueueAgeSeconds: read.integer('INTAKE_MAX_QUEUE_AGE_SECONDS', SECONDS_OF_A_DAY, 1, 315_360_000),
      databaseWaitMs: read.integer('INTAKE_DATABASE_WAIT_MS', 5_000, 50, 60_000),
    },
    media: mediaConfig(read),
    galleries: {
      trashSeconds: Math.round(read.number('TRASH_DAYS', 7, 0, 3650) * SECONDS_OF_A_DAY),
    },
  };
  if (config.jobs.heartbeatSeconds * 3 > config.jobs.stuckSeconds) {
    read.complain(
      'JOB_HEARTBEAT_SECONDS',
      'must be at most a third of JOB_STUCK_SECONDS, or running jobs are taken for stuck ones',
    );
  }
  const { alphabet } = config.hashids;
  if (new Set(alphabet).size < 16 || new Set(alphabet).size !== alphabet.length || /\s/.test(alphabet)) {
    read.complain('BRAND_HASHID_ALPHABET', 'needs at least 16 different characters, each of them once, and no space');
  }
  read.finish();
  return config;
}

/**
 * A name that no other process has. Host and pid are not enough: containers on one host's network are all called by its
 * name and all have pid 1, and what bears a worker's name without being its work is given back.
 */
function passingName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

/** The database's settings alone, for the TypeORM command line. @throws ConfigError */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  const read = new SettingsReader(env);
  const config = databaseConfig(read, undefined);
  read.finish();
  return config;
}

function databaseConfig(read: SettingsReader, providedUrl: string | undefined): DatabaseConfig {
  const url = read.url('DATABASE_URL', providedUrl, ['postgres:', 'postgresql:']);
  return {
    url,
    directUrl: read.url('DATABASE_DIRECT_URL', url, ['postgres:', 'postgresql:']),
    poolSize: read.integer('DB_POOL_SIZE', 10, 2, 200),
    statementTimeoutMs: read.integer('DB_STATEMENT_TIMEOUT_MS', 30_000, 100, 3_600_000),
    lockTimeoutMs: read.integer('DB_LOCK_TIMEOUT_MS', 5_000, 50, 600_000),
    brief: {
      statementTimeoutMs: read.integer('INTAKE_STATEMENT_TIMEOUT_MS', 3_000, 50, 60_000),
      lockTimeoutMs: read.integer('INTAKE_LOCK_TIMEOUT_MS', 1_000, 10, 60_000),
    },
  };
}
