import type { IncomingHttpHeaders } from 'node:http';
import { sha256Hex, signatureOf, type SignedParts, stringToSign } from './sigv4.js';

/** An S3 error, as its XML says it. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Further elements of the XML. */
    readonly details: Record<string, string> = {},
  ) {
    super(message);
  }
}

export interface S3Account {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface S3Request {
  method: string;
  /** As it was sent. */
  path: string;
  query: [string, string][];
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const SKEW_SECONDS = 15 * 60;
const LONGEST_PRESIGNED_SECONDS = 7 * 86_400;

/** Proves that the request was signed by the account, in its headers or its query. @throws S3Error */
export function verify(request: S3Request, account: S3Account, now: Date): void {
  const query = new Map(request.query);
  if (query.has('X-Amz-Signature')) return verifyPresigned(request, query, account, now);
  const authorization = request.headers.authorization;
  if (authorization === undefined) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  const [, credential = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(authorization) ?? [];
  const payloadHash = header(request, 'x-amz-content-sha256');
  if (!/^[0-9a-f]{64}$/.test(payloadHash)) {
    throw new S3Error(501, 'NotImplemented', `A payload of the kind "${payloadHash}" is not taken`);
  }
  const parts = partsOf(request, signedHeaders, payloadHash, header(request, 'x-amz-date'), credential, account);
  const unsigned = Object.keys(request.headers).filter(
    (name) => /^x-amz-|^content-md5$/.test(name) && !parts.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) throw new S3Error(403, 'AccessDenied', `Not signed: ${unsigned.join(', ')}`);
  if (Math.abs(now.getTime() - timeOf(parts.time).getTime()) > SKEW_SECONDS * 1000) {
    throw new S3Error(
      403,
      'RequestTimeTooSkewed',
      "The difference between the request time and the server's is too large",
    );
  }
  compare(signature, parts, account);
  if (sha256Hex(request.body) !== payloadHash) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed');
  }
}

function verifyPresigned(request: S3Request, query: Map<string, string>, account: S3Account, now: Date): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new S3Error(403, 'AccessDenied', 'Here, only reading is done by a presigned address');
  }
  if (request.headers.authorization !== undefined) {
    throw new S3Error(400, 'InvalidArgument', 'Signed twice, in headers and query');
  }
  const get = (name: string): string => query.get(name) ?? '';
  const time = get('X-Amz-Date');
  const signedHeaders = get('X-Amz-SignedHeaders');
  const parts = partsOf(request, signedHeaders, 'UNSIGNED-PAYLOAD', time, get('X-Amz-Credential'), account);
  const seconds = Number(get('X-Amz-Expires'));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_PRESIGNED_SECONDS) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires is wrong');
  }
  const age = (now.getTime() - timeOf(time).getTime()) / 1000;
  if (age < -SKEW_SECONDS) throw new S3Error(403, 'AccessDenied', 'Request is not valid yet');
  if (age > seconds) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  compare(get('X-Amz-Signature'), parts, account);
}

function partsOf(
  request: S3Request,
  signedHeaders: string,
  payloadHash: string,
  time: string,
  credential: string,
  account: S3Account,
): SignedParts {
  const [accessKeyId, day, region = '', service, end] = credential.split('/');
  const names = signedHeaders.split(';');
  if (service !== 's3' || end !== 'aws4_request' || day !== time.slice(0, 8) || !names.includes('host')) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization is malformed');
  }
  if (names.join() !== [...names].sort().join()) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The signed headers are not in order');
  }
  if (accessKeyId !== account.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id does not exist', {
      AWSAccessKeyId: accessKeyId ?? '',
    });
  }
  if (region !== account.region) {
    throw new S3Error(
      400,
      'AuthorizationHeaderMalformed',
      `The region '${region}' is wrong; expecting '${account.region}'`,
      { Region: account.region },
    );
  }
  return {
    method: request.method,
    path: request.path,
    query: request.query.filter(([name]) => name !== 'X-Amz-Signature'),
    headers: Object.fromEntries(names.map((name) => [name, header(request, name)])),
    signedHeaders: names,
    payloadHash,
    time,
    region,
  };
}

/** As the real one does, the refusal repeats the access key and what should have been signed. */
function compare(signature: string, parts: SignedParts, account: S3Account): void {
  if (signature === signatureOf(account.secretAccessKey, parts)) return;
  throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match', {
    AWSAccessKeyId: account.accessKeyId,
    StringToSign: stringToSign(parts),
    SignatureProvided: signature,
  });
}

function header(request: S3Request, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(',') : value) ?? '';
}

function timeOf(compact: string): Date {
  const time = new Date(compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(time.getTime())) throw new S3Error(403, 'AccessDenied', 'The request has no valid time');
  return time;
}
