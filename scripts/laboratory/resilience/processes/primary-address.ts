import { connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server after another, as a virtual IP address or a proxy does. */
export interface PrimaryAddress {
  /** The URL of the first server with this address instead of its own. */
  url: string;
  /** Ends the connections, and leads others to another server. */
  moveTo(serverUrl: string): void;
  close(): void;
}

export async function openPrimaryAddress(serverUrl: string): Promise<PrimaryAddress> {
  let target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const forwarder = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((forwarder.address() as { port: number }).port);
  return {
    url: url.href,
    moveTo(next) {
      target = new URL(next);
      endAll();
    },
    close() {
      forwarder.close();
      endAll();
    },
  };
}
