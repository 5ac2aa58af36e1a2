import { createHash, createHmac } from 'node:crypto';

/** What AWS Signature Version 4 signs of a request, taken off the wire and not from any client library. */
export interface SignedParts {
  method: string;
  /** As it was sent, without the query. */
  path: string;
  /** Decoded names and values, without the signature itself. */
  query: readonly (readonly [string, string])[];
  headers: Readonly<Record<string, string>>;
  /** Lower-case names, sorted. */
  signedHeaders: readonly string[];
  payloadHash: string;
  /** `YYYYMMDDTHHMMSSZ` */
  time: string;
  region: string;
}

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** RFC 3986, with nothing left out: encodeURIComponent forgets five characters. */
export function strictlyEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function stringToSign(parts: SignedParts): string {
  const query = parts.query
    .map(([name, value]) => `${strictlyEncoded(name)}=${strictlyEncoded(value)}`)
    .sort()
    .join('&');
  const headers = parts.signedHeaders
    .map((name) => `${name}:${(parts.headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`)
    .join('');
  const canonical = [parts.method, parts.path, query, headers, parts.signedHeaders.join(';'), parts.payloadHash];
  return ['AWS4-HMAC-SHA256', parts.time, scopeOf(parts), sha256Hex(canonical.join('\n'))].join('\n');
}

export function signatureOf(secret: string, parts: SignedParts): string {
  const key = [parts.time.slice(0, 8), parts.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (signing, part) => createHmac('sha256', signing).update(part).digest(),
    `AWS4${secret}`,
  );
  return createHmac('sha256', key).update(stringToSign(parts)).digest('hex');
}

function scopeOf({ time, region }: SignedParts): string {
  return `${time.slice(0, 8)}/${region}/s3/aws4_request`;
}
