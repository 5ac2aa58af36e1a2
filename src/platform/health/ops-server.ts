import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { messageOf } from '../../lib/text.js';
import { CONFIG, type Config } from '../config/config.js';
import { Metrics } from '../metrics/metrics.js';

/**
 * `/metrics`, `/livez` and `/readyz` on a port of their own, on loopback unless configured otherwise: what they tell is
 * the operator's, so it is never on the public port.
 */
@Injectable()
export class OpsServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ops');
  private server: Server | undefined;
  private stopping = false;

  constructor(
    private readonly metrics: Metrics,
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { opsPort, opsHost } = this.config.http;
    if (opsPort === 0) return;
    const server = createServer((request, response) => {
      void this.answer(request.url ?? '/', response);
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(opsPort, opsHost, resolve));
    this.server = server;
    this.logger.log(`Metrics and probes on http://${opsHost}:${opsPort}`);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    if (url === '/livez') return send(response, 200, 'text/plain', 'alive\n');
    if (url === '/readyz') {
      const problem = await this.problem();
      return send(response, problem === undefined ? 200 : 503, 'text/plain', `${problem ?? 'ready'}\n`);
    }
    if (url === '/metrics') {
      const { registry } = this.metrics;
      return send(response, 200, registry.contentType, await registry.metrics());
    }
    return send(response, 404, 'text/plain', 'There are /metrics, /livez and /readyz.\n');
  }

  private async problem(): Promise<string | undefined> {
    if (this.stopping) return 'stopping';
    try {
      await this.dataSource.query('SELECT 1');
      return undefined;
    } catch (error) {
      return `the database does not answer: ${messageOf(error)}`;
    }
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
