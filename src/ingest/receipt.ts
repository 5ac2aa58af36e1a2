import { AppError } from '../lib/app-error.js';

/** What is kept of a message that was accepted, and answered each time it comes again. */
export interface Receipt {
  jobId: string;
  /** Unix seconds. */
  receivedAt: number;
  subject: string;
  warnings: string[];
}

/** A receipt, and the hash of the body that it was given for. */
export interface KeptReceipt extends Receipt {
  bodySha256: Buffer;
}

/** Names one message: ids are each crawler's own. */
export interface MessageKey {
  crawlerId: string;
  messageId: string;
}

export function keyText({ crawlerId, messageId }: MessageKey): string {
  return `${crawlerId}/${messageId}`;
}

/**
 * The first answer, for the same message come again.
 * @throws AppError 422 `message-id-reused` when the body is another one
 */
export function sameMessage(kept: KeptReceipt, bodySha256: Buffer): Receipt {
  if (kept.bodySha256.equals(bodySha256)) return kept;
  throw new AppError(
    'message-id-reused',
    'Another body came with this webhook-id before. Give each message an id of its own, and keep it for that message’s retries only.',
    { status: 422, members: { job_id: kept.jobId } },
  );
}
