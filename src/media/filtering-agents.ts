import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { publicOnly } from './picture-address.js';
import { isAgentRefusal } from './picture-failure.js';

export interface Agents {
  http: http.Agent;
  https: https.Agent;
}

// A gallery is dozens of pictures of one host. Idle sockets go before most servers would close them under a request.
const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 } as const;

/** Agents that connect to public addresses only, whatever a name resolves to at that moment. */
export function filteringAgents(lookup?: LookupFunction): Agents {
  const options = { ...KEEP_ALIVE, lookup: publicOnly(lookup) };
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) };
}

/** For hosts that the configuration opens by name and port; no other hop may use them. */
export function openAgents(): Agents {
  return { http: new http.Agent(KEEP_ALIVE), https: new https.Agent(KEEP_ALIVE) };
}

/**
 * An agent that was imported wrongly, or that a new version made lenient, protects nothing and nobody would notice: each
 * is asked for a loopback connection, and must refuse before a socket is opened.
 * @throws Error when one does not
 */
export function assertFiltering(agents: Agents): void {
  for (const scheme of ['http', 'https'] as const) {
    if (!refusesLoopback(agents[scheme])) {
      throw new Error(
        `The ${scheme} agent for pictures would connect to 127.0.0.1: pictures can not be fetched safely.`,
      );
    }
  }
}

function refusesLoopback(agent: http.Agent): boolean {
  let refusal: unknown;
  // A good agent calls back before it returns; a lenient one has begun to connect, to a port where nobody listens.
  const socket = agent.createConnection({ host: '127.0.0.1', port: 9 }, (error) => (refusal ??= error));
  socket?.on('error', () => undefined).destroy();
  return isAgentRefusal(refusal);
}
