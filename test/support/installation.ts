import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import {
  type PlatformOptions,
  type PlatformServer,
  servePlatform,
  workPlatform,
} from '../../server/src/server.ts';

/** The ports of the servers of this process's installations. */
const serverPorts = new Set<number | undefined>();
// So that the next request comes over another connection, and thereby to the other server.
subscribe('http.server.request.start', (message) => {
  const { socket, response } = message as { socket: Socket; response: ServerResponse };
  if (serverPorts.has(socket.localPort)) response.shouldKeepAlive = false;
});

/**
 * The platform as two servers and two workers, which share the database, the files and the server key. Each connection
 * goes to the server that the one before it did not go to. The dependencies in the result are the first server's.
 */
export async function serveInstallation({ config, ...options }: PlatformOptions): Promise<PlatformServer> {
  const production = await openBalancer();
  const sandbox = await openBalancer();
  const publicUrls = {
    production: config.publicUrls.production ?? `http://127.0.0.1:${production.port}`,
    sandbox: config.publicUrls.sandbox ?? `http://127.0.0.1:${sandbox.port}`,
  };
  // What a process has by default, because all tests share one PostgreSQL.
  const shared = { ...options, config: { ...config, publicUrls, databaseConnections: 20 } };
  const processes: { close(grace?: number): Promise<void> }[] = [];
  const close = async (grace?: number) => {
    await Promise.all(processes.map((one) => one.close(grace)));
    await Promise.all([production.close(), sandbox.close()]);
    for (const port of [...production.targets, ...sandbox.targets]) serverPorts.delete(port);
  };
  const serve = async () => {
    const server = await servePlatform({ ...shared, role: 'serve' });
    processes.push(server);
    production.targets.push(server.ports.production);
    sandbox.targets.push(server.ports.sandbox);
    for (const port of Object.values(server.ports)) serverPorts.add(port);
    return server;
  };
  try {
    const first = await serve();
    await serve();
    processes.push(await workPlatform(shared), await workPlatform(shared));
    const ports = { production: production.port, sandbox: sandbox.port };
    return { ...first, baseUrls: publicUrls, ports, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A TCP load balancer on a free port. */
async function openBalancer() {
  const targets: number[] = [];
  let next = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const port = targets[next++ % targets.length] as number;
    const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    // If one side breaks off, the other is closed, too.
    pipeline(client, target, client, () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { port, targets, close };
}
