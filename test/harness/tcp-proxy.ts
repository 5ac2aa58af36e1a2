import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Breaks every connection, and refuses new ones. */
  cut: () => Promise<void>;
  restore: () => Promise<void>;
  /** The next request with this text is broken off: `before` the server gets it, or `after`, when it has answered. */
  breakAt: (text: string, when: 'before' | 'after') => void;
  close: () => Promise<void>;
}

/** Stands between the application and a server, so that a test can take the server away from it alone. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let trap: { text: string; when: 'before' | 'after' } | undefined;
  const server = createServer((near) => {
    const far = connect(port, host);
    let answerIsLost = false;
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('end', () => other.end());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (request) => {
      if (trap !== undefined && request.includes(trap.text)) {
        const { when } = trap;
        trap = undefined;
        if (when === 'before') return void near.destroy();
        answerIsLost = true;
      }
      far.write(request);
    });
    far.on('data', (answer) => (answerIsLost ? near.destroy() : near.write(answer)));
  });
  const listen = (on: number): Promise<void> => new Promise((resolve) => server.listen(on, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    sockets.forEach((socket) => socket.destroy());
    await closed;
  };
  await listen(0);
  const ours = (server.address() as AddressInfo).port;
  const breakAt: TcpProxy['breakAt'] = (text, when) => (trap = { text, when });
  return { port: ours, cut: stop, restore: () => listen(ours), breakAt, close: stop };
}
