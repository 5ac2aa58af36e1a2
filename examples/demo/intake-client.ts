import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** What the door answered: a receipt (202), or a problem document. */
export interface IntakeAnswer {
  status: number;
  body: {
    job_id?: string;
    duplicate?: boolean;
    subject?: string;
    warnings?: string[];
    type?: string;
    detail?: string;
  };
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const TRIES = 5;

export function newMessageId(): string {
  return `msg_${randomUUID()}`;
}

/** A crawler's half of the contract: signed by a public Standard Webhooks library, tried again when the door says so. */
export class IntakeClient {
  private readonly webhook: Webhook;

  constructor(
    private readonly serverUrl: string,
    private readonly crawler: { name: string; secret: string },
    private readonly signal: AbortSignal,
  ) {
    this.webhook = new Webhook(crawler.secret);
  }

  /** @param messageId the same for each retry of one message */
  async post(message: unknown, messageId = newMessageId()): Promise<IntakeAnswer> {
    const body = JSON.stringify(message);
    for (let attempt = 1; ; attempt++) {
      const signedAt = new Date();
      const response = await fetch(`${this.serverUrl}/ingest`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': messageId,
          'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
          'webhook-signature': this.webhook.sign(messageId, signedAt, body),
          'x-ingest-crawler': this.crawler.name,
        },
        body,
        signal: this.signal,
      });
      const answer = { status: response.status, body: (await response.json()) as IntakeAnswer['body'] };
      if (!RETRYABLE.has(response.status) || attempt === TRIES) return answer;
      const seconds = Number(response.headers.get('retry-after')) || attempt;
      await sleep(seconds * 1000, undefined, { signal: this.signal });
    }
  }

  /** As {@link post}, for a message that must be taken. @returns its job's id. @throws Error saying why it was not taken */
  async submit(message: unknown, messageId?: string): Promise<string> {
    const { status, body } = await this.post(message, messageId);
    if (status === 202 && body.job_id !== undefined) return body.job_id;
    throw new Error(`The door answered ${refusalOf({ status, body })}`);
  }
}

/** Why the door did not take a message, in one line. */
export function refusalOf({ status, body }: IntakeAnswer): string {
  const code = (body.type ?? '').replace('urn:runway:problem:', '');
  return [status, code, body.detail].filter(Boolean).join(' ');
}
