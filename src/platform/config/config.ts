/** What a process may do. Any number of processes may share one database, each with its own roles. */
export type Role = 'intake' | 'admin' | 'worker';
export const ROLES: readonly Role[] = ['intake', 'admin', 'worker'];

export type NotesLocale = 'zh-CN' | 'en';

export interface HttpConfig {
  host: string;
  port: number;
  /** Of metrics and probes; 0: none. */
  opsPort: number;
  opsHost: string;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string[];
}

export interface DatabaseConfig {
  url: string;
  /** For LISTEN, past a transaction-mode pooler. */
  directUrl: string;
  poolSize: number;
  /** Longest that a statement may run, milliseconds. */
  statementTimeoutMs: number;
  /** Longest that a statement may wait for a lock, milliseconds. */
  lockTimeoutMs: number;
  /** The same two where a crawler waits for the answer: it comes again by itself, so it is better told soon. */
  brief: StatementLimits;
}

/** Milliseconds. */
export interface StatementLimits {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
}

export interface HashidConfig {
  salt: string;
  alphabet: string;
  minLength: number;
}

export interface SecretsConfig {
  /** 32 bytes; encrypts the crawlers' secrets at rest. */
  key: Buffer;
  /** Bearer token of the first operator, for scripts; works also while there is no user. */
  adminToken: string;
  /** Secret (`whsec_…`) of the crawler `dev`, made on the embedded default's first start; undefined: no such crawler. */
  devCrawlerSecret: string | undefined;
  /** Password of the operator `admin`, made on the embedded default's first start; undefined: no such user is made. */
  adminPassword: string | undefined;
}

export interface JobsConfig {
  /** This process as the job rows name it. */
  workerName: string;
  /** Whether the name is the same after a restart, so that an earlier life's rows can be told. */
  workerNameIsStable: boolean;
  /** Jobs at once in this process. */
  concurrency: number;
  /** Wait after the first failed attempt, seconds; doubles from there. */
  retryBaseSeconds: number;
  /** A lease without a heartbeat for this long is taken away, seconds. */
  stuckSeconds: number;
  heartbeatSeconds: number;
  /** Longest that a stopping process waits for its running jobs to let go, seconds. */
  shutdownGraceSeconds: number;
  notesLocale: NotesLocale;
}

export interface IntakeConfig {
  bodyLimitBytes: number;
  /** Bodies being read or written at once; more are answered 503. */
  maxInFlight: number;
  /** Signature failures per address and minute before 429. */
  maxUnauthorizedPerMinute: number;
  /** Messages that each crawler may send to this process, in the long run and at once. */
  ratePerSecond: number;
  rateBurst: number;
  /** Jobs of a kind that may wait before messages of that kind are answered 503. */
  maxQueueDepth: number;
  /** How late the longest waiting job of a kind may be before messages of that kind are answered 503, seconds. */
  maxQueueAgeSeconds: number;
  /** Longest that a message waits for the database before it is answered 503, milliseconds. */
  databaseWaitMs: number;
}

/** A bucket in a store that speaks S3. */
export interface S4Config {
  /** Without a slash at its end. */
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** What our keys begin with in the bucket: empty, or ending in a slash. */
  prefix: string;
  /** Where everybody reads the bucket, without a slash at its end; undefined: nowhere. */
  publicBaseUrl: string | undefined;
  connectTimeoutMs: number;
  /** Longest that a whole request may take. */
  requestTimeoutMs: number;
}

export interface MediaConfig {
  /** Folder of the file store. */
  directory: string;
  /** The bucket that takes the pictures instead of the folder; undefined: none. */
  s4: S4Config | undefined;
  /** Ports that a public host may be fetched on. */
  ports: number[];
  /** Private or loopback hosts that may be fetched, as host:port. */
  allowedPrivateHosts: string[];
  userAgent: string;
  maxBytes: number;
  maxPixels: number;
  perHostConcurrency: number;
  connectTimeoutMs: number;
  requestTimeoutMs: number;
}

export interface GalleriesConfig {
  /** How long a deleted gallery can be restored before its files go, seconds. */
  trashSeconds: number;
}

/** Everything that can be set, read once at the start. Durations name their unit. */
export interface Config {
  roles: ReadonlySet<Role>;
  /** Folder of the embedded database, the pictures and the made secrets. */
  dataDir: string;
  /** Off in tests, which call `runOnce()` themselves. */
  timers: boolean;
  logFormat: 'text' | 'json';
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  http: HttpConfig;
  database: DatabaseConfig;
  hashids: HashidConfig;
  secrets: SecretsConfig;
  jobs: JobsConfig;
  intake: IntakeConfig;
  media: MediaConfig;
  galleries: GalleriesConfig;
}

/** Injection token of {@link Config}, which is an interface and leaves no trace at run time. */
export const CONFIG = Symbol('CONFIG');
