import { resolve } from 'node:path';
import type { MediaConfig, S4Config } from './config.js';
import { SettingsReader, type Environment } from './settings-reader.js';

const S4_NEEDED = ['S4_ENDPOINT', 'S4_BUCKET', 'S4_ACCESS_KEY_ID', 'S4_SECRET_ACCESS_KEY'] as const;
const S4_FURTHER = ['S4_REGION', 'S4_PREFIX', 'S4_PUBLIC_BASE_URL'] as const;

/** The pictures' settings alone, for commands that need no database. @throws ConfigError */
export function readMediaConfig(env: Environment): MediaConfig {
  const read = new SettingsReader(env);
  const config = mediaConfig(read);
  read.finish();
  return config;
}

export function mediaConfig(read: SettingsReader): MediaConfig {
  return {
    directory: resolve(read.text('DATA_DIR', '.data'), 'media'),
    s4: s4Config(read),
    ports: read.integers('MEDIA_PORTS', [80, 443], 1, 65_535),
    allowedPrivateHosts: read.hostPorts('MEDIA_ALLOWED_PRIVATE_HOSTS'),
    userAgent: read.text('MEDIA_USER_AGENT', 'runway-ingest/0.1 (+set MEDIA_USER_AGENT to a contact address)'),
    maxBytes: read.integer('MEDIA_MAX_BYTES', 40 * 1024 * 1024, 1024, 1024 ** 3),
    maxPixels: read.integer('MEDIA_MAX_PIXELS', 80_000_000, 1_000_000, 1_000_000_000),
    perHostConcurrency: read.integer('MEDIA_PER_HOST', 4, 1, 64),
    connectTimeoutMs: read.integer('MEDIA_CONNECT_TIMEOUT_MS', 5_000, 10, 60_000),
    requestTimeoutMs: read.integer('MEDIA_REQUEST_TIMEOUT_MS', 60_000, 10, 600_000),
  };
}

/** All of a bucket's settings or none: with half of them pictures would go to files and nobody would know. */
function s4Config(read: SettingsReader): S4Config | undefined {
  const given = [...S4_NEEDED, ...S4_FURTHER].find((name) => read.has(name));
  if (given === undefined) return undefined;
  for (const name of S4_NEEDED.filter((one) => !read.has(one))) {
    read.complain(name, `is needed when ${given} is set; with none of the S4 settings pictures are kept as files`);
  }
  const prefix = read
    .matching(
      'S4_PREFIX',
      /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\/?$/,
      'must be names joined by slashes, as in archive/pictures',
    )
    .replace(/\/$/, '');
  return {
    endpoint: read.baseUrl('S4_ENDPOINT') ?? '',
    bucket: read.matching(
      'S4_BUCKET',
      /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
      "must be the bucket's name alone, and no address",
    ),
    accessKeyId: read.matching('S4_ACCESS_KEY_ID', /^[!-~]+$/, 'must be ASCII without blanks'),
    secretAccessKey: read.matching('S4_SECRET_ACCESS_KEY', /^[!-~]+$/, 'must be ASCII without blanks'),
    region: read.matching('S4_REGION', /^[a-z0-9-]+$/, 'must be a region as in eu-central-1') || 'us-east-1',
    prefix: prefix === '' ? '' : `${prefix}/`,
    publicBaseUrl: read.baseUrl('S4_PUBLIC_BASE_URL'),
    connectTimeoutMs: read.integer('S4_CONNECT_TIMEOUT_MS', 5_000, 10, 60_000),
    requestTimeoutMs: read.integer('S4_REQUEST_TIMEOUT_MS', 60_000, 10, 600_000),
  };
}
