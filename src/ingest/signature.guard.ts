import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.js';
import { Clock } from '../platform/clock/clock.js';
import { type CrawlerKey, CrawlerKeyring, type KnownCrawler } from './crawler-keyring.js';
import { CrawlerRates } from './crawler-rates.js';
import { verifySignature } from './signature.js';
import { assertInWindow, readSignedHead, type SignedHead } from './signed-head.js';
import { Tally } from './tally.js';

/** A body whose sender is proven. */
export interface SignedMessage {
  crawler: KnownCrawler;
  /** `webhook-id` */
  id: string;
  /** The path it came in by, which is not signed. */
  path: string;
  bytes: Buffer;
}

type SignedRequest = FastifyRequest & { signedMessage?: SignedMessage };

/**
 * Lets in what a crawler signed. `examine` judges the headers alone, so that the door can ask it before it reads a body;
 * `canActivate` asks it again, since nothing else stands between a wrong wiring and an open door.
 */
@Injectable()
export class SignatureGuard implements CanActivate {
  constructor(
    private readonly keyring: CrawlerKeyring,
    private readonly clock: Clock,
    private readonly rates: CrawlerRates,
    private readonly tally: Tally,
  ) {}

  /** @throws AppError 401 signature-missing, signature-malformed, timestamp-out-of-window */
  examine(rawHeaders: readonly string[]): SignedHead {
    const head = readSignedHead(rawHeaders);
    assertInWindow(head, this.clock.seconds());
    return head;
  }

  /** @throws AppError 401, 403 crawler-switched-off, 429 rate-limited; 503 */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedRequest>();
    const bytes = request.body;
    if (!Buffer.isBuffer(bytes))
      throw new Error('A signed route needs @RawBody(): its body was parsed before the check');
    const head = this.examine(request.raw.rawHeaders);
    const match = await this.signerOf(head, bytes);
    if (match === undefined) {
      throw new AppError(
        'signature-mismatch',
        'No secret of this crawler made this signature. Sign webhook-id, webhook-timestamp and the very bytes of the body, ' +
          'joined by full stops, and check the secret and x-ingest-crawler.',
        { status: 401 },
      );
    }
    const { crawler } = match;
    request.signedMessage = { crawler, id: head.id, path: request.routeOptions.url ?? request.url, bytes };
    this.tally.used(match.secretId);
    if (!crawler.enabled) {
      throw new AppError(
        'crawler-switched-off',
        `The crawler "${crawler.name}" is switched off. Ask the archive's operator.`,
        {
          status: 403,
        },
      );
    }
    this.rates.take(crawler.id);
    return true;
  }

  private async signerOf(
    { id, timestamp, signature, crawler }: SignedHead,
    body: Buffer,
  ): Promise<CrawlerKey | undefined> {
    const message = { id, timestamp, body, header: signature };
    return (
      verifySignature({ ...message, candidates: await this.keyring.candidates(crawler) }) ??
      verifySignature({ ...message, candidates: await this.keyring.newCandidates(crawler) })
    );
  }
}

/** Who sent a request, as far as its signature has proven it. */
export function provenSender(request: FastifyRequest): KnownCrawler | undefined {
  return (request as SignedRequest).signedMessage?.crawler;
}

/** The message that the guard let in. */
export const Signed = createParamDecorator((_: unknown, context: ExecutionContext): SignedMessage => {
  const { signedMessage } = context.switchToHttp().getRequest<SignedRequest>();
  if (signedMessage === undefined) throw new Error('@Signed() needs @UseGuards(SignatureGuard)');
  return signedMessage;
});
