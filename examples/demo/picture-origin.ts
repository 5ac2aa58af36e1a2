import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PictureCache } from './picture-cache.js';
import { type PaintedFormat, paintPicture } from './picture-painter.js';

/** How a path answers instead of with its picture. Real hosts do each of these. */
export type Behaviour =
  | { do: 'status'; code: number; headers?: Record<string, string> }
  /** So many times this status (500 when none is given), then the picture. */
  | { do: 'fail'; times: number; code?: number; headers?: Record<string, string> }
  /** A page that says it is a JPEG. */
  | { do: 'html' }
  /** These bytes under this type (image/jpeg when none is given). */
  | { do: 'bytes'; body: Buffer; type?: string; headers?: Record<string, string> }
  /** Ends early, as if that were all: below 1 a share of the picture, from 1 on a number of bytes, negative: so many short. */
  | { do: 'truncate'; to: number }
  /** Breaks the connection after so many bytes of a whole picture's answer. */
  | { do: 'reset'; afterBytes: number }
  | { do: 'drip'; bytesPerSecond: number }
  /** Breaks the connection without a word. */
  | { do: 'drop' }
  | { do: 'hang' }
  | { do: 'redirect'; to: string; code?: number }
  /** The same picture for every path. */
  | { do: 'placeholder' }
  /** So many bytes after a JPEG's first ones; the length is told in advance unless `declared` is false. */
  | { do: 'too-large'; bytes: number; declared?: boolean }
  | { do: 'never-end' };

export interface PictureOriginOptions {
  /** The port to take if it is free; a free one otherwise, and without it. */
  port?: number;
  /** Pixels of every picture's long side; without it 1600 to 2560, by path. `?w=` of a URL outranks both. */
  longSide?: number;
  /** Most bytes of painted pictures that are kept. */
  cacheBytes?: number;
}

const FORMATS: Readonly<Record<string, PaintedFormat>> = { png: 'png', webp: 'webp', avif: 'avif', gif: 'gif' };
// The slower encoders get less to do, so that no picture takes much longer than a JPEG.
const LONGEST_SIDE: Readonly<Record<PaintedFormat, number>> = {
  jpeg: 2560,
  png: 1600,
  webp: 1600,
  avif: 1600,
  gif: 800,
};
// Mostly of the least size that looks real: a thousand pictures must not take two cores more than a minute.
const DEMO_SIDES = [1600, 1600, 1800, 1600, 2000, 1600, 1600, 2560];
const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010101004800480000', 'hex');
const DRIPS_A_SECOND = 20;

/** Starts a host of pictures on 127.0.0.1. */
export async function startPictureOrigin(options: PictureOriginOptions = {}): Promise<PictureOrigin> {
  const origin = new PictureOrigin(options);
  await origin.listen();
  return origin;
}

/**
 * A picture host for the demo and the tests: every path is a picture, painted when first asked for, and any path can be
 * told to misbehave. It counts what was asked of it.
 */
export class PictureOrigin {
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly failuresLeft = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  private readonly headers = new Map<string, IncomingHttpHeaders>();
  private readonly painted: PictureCache;
  private inFlight = 0;

  /** Requests since the start. */
  total = 0;
  /** Connections since the start, also those that asked for nothing. */
  connections = 0;
  /** The most requests that were being answered at one time. */
  peak = 0;

  constructor(private readonly options: PictureOriginOptions) {
    this.painted = new PictureCache(options.cacheBytes ?? 64 * 1024 * 1024);
    this.server.on('connection', () => this.connections++);
  }

  async listen(): Promise<void> {
    try {
      this.server.listen(this.options.port ?? 0, '127.0.0.1');
      await once(this.server, 'listening');
    } catch (error) {
      if (this.options.port === undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      this.server.listen(0, '127.0.0.1');
      await once(this.server, 'listening');
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** As an allow-list wants it. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** How often a path was asked for, whatever the query. */
  requests(path: string): number {
    return this.counts.get(path) ?? 0;
  }

  /** What the last request for a path said about itself. */
  lastHeaders(path: string): IncomingHttpHeaders | undefined {
    return this.headers.get(path);
  }

  /** @param path exactly one path; with a `/` at its end, all below it. The longest that fits counts, the last said wins. */
  behave(path: string, behaviour: Behaviour): void {
    this.behaviours.set(path, behaviour);
    for (const key of this.failuresLeft.keys()) if (key.startsWith(path)) this.failuresLeft.delete(key);
  }

  /** All paths are pictures again. */
  behaveWell(): void {
    this.behaviours.clear();
    this.failuresLeft.clear();
  }

  /** The bytes that a well-behaved path answers with. */
  picture(path: string): Promise<Buffer> {
    // Joined, not resolved: a path that begins with // is no host.
    const { pathname, searchParams } = new URL(`http://origin${path}`);
    const format = formatOf(pathname);
    const longSide = Number(searchParams.get('w')) || this.options.longSide || demoSide(pathname, format);
    return this.painted.get(`${longSide} ${pathname}`, () => paintPicture(pathname, format, longSide));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [pathname = '/', query = ''] = (request.url ?? '/').split('?');
    const search = query === '' ? '' : `?${query}`;
    this.total++;
    this.counts.set(pathname, this.requests(pathname) + 1);
    this.headers.set(pathname, request.headers);
    this.peak = Math.max(this.peak, ++this.inFlight);
    response.once('close', () => this.inFlight--);
    response.on('error', () => undefined);
    try {
      await this.behaveAs(this.behaviourOf(pathname), pathname, search, response);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  private behaviourOf(path: string): Behaviour | undefined {
    const exact = this.behaviours.get(path);
    if (exact) return exact;
    const fitting = [...this.behaviours.keys()].filter((prefix) => prefix.endsWith('/') && path.startsWith(prefix));
    return this.behaviours.get(fitting.sort((one, other) => other.length - one.length)[0] ?? '');
  }

  private async behaveAs(
    behaviour: Behaviour | undefined,
    path: string,
    search: string,
    response: ServerResponse,
  ): Promise<void> {
    const type = `image/${formatOf(path)}`;
    switch (behaviour?.do) {
      case undefined:
        return send(response, 200, type, await this.picture(path + search));
      case 'status':
        return send(response, behaviour.code, 'text/plain', Buffer.from('no picture'), behaviour.headers);
      case 'fail': {
        const left = this.failuresLeft.get(path) ?? behaviour.times;
        this.failuresLeft.set(path, left - 1);
        return this.behaveAs(
          left > 0
            ? { do: 'status', code: behaviour.code ?? 500, ...(behaviour.headers && { headers: behaviour.headers }) }
            : undefined,
          path,
          search,
          response,
        );
      }
      case 'html':
        return send(response, 200, 'image/jpeg', Buffer.from('<!doctype html><title>Limit reached</title>'));
      case 'bytes':
        return send(response, 200, behaviour.type ?? 'image/jpeg', behaviour.body, behaviour.headers);
      case 'truncate': {
        const whole = await this.picture(path + search);
        const { to } = behaviour;
        return send(response, 200, type, whole.subarray(0, to > 0 && to < 1 ? Math.round(whole.length * to) : to));
      }
      case 'reset': {
        const whole = await this.picture(path + search);
        response.writeHead(200, { 'content-type': type, 'content-length': whole.length });
        response.write(whole.subarray(0, behaviour.afterBytes), () => response.socket?.resetAndDestroy());
        return;
      }
      case 'drip': {
        const whole = await this.picture(path + search);
        response.writeHead(200, { 'content-type': type, 'content-length': whole.length });
        return pour(response, drops(whole, behaviour.bytesPerSecond));
      }
      case 'drop':
        response.socket?.resetAndDestroy();
        return;
      case 'hang':
        return;
      case 'redirect':
        return send(response, behaviour.code ?? 302, 'text/plain', Buffer.alloc(0), { location: behaviour.to });
      case 'placeholder':
        return send(response, 200, 'image/jpeg', await this.picture('/placeholder.jpg'));
      case 'too-large': {
        const declared = behaviour.declared === false ? {} : { 'content-length': behaviour.bytes };
        response.writeHead(200, { 'content-type': 'image/jpeg', ...declared });
        return pour(response, afterJpegHead(behaviour.bytes));
      }
      case 'never-end':
        response.writeHead(200, { 'content-type': 'image/jpeg' });
        return pour(response, afterJpegHead(Number.POSITIVE_INFINITY));
    }
  }
}

function formatOf(path: string): PaintedFormat {
  return FORMATS[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'jpeg';
}

function demoSide(path: string, format: PaintedFormat): number {
  const sum = [...Buffer.from(path)].reduce((total, byte) => total + byte, 0);
  return Math.min(LONGEST_SIDE[format], DEMO_SIDES[sum % DEMO_SIDES.length] ?? LONGEST_SIDE[format]);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
}

async function* drops(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.round(bytesPerSecond / DRIPS_A_SECOND));
  for (let sent = 0; sent < body.length; sent += size) {
    yield body.subarray(sent, sent + size);
    await new Promise((resolve) => setTimeout(resolve, 1000 / DRIPS_A_SECOND));
  }
}

function* afterJpegHead(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(16 * 1024);
  yield JPEG_HEAD;
  for (let left = bytes - JPEG_HEAD.length; left > 0; left -= chunk.length) {
    yield chunk.subarray(0, Math.min(left, chunk.length));
  }
}

/** Writes no faster than it is read, and ends with the reader: whoever gives up has cost no memory. */
async function pour(response: ServerResponse, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response).catch(() => undefined);
}
