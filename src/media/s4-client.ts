import { S3Client } from '@aws-sdk/client-s3';
import { messageOf } from '../lib/text.js';
import type { S4Config } from '../platform/config/config.js';

/** No answer came, or no whole one: the code that the system gave that, or the timer. */
export class S4TransportError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'S4TransportError';
  }
}

const silent = (): void => undefined;

/**
 * Amazon's client as every S3-compatible store understands it. All that it would otherwise read out of the environment or
 * a file of the home folder is said here: settings come from the configuration alone.
 */
export function s4Client(s4: S4Config): S3Client {
  const client = new S3Client({
    endpoint: s4.endpoint,
    region: s4.region,
    credentials: { accessKeyId: s4.accessKeyId, secretAccessKey: s4.secretAccessKey },
    forcePathStyle: true,
    // Newer checksums come as trailers in chunks, which many stores refuse. The signature covers the bytes anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A store that does not know "100-continue" would let every larger picture wait.
    expectContinueHeader: false,
    // Its own retries would obey any Retry-After, however long, without anybody being told.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    // The library logs requests, and warns of things that it is configured to do here.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: s4.connectTimeoutMs,
      requestTimeout: s4.requestTimeoutMs,
      socketTimeout: s4.requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  // Next to the socket, where errors are still as they arose: further up the library renames some and wraps others.
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw new S4TransportError(transportCode(error), messageOf(error));
      }
    },
    { step: 'deserialize', priority: 'low', name: 'transportErrors' },
  );
  return client;
}

function transportCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return name === 'TimeoutError' ? 'ETIMEDOUT' : '';
}
