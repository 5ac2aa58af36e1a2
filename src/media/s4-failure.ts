import { S3ServiceException } from '@aws-sdk/client-s3';
import { messageOf, storable } from '../lib/text.js';
import type { S4Config } from '../platform/config/config.js';
import { retryAfterSeconds } from './retry-after.js';
import { StoreError } from './store-error.js';

type Verdict = [code: string, nature: 'transient' | 'permanent', advice: string];

const CLOCK: Verdict = [
  'store-clock-skewed',
  'transient',
  "this machine's clock and the store's are too far apart: set this one by NTP",
];
const REGION: Verdict = ['store-region-wrong', 'permanent', 'the bucket is in another region: mend S4_REGION'];
const DENIED: Verdict = [
  'store-access-denied',
  'permanent',
  'the access key may not do this: allow it GetObject, PutObject and DeleteObject in the bucket, and ListBucket on it',
];
const UNKNOWN_KEY: Verdict = [
  'store-access-key-unknown',
  'permanent',
  'it does not know the access key: mend S4_ACCESS_KEY_ID',
];
const BUSY: Verdict = ['store-busy', 'transient', 'it asks for fewer requests; they go on later'];
const DAMAGED: Verdict = ['store-upload-damaged', 'transient', 'what came there is not what was sent'];
const TEMPORARY_KEY: Verdict = [
  'store-access-key-unknown',
  'permanent',
  'temporary keys are not taken: set S4_ACCESS_KEY_ID and S4_SECRET_ACCESS_KEY to lasting ones',
];

/** What the stores' own words mean, and what to do about it. */
const BY_CODE: Readonly<Record<string, Verdict>> = {
  InvalidAccessKeyId: UNKNOWN_KEY,
  ExpiredToken: TEMPORARY_KEY,
  InvalidToken: TEMPORARY_KEY,
  SignatureDoesNotMatch: [
    'store-secret-wrong',
    'permanent',
    'the signature is not right: mend S4_SECRET_ACCESS_KEY; a proxy that changes the Host header does this, too',
  ],
  NoSuchBucket: ['store-bucket-missing', 'permanent', 'there is no such bucket: make it, or mend S4_BUCKET'],
  AccessDenied: DENIED,
  AllAccessDisabled: DENIED,
  RequestTimeTooSkewed: CLOCK,
  AuthorizationHeaderMalformed: REGION,
  PermanentRedirect: REGION,
  TemporaryRedirect: REGION,
  IllegalLocationConstraintException: REGION,
  SlowDown: BUSY,
  SlowDownRead: BUSY,
  SlowDownWrite: BUSY,
  TooManyRequests: BUSY,
  RequestTimeout: ['store-timeout', 'transient', 'it waited too long for us'],
  BadDigest: DAMAGED,
  IncompleteBody: DAMAGED,
  XAmzContentSHA256Mismatch: DAMAGED,
};

const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_CA)/;
const UNREACHABLE_CODES = /^(ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)/;

/**
 * What went wrong with a request to the S4 store, in words and without anything secret: not in the message, and not in
 * what hangs on the error.
 * @param what the request, as in `put "runway/1/…"`
 */
export function s4Failure(error: unknown, what: string, s4: S4Config, now: Date): StoreError {
  if (error instanceof StoreError) return error;
  const { verdict, detail, retryAfter } = failureOf(error, s4);
  const [code, nature, advice] = verdict;
  const said = detail === '' ? '' : ` (${withoutKeys(detail, s4)})`;
  return new StoreError(code, `The S4 store cannot ${what}: ${advice}${said}.`, {
    nature,
    retryAfterSeconds: retryAfter === undefined ? undefined : retryAfterSeconds(retryAfter, now),
  });
}

/** The whole request took longer than it may. */
export function s4Timeout(what: string, milliseconds: number): StoreError {
  return new StoreError('store-timeout', `The S4 store did not ${what} within ${milliseconds / 1000} s.`, {
    nature: 'transient',
  });
}

/** Whether it is only that there is no such object. HEAD answers have no body, and so no better word. */
export function isNoSuchKey(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

function failureOf(error: unknown, s4: S4Config): { verdict: Verdict; detail: string; retryAfter?: string } {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode !== undefined) {
    const status = error.$metadata.httpStatusCode;
    const message = error.message === 'UnknownError' || error.message === error.name ? '' : error.message;
    const retryAfter = error.$response?.headers['retry-after'];
    return {
      verdict: BY_CODE[error.name] ?? byStatus(status),
      detail: [status, error.name, message].filter((part) => part !== '').join(' '),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }
  const code = codeOf(error);
  const detail = messageOf(error);
  const at = new URL(s4.endpoint).host;
  // What answered was read as XML and is none.
  if (statusOf(error) !== undefined) {
    const status = statusOf(error) ?? 0;
    return { verdict: status >= 500 ? byStatus(status) : isNone(at), detail: `${status}` };
  }
  if (TLS_CODES.test(code)) {
    const hint = /wrong.version.number|packet length/i.test(detail)
      ? `${at} speaks no TLS: begin S4_ENDPOINT with http://`
      : '';
    const trust = `the certificate of ${at} is not trusted: mend it, or name its authority in NODE_EXTRA_CA_CERTS`;
    return { verdict: ['store-tls', 'permanent', hint || trust], detail: code };
  }
  if (UNREACHABLE_CODES.test(code)) {
    return {
      verdict: ['store-unreachable', 'transient', `nobody answers at ${at}: see whether it runs, and S4_ENDPOINT`],
      detail: code,
    };
  }
  if (code.startsWith('HPE_')) return { verdict: isNone(at), detail: code };
  if (code === 'ETIMEDOUT') {
    return { verdict: ['store-timeout', 'transient', `${at} took too long`], detail: '' };
  }
  return { verdict: ['store-connection-lost', 'transient', `the connection to ${at} failed`], detail: code || detail };
}

function byStatus(status: number): Verdict {
  if (status === 429 || status === 503) return BUSY;
  if (status === 507) return ['store-full', 'transient', 'it has no room left: make some'];
  if (status >= 500 || status === 408) return ['store-failed', 'transient', 'it failed; that may be over soon'];
  if (status === 401 || status === 403) return DENIED;
  if (status === 301 || status === 307) return REGION;
  return ['store-refused', 'permanent', 'it refuses the request'];
}

function isNone(at: string): Verdict {
  return ['store-is-none', 'permanent', `what answers at ${at} speaks no S3: mend S4_ENDPOINT`];
}

function statusOf(error: unknown): number | undefined {
  const metadata = typeof error === 'object' && error !== null && '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  return typeof status === 'number' && status > 0 ? status : undefined;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A store may say whose key it does not like; logs and attempts are read by more people than may know it. */
function withoutKeys(text: string, { accessKeyId, secretAccessKey }: S4Config): string {
  return storable(text.replaceAll(secretAccessKey, '[secret]').replaceAll(accessKeyId, '[access key]'), 300);
}
