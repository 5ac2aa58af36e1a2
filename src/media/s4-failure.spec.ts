import { S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { readMediaConfig } from '../platform/config/media-config.js';
import { S4TransportError } from './s4-client.js';
import { s4Failure } from './s4-failure.js';

const { s4 } = readMediaConfig({
  S4_ENDPOINT: 'https://s4.example.org',
  S4_BUCKET: 'pictures',
  S4_ACCESS_KEY_ID: 'AKEXAMPLE',
  S4_SECRET_ACCESS_KEY: 'the secret'.replace(' ', '-'),
});
const NOW = new Date('2026-03-01T00:00:00Z');

function failure(error: unknown): ReturnType<typeof s4Failure> {
  if (s4 === undefined) throw new Error('no settings');
  return s4Failure(error, 'put "x"', s4, NOW);
}

function answer(status: number, name: string, headers: Record<string, string> = {}, message = ''): S3ServiceException {
  const metadata = { httpStatusCode: status };
  const error = new S3ServiceException({ name, message, $fault: 'client', $metadata: metadata });
  return Object.assign(error, { $response: { statusCode: status, headers } });
}

describe('what a failure of the S4 store means', () => {
  it.each([
    [403, 'InvalidAccessKeyId', 'store-access-key-unknown', 'permanent'],
    [403, 'SignatureDoesNotMatch', 'store-secret-wrong', 'permanent'],
    [403, 'AccessDenied', 'store-access-denied', 'permanent'],
    [403, 'Forbidden', 'store-access-denied', 'permanent'],
    [404, 'NoSuchBucket', 'store-bucket-missing', 'permanent'],
    [403, 'RequestTimeTooSkewed', 'store-clock-skewed', 'transient'],
    [400, 'AuthorizationHeaderMalformed', 'store-region-wrong', 'permanent'],
    [301, 'PermanentRedirect', 'store-region-wrong', 'permanent'],
    [400, 'ExpiredToken', 'store-access-key-unknown', 'permanent'],
    [400, 'RequestTimeout', 'store-timeout', 'transient'],
    [400, 'BadDigest', 'store-upload-damaged', 'transient'],
    [503, 'SlowDown', 'store-busy', 'transient'],
    [503, 'Unknown', 'store-busy', 'transient'],
    [429, 'Unknown', 'store-busy', 'transient'],
    [500, 'InternalError', 'store-failed', 'transient'],
    [504, 'Unknown', 'store-failed', 'transient'],
    [507, 'XMinioStorageFull', 'store-full', 'transient'],
    [400, 'EntityTooLarge', 'store-refused', 'permanent'],
  ])('%i %s', (status, name, code, nature) => {
    expect(failure(answer(status, name))).toMatchObject({ code, nature, status: 503 });
  });

  it.each([
    ['ECONNREFUSED', 'store-unreachable', 'transient'],
    ['ENOTFOUND', 'store-unreachable', 'transient'],
    ['EAI_AGAIN', 'store-unreachable', 'transient'],
    ['EHOSTUNREACH', 'store-unreachable', 'transient'],
    ['ECONNRESET', 'store-connection-lost', 'transient'],
    ['EPIPE', 'store-connection-lost', 'transient'],
    ['', 'store-connection-lost', 'transient'],
    ['ETIMEDOUT', 'store-timeout', 'transient'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'store-tls', 'permanent'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'store-tls', 'permanent'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'store-tls', 'permanent'],
    ['CERT_HAS_EXPIRED', 'store-tls', 'permanent'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'store-tls', 'permanent'],
    ['HPE_INVALID_CONSTANT', 'store-is-none', 'permanent'],
  ])('%s below HTTP', (system, code, nature) => {
    const found = failure(new S4TransportError(system, 'something happened'));
    expect(found).toMatchObject({ code, nature });
    expect(found.message).toContain('s4.example.org');
  });

  it('tells how to trust a certificate', () => {
    const { message } = failure(new S4TransportError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'));
    expect(message).toMatch(/NODE_EXTRA_CA_CERTS.*DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['999999', 3600],
    ['Sun, 01 Mar 2026 00:01:30 GMT', 90],
    ['soon', 60],
  ])('knows how long a Retry-After of %j is', (header, seconds) => {
    const found = failure(answer(503, 'SlowDown', { 'retry-after': header }));
    expect(found.retryAfterSeconds).toBe(seconds);
    expect(found.headers).toEqual({ 'Retry-After': String(seconds) });
  });

  it('knows of no time when the store names none', () => {
    expect(failure(answer(503, 'SlowDown')).retryAfterSeconds).toBeUndefined();
  });

  it('repeats what the store says, but no key', () => {
    const { message, cause } = failure(answer(403, 'InvalidAccessKeyId', {}, 'AKEXAMPLE (the-secret) is not ours'));
    expect(message).toContain('403 InvalidAccessKeyId [access key] ([secret]) is not ours');
    expect(message).not.toMatch(/AKEXAMPLE|the-secret/);
    expect(cause).toBeUndefined();
  });
});
