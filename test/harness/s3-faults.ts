/** What the server does wrong with a request that was right. */
export type S3Fault =
  /** An S3 error; `after` the write is done, `before` when not said. */
  | { is: 'error'; status: number; code: string; message?: string; headers?: Record<string, string>; when?: 'after' }
  /** Breaks the connection when so many bytes of a PUT have come, or of an answer have gone. */
  | { is: 'reset'; afterBytes: number }
  /** Reads no more of a PUT, or sends no more of an answer, after so many bytes; and does not say why. */
  | { is: 'stall'; afterBytes: number }
  /** Does what it was asked, and breaks the connection instead of saying so. */
  | { is: 'lost answer' }
  /** Answers that much later; Infinity: never. */
  | { is: 'slow'; milliseconds: number }
  /** Sends the right number of other bytes. */
  | { is: 'wrong bytes' }
  /** Sends half of what the length says, and closes. */
  | { is: 'cut' }
  /** Something that is no S3 answers. */
  | { is: 'page'; status: number; html: string };

export interface FaultRule {
  fault: S3Fault;
  /** Only requests of this method. */
  method?: string | undefined;
  left: number;
}

export const slowDown = (retryAfter?: number): S3Fault => ({
  is: 'error',
  status: 503,
  code: 'SlowDown',
  message: 'Please reduce your request rate.',
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
});

export const internalError = (when?: 'after'): S3Fault => ({
  is: 'error',
  status: 500,
  code: 'InternalError',
  ...(when && { when }),
});
