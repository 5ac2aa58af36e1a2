import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';
import { MediaHostsRepository } from './media-hosts.repository.js';
import { PictureError } from './picture-error.js';

/** How long an answer of the database is good for: another process' cool-down is noticed that much later at most. */
const KNOWN_SECONDS = 1;
/** A host that answers "later" with "in 0 seconds" would else be asked as fast as it refuses. */
const LEAST_SECONDS = 1;
/** Hosts remembered; it only keeps a process that has seen thousands of them from growing. */
const MOST_HOSTS = 1_000;

/**
 * Hosts that asked to be left alone (429 and 503) are, by the workers of all processes: the database says until when. Who
 * was told in this process knows at once, before the row is written. Asked by PictureFetcher before every request.
 */
@Injectable()
export class HostCooldowns {
  private readonly logger = new Logger('media');
  /** By the process' own even clock, in seconds: until when the host is left alone, and when the database said so. */
  private readonly known = new Map<string, { until: number; readAt: number }>();
  private readonly reading = new Map<string, Promise<void>>();

  constructor(
    private readonly hosts: MediaHostsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws PictureError `host_cooling`, transient, with the seconds that are left */
  async assertWarm(host: string): Promise<void> {
    const known = this.known.get(host);
    if (known === undefined || this.clock.elapsed() - known.readAt >= KNOWN_SECONDS) await this.readOnce(host);
    const left = (this.known.get(host)?.until ?? 0) - this.clock.elapsed();
    if (left <= 0) return;
    throw new PictureError('host_cooling', `${host} asked to be left alone for another ${Math.ceil(left)} s.`, {
      nature: 'transient',
      host,
      retryAfterSeconds: left,
    });
  }

  /** Remembers what a host answered. @param code of the answer, `http_429` */
  async cool(host: string, seconds: number, code: string): Promise<void> {
    const asked = Math.max(LEAST_SECONDS, seconds);
    const isNews = this.remember(host, asked);
    if (isNews) this.logger.warn(`${host} asked to be left alone for ${asked} s (${code})`);
    this.remember(host, await this.hosts.cool(host, asked, code));
  }

  /** All pictures of a gallery ask at the same moment; one statement answers them. */
  private readOnce(host: string): Promise<void> {
    const reading = this.reading.get(host) ?? this.read(host).finally(() => this.reading.delete(host));
    this.reading.set(host, reading);
    return reading;
  }

  private async read(host: string): Promise<void> {
    this.remember(host, await this.hosts.secondsLeft(host));
  }

  /** @returns whether the host was free until now */
  private remember(host: string, seconds: number): boolean {
    const now = this.clock.elapsed();
    const before = this.known.get(host)?.until ?? 0;
    if (this.known.size >= MOST_HOSTS) this.forgetWarm(now);
    this.known.set(host, { until: Math.max(before, now + seconds), readAt: now });
    return before <= now;
  }

  private forgetWarm(now: number): void {
    for (const [host, { until }] of this.known) if (until <= now) this.known.delete(host);
  }
}
