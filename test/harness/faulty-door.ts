import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request instead of being passed on. */
export type Fault =
  | { status: number; headers?: Record<string, string>; code?: string }
  /** The connection breaks before the door has heard a word. */
  | 'reset'
  /** The door hears all and answers, and the answer is lost. */
  | 'lost-answer'
  /** No fault at all. */
  | 'pass';

export interface SeenRequest {
  path: string;
  /** `webhook-id` */
  id: string;
  /** `webhook-timestamp` */
  timestamp: number;
  body: string;
  /** When it was here whole; milliseconds. */
  at: number;
  /** The answer's status, also of one that got lost; 0 when there was none. */
  status: number;
}

/** Stands between a crawler and the real door as a bad network and a busy door would, and counts what comes by. */
export class FaultyDoor {
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private readonly faults = new Map<string, Fault[]>();

  seen: SeenRequest[] = [];

  constructor(private readonly target: { port: number }) {}

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next requests for the path meet these, one each, and those after them the last for ever when it is a fault. */
  meet(path: string, ...faults: Fault[]): void {
    this.faults.set(path, faults);
  }

  /** All goes well again, and nothing was seen. */
  reset(): void {
    this.faults.clear();
    this.seen = [];
  }

  /** What was seen of one path. */
  at(path: string): SeenRequest[] {
    return this.seen.filter((request) => request.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await buffer(request);
    const seen: SeenRequest = {
      path,
      id: String(request.headers['webhook-id']),
      timestamp: Number(request.headers['webhook-timestamp']),
      body: body.toString(),
      at: Date.now(),
      status: 0,
    };
    this.seen.push(seen);
    const fault = this.faultOf(path);
    if (fault === 'reset') return void request.socket.resetAndDestroy();
    if (typeof fault === 'object') {
      seen.status = fault.status;
      response.writeHead(fault.status, { 'content-type': 'application/problem+json', ...fault.headers });
      response.end(JSON.stringify({ type: `urn:runway:problem:${fault.code ?? 'played'}`, detail: 'Played.' }));
      return;
    }
    const onward = httpRequest({
      port: this.target.port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: request.headers,
    });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const text = await buffer(answer);
    seen.status = answer.statusCode ?? 0;
    if (fault === 'lost-answer') return void request.socket.resetAndDestroy();
    response.writeHead(seen.status, answer.headers).end(text);
  }

  private faultOf(path: string): Fault {
    const faults = this.faults.get(path) ?? [];
    return (faults.length > 1 ? faults.shift() : faults[0]) ?? 'pass';
  }
}
