import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { host } from '../../../command-line/local-server.ts';

/** An address that leads elsewhere, as that of a proxy or a virtual IP address does. */
export interface Address extends Disposable {
  port: number;
  /** Ends its connections. */
  endAll(): void;
  /** Until `release`, it accepts connections and passes on nothing, like a network that drops packets. */
  hold(): void;
  release(): void;
}

/** @param choose the ports that a new connection is offered to, until one accepts it */
export async function openAddress(choose: () => readonly number[]): Promise<Address> {
  const sockets = new Set<Socket>();
  let held: PromiseWithResolvers<void> | undefined;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ pauseOnConnect: true }, async (near) => {
    keep(near);
    await held?.promise;
    for (const port of choose()) {
      const far = connect(port, host);
      keep(far);
      const accepted = await once(far, 'connect').then(
        () => true,
        () => false,
      );
      if (!accepted) continue;
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
      if (near.destroyed) far.destroy();
      near.pipe(far).pipe(near);
      if (held) for (const socket of [near, far]) socket.pause();
      return;
    }
    near.destroy();
  });

  function keep(socket: Socket) {
    sockets.add(socket);
    socket.setNoDelay().on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    endAll,
    hold() {
      held = Promise.withResolvers();
      for (const socket of sockets) socket.pause();
    },
    release() {
      held?.resolve();
      held = undefined;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.dispose]() {
      server.close();
      endAll();
    },
  };
}
