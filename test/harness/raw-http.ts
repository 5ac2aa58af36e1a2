import { connect, type Socket } from 'node:net';

/** Header lines in their order; an array, since a test may want one twice. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

export function headerLines(headers: Record<string, string>): HeaderLines {
  return Object.entries(headers);
}

/** The head of a post, as bytes that nobody corrects. Latin-1: one character is one byte. */
export function postHead(path: string, lines: HeaderLines): string {
  return [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

/** A connection that remembers what came back. */
export class RawConnection {
  private heard = '';
  private changed: () => void = () => undefined;
  private over = false;

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.heard += chunk.toString('latin1');
      this.changed();
    });
    for (const event of ['end', 'close'] as const) {
      socket.once(event, () => {
        this.over = true;
        this.socket.end();
        this.changed();
      });
    }
  }

  static async to(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const connection = new RawConnection(socket);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return connection;
  }

  send(bytes: string | Buffer): this {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this;
  }

  /** Says that nothing more will be sent, and goes on listening. */
  finish(): this {
    this.socket.end();
    return this;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** What came back, once so many answers did or the server closed. */
  async answers(count: number): Promise<{ status: number; body: string }[]> {
    while (answersIn(this.heard).length < count && !this.over) {
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
    return answersIn(this.heard);
  }

  /** What came back until the server closed. */
  rest(): Promise<{ status: number; body: string }[]> {
    return this.answers(Number.POSITIVE_INFINITY);
  }
}

/** Whole answers with a content-length, in their order. */
function answersIn(heard: string): { status: number; body: string }[] {
  const found: { status: number; body: string }[] = [];
  for (let rest = heard; ;) {
    const head = /^HTTP\/1\.1 (\d{3})[^]*?\r\n\r\n/.exec(rest);
    if (head === null) return found;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head[0])?.[1] ?? 0);
    if (rest.length < head[0].length + length) return found;
    const body = rest.slice(head[0].length, head[0].length + length);
    found.push({ status: Number(head[1]), body: Buffer.from(body, 'latin1').toString() });
    rest = rest.slice(head[0].length + length);
  }
}
