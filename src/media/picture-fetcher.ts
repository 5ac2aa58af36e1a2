import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { got, type Request, type Response } from 'got';
import { Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config, type MediaConfig } from '../platform/config/config.js';
import { type Agents, assertFiltering, filteringAgents, openAgents } from './filtering-agents.js';
import { HostCooldowns } from './host-cooldowns.js';
import { HostSlots } from './host-slots.js';
import { AddressRules, type Hop } from './picture-address.js';
import { PictureError } from './picture-error.js';
import { statusFailure, tooLarge, transportFailure } from './picture-failure.js';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What one hop came to: the picture's bytes, or the address that it sends us on to. */
type Answer = { bytes: Buffer } | { location: string };

/**
 * The only code that connects to an address out of a payload: whatever fetches a picture, comes here. It proves nothing
 * about the bytes but their number, and tries once; trying again is the job's business.
 */
@Injectable()
export class PictureFetcher implements OnModuleInit, OnModuleDestroy {
  private readonly media: MediaConfig;
  private readonly rules: AddressRules;
  private readonly slots: HostSlots;
  private readonly filtering: Agents = filteringAgents();
  private readonly open: Agents = openAgents();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly clock: Clock,
    private readonly cooldowns: HostCooldowns,
  ) {
    this.media = config.media;
    this.rules = new AddressRules(config.media.ports, config.media.allowedPrivateHosts);
    this.slots = new HostSlots(config.media.perHostConcurrency);
  }

  onModuleInit(): void {
    assertFiltering(this.filtering);
  }

  onModuleDestroy(): void {
    for (const agents of [this.filtering, this.open]) {
      agents.http.destroy();
      agents.https.destroy();
    }
  }

  /**
   * The bytes that the address answers with, at most `media.maxBytes`. A host that asked to be left alone is not asked.
   * @throws PictureError; the signal's own reason when it aborts
   */
  async fetch(url: string, signal: AbortSignal): Promise<Buffer> {
    let hop = this.rules.check(url);
    // All pictures of a gallery share their job's signal, and each takes its listeners back: no leak to be warned of.
    setMaxListeners(0, signal);
    let millisecondsLeft = this.media.requestTimeoutMs;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      signal.throwIfAborted();
      const { host } = hop;
      const answer = await this.slots.run(
        host,
        async () => {
          // Here and not before the queue: whoever went first may have been told to leave the host alone.
          await this.cooldowns.assertWarm(host);
          signal.throwIfAborted();
          // Only what hosts take counts against the whole request's time, not the wait for our own turn.
          const began = performance.now();
          try {
            return await this.request(hop, millisecondsLeft, signal);
          } catch (error) {
            await this.heed(error);
            throw error;
          } finally {
            millisecondsLeft = Math.max(1, millisecondsLeft - (performance.now() - began));
          }
        },
        signal,
      );
      if ('bytes' in answer) return answer.bytes;
      hop = this.rules.check(answer.location, hop.url);
    }
    throw new PictureError(
      'too_many_redirects',
      `${hop.host} is redirect ${MAX_REDIRECTS + 1}; ${MAX_REDIRECTS} are followed.`,
      {
        nature: 'permanent',
        host: hop.host,
      },
    );
  }

  private async heed(error: unknown): Promise<void> {
    if (!(error instanceof PictureError) || error.host === undefined || error.retryAfterSeconds === undefined) return;
    await this.cooldowns.cool(error.host, error.retryAfterSeconds, error.code);
  }

  private async request(hop: Hop, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
    const { connectTimeoutMs, userAgent } = this.media;
    const stream = got.stream(hop.url, {
      agent: { ...(hop.allowedPrivate ? this.open : this.filtering) },
      // Another encoding would make the bytes' number and hash depend on what the host felt like.
      headers: { 'user-agent': userAgent, accept: 'image/*', 'accept-encoding': 'identity' },
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: {
        lookup: connectTimeoutMs,
        connect: connectTimeoutMs,
        secureConnect: connectTimeoutMs,
        request: timeoutMs,
      },
      signal,
    });
    // Destroying a stream that is done with may still make it complain, when nobody listens any more.
    stream.on('error', () => undefined);
    try {
      const { statusCode, headers } = await firstResponse(stream);
      if (statusCode === 200) return { bytes: await this.body(stream, headers, hop.host) };
      if (REDIRECTS.has(statusCode) && headers.location) return { location: headers.location };
      throw statusFailure(statusCode, headers, hop.host, this.clock.now());
    } catch (error) {
      signal.throwIfAborted();
      throw transportFailure(error, hop.host);
    } finally {
      stream.destroy();
    }
  }

  private async body(stream: Request, headers: IncomingHttpHeaders, host: string): Promise<Buffer> {
    const { maxBytes } = this.media;
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(host, maxBytes);
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Counted as they come: a length may be absent, or a lie.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(host, maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  }
}

function firstResponse(stream: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
  });
}
