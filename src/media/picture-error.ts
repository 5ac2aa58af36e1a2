export type PictureErrorNature = 'transient' | 'permanent';

export interface PictureErrorOptions {
  nature: PictureErrorNature;
  /** Of 429, 503 and `host_cooling`: how long the host asked to be left alone, or still does; 0 to 3600 s. */
  retryAfterSeconds?: number;
  /** `host:port` that answered, or did not: after a redirect not the one of the picture's URL. */
  host?: string;
  cause?: unknown;
}

/**
 * Why a picture's slot could not be filled. The gallery goes on without a permanent one; a transient one is tried again
 * with the job. `code` is stable and kept with the slot: `http_404` … `http_503`, `host_cooling`, `timeout`, `connection`,
 * `bad_url`, `forbidden_address`, `too_many_redirects`, `too_large`, `not_an_image`, `truncated`, `too_many_pixels`, `too_small`,
 * `animated`.
 */
export class PictureError extends Error {
  readonly nature: PictureErrorNature;
  readonly retryAfterSeconds?: number;
  readonly host?: string;

  constructor(
    readonly code: string,
    message: string,
    options: PictureErrorOptions,
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PictureError';
    this.nature = options.nature;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
    if (options.host !== undefined) this.host = options.host;
  }
}

const BAD_BYTES: ReadonlySet<string> = new Set(['not_an_image', 'truncated']);

/**
 * The nature of a slot's error, given the code that its last try left: bad bytes may be a server's bad moment once, and
 * are the picture's own the second time.
 */
export function natureAfter(error: PictureError, previousCode: string | null | undefined): PictureErrorNature {
  return BAD_BYTES.has(error.code) && BAD_BYTES.has(previousCode ?? '') ? 'permanent' : error.nature;
}
