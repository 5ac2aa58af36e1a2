import { AppError } from '../lib/app-error.js';

export interface StoreErrorOptions {
  nature: 'transient' | 'permanent';
  /** How long the store asked to be left alone, 0 to 3600 s. */
  retryAfterSeconds?: number | undefined;
}

/**
 * The picture store did not do what it was asked. A transient error may be gone by itself; a permanent one stays until
 * somebody mends what the message names. Neither is the fault of a show. `code` is stable: `store-busy`, `store-failed`,
 * `store-timeout`, `store-unreachable`, `store-connection-lost`, `store-upload-damaged`, `store-full`,
 * `store-clock-skewed`, `store-tls`, `store-access-key-unknown`, `store-secret-wrong`, `store-access-denied`,
 * `store-bucket-missing`, `store-region-wrong`, `store-is-none`, `store-refused`.
 *
 * It never has a cause: what a client library throws holds the request with its signature, and often the access key.
 */
export class StoreError extends AppError {
  readonly nature: 'transient' | 'permanent';
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, { nature, retryAfterSeconds }: StoreErrorOptions) {
    super(code, message, {
      status: 503,
      ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    });
    this.name = 'StoreError';
    this.nature = nature;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
